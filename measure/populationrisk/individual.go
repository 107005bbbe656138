package populationrisk

import "github.com/dither-data/dither/internal/portable"

// Individual returns E(1/F | f), the expected value of 1 over the population frequency F of a class of which f records
// are in the sample, each with probability p: F is negative binomial, P(F = h) = C(h-1, f-1) p^f (1-p)^(h-f) for h >=
// f. It lies in [p/f, 1/f] for f of at least 1 and p in (0, 1]; a larger p counts as 1. The relative error is below
// 1e-12. Cost: O(min(f, 50)).
//
// With t for the generating function's argument, E(1/F | f) = p^f int_0^1 t^(f-1) / (1-(1-p)t)^f dt (Franconi &
// Polettini 2004); integration by parts gives the recursion in f, the substitution u = 1 - pt/(1-(1-p)t) the series.
func Individual(f int, p float64) float64 {
	p = min(p, 1)
	q := 1 - p
	if p >= 0.5 || f > 50 {
		return series(float64(f), p, q)
	}
	r := float64(p / q * portable.Log(1/p))
	for k := 2; k <= f; k++ { // an error shrinks by p/q < 1 in every step
		r = float64(p / q * (1/float64(k-1) - r))
	}
	return r
}

// series sums (p/f) sum_k q^k k! f! / (f+k)!, whose terms are positive and shrink by q k/(f+k).
func series(f, p, q float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > sum*1e-17; k++ {
		term = float64(term * (q * k / (f + k)))
		sum += term
	}
	return float64(p / f * sum)
}
