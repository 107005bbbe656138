package confidence

import "github.com/dither-data/dither/internal/portable"

// PoissonTail returns the chance of at least n events where so many are expected, 0 or more. Cost: O(√n).
func PoissonTail(n int, expected float64) float64 {
	if n <= 0 {
		return 1
	}
	if below := float64(n); below <= expected { // the other side is the smaller one
		return max(0, 1-terms(n-1, -1, expected))
	}
	return min(1, terms(n, 1, expected))
}

// terms sums the chances of k events, and of more, or of fewer, until they no longer count.
func terms(k, step int, expected float64) (sum float64) {
	x := float64(k)
	term := portable.Exp(float64(x*portable.Log(expected)) - expected - portable.Lgamma(x+1))
	for ; k >= 0 && term > 1e-18; k += step {
		sum += term
		if step > 0 {
			term = float64(term*expected) / float64(k+1)
		} else {
			term = float64(term*float64(k)) / expected
		}
	}
	return sum
}
