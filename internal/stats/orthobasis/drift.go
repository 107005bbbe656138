package orthobasis

import (
	"math"

	"github.com/dither-data/dither/internal/portable/vector"
)

// Drift returns how far the moments of released columns are from those of the originals, over the records that are
// complete in u: the largest difference of two means, in standard deviations, and of two covariances, in products of
// standard deviations. Pairs with a column that is constant are left out. Cost: O(n p^2).
func Drift(u, released [][]float64) (mean, cov float64) {
	if whole, gaps, _ := complete(nil, u); gaps != nil {
		u, released = gather(nil, u, whole), gather(nil, released, whole)
	}
	for i, a := range u {
		sd := vector.StdDev(a)
		if !(sd > 0) {
			continue
		}
		mean = math.Max(mean, math.Abs(vector.Mean(released[i])-vector.Mean(a))/sd)
		for j, b := range u[:i+1] {
			if other := vector.StdDev(b); other > 0 {
				diff := vector.Covariance(released[i], released[j]) - vector.Covariance(a, b)
				cov = math.Max(cov, math.Abs(diff)/sd/other)
			}
		}
	}
	return mean, cov
}
