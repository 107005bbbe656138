package relation

// Result is result, for tests.
func (b *Bound) Result(x, y float64) float64 { return b.result(x, y) }

// Solved is solved, for tests.
func (b *Bound) Solved(k int, v []float64) float64 { return b.solved(k, v) }

// Apportion divides whole units by weights.
func Apportion(units float64, weights []float64) []float64 {
	a := newApportionment(make1(len(weights)), weights)
	copy(a.weight, weights)
	return a.of(units)
}

func make1(n int) []float64 {
	out := make([]float64, n)
	for k := range out {
		out[k] = 1
	}
	return out
}
