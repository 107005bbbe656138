package transition

// Undo estimates the counts of a table of two columns of one group, or of two, that multivariate randomised response
// exchanged with the weights factors: it combines the sum of every cell with that of the cell of the other value, the
// other class, or both.
func Undo(sums []float64, classes int, factors [2]float64, value, class bool) []float64 {
	out := make([]float64, len(sums))
	for k := range sums {
		v, c := k/classes, k%classes
		if value {
			v = 1 - v
		}
		if class {
			c = 1 - c
		}
		out[k] = float64(factors[0]*sums[k]) + float64(factors[1]*sums[v*classes+c])
	}
	return out
}
