package relation

// Result is result, for tests.
func (b *Bound) Result(x, y float64) float64 { return b.result(x, y) }

// Solved is solved, for tests.
func (b *Bound) Solved(k int, v []float64) float64 { return b.solved(k, v) }
