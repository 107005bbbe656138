// Package confidence computes 95 % confidence intervals of sample statistics.
package confidence

import (
	"math"

	"github.com/dither-data/dither/internal/portable/vector"
)

// Z is the 97.5 % point of the normal law: an estimate is within so many of its standard errors of the truth in 95 % of
// the samples.
const Z = 1.959963984540054

// Mean returns the mean of values and its interval when they are a sample without replacement of a population: by the
// normal law with the correction for a finite population. A whole population has no uncertainty. NaN values do not
// count; without any all three are NaN.
func Mean(values []float64, population int) (mean, lo, hi float64) {
	known, mean, ss := vector.Known(values)
	n := float64(known)
	if n >= float64(population) || len(values) >= population {
		return mean, mean, mean
	}
	half := math.Inf(1)
	if n > 1 {
		half = float64(Z * math.Sqrt(ss/(n-1)/n*max(0, 1-n/float64(population))))
	}
	return mean, mean - half, mean + half
}

// Wilson returns the interval of a share of hits among n independent trials (Wilson 1927); 0 to 1 without trials. Hits
// may be fractional.
func Wilson(hits, n float64) (lo, hi float64) {
	if n <= 0 {
		return 0, 1
	}
	return Share(hits/n, n)
}

// Share is Wilson for a share p, in [0, 1], of n trials, of which there are some.
func Share(p, n float64) (lo, hi float64) {
	mid := (p + Z*Z/(2*n)) / (1 + Z*Z/n)
	half := float64(Z / (1 + Z*Z/n) * math.Sqrt(p*(1-p)/n+Z*Z/(4*n*n)))
	return max(0, mid-half), min(1, mid+half)
}
