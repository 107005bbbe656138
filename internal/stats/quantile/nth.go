package quantile

import (
	"math"
	"slices"
)

// Nth returns what would stand at position k if the values were in ascending order, and puts it there: none before it
// is larger, none behind it is smaller. None is NaN. Cost: O(n) on average, a fifth of sorting a thousand.
func Nth(values []float64, k int) float64 {
	lo, hi := 0, len(values)-1
	for rounds := 0; hi-lo > 12; rounds++ {
		if rounds == 64 { // the middle has told little of the others
			break
		}
		pivot := middle(values[lo], values[lo+(hi-lo)/2], values[hi])
		i, j := lo, hi
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for values[j] > pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return values[k]
		}
	}
	slices.Sort(values[lo : hi+1])
	return values[k]
}

// middle returns the second of three values.
func middle(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }

// Median returns the median of values, whose order it changes; NaN without any. None is NaN. Cost: that of Nth.
func Median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return math.NaN()
	}
	low := Nth(values, (n-1)/2)
	if n%2 == 1 {
		return low
	}
	return low + 0.5*(slices.Min(values[n/2:])-low)
}
