package moments

import "math"

// Vary reports whether a column has two different values.
func Vary(col []float64) bool {
	first := math.NaN()
	for _, v := range col {
		if first != first {
			first = v
		} else if v != first && v == v {
			return true
		}
	}
	return false
}
