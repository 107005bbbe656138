// Package quantile summarises samples by their quantiles, interpolated linearly between the values at positions (n-1)p of their order.
package quantile

import (
	"math"
	"slices"
)

// At returns the p-quantile, p in [0, 1], of values in ascending order; NaN without any.
func At(ascending []float64, p float64) float64 {
	if len(ascending) == 0 {
		return math.NaN()
	}
	at := float64(len(ascending)-1) * p
	k := int(at)
	if k+1 >= len(ascending) {
		return ascending[len(ascending)-1]
	}
	return ascending[k] + (at-float64(k))*(ascending[k+1]-ascending[k])
}

// Summary is the mean and the quartiles of a sample.
type Summary struct {
	Mean   float64 `json:"mean"`
	Q1     float64 `json:"q1"`
	Median float64 `json:"median"`
	Q3     float64 `json:"q3"`
}

// Of summarises values in any order; without any all figures are NaN. Cost: O(n log n).
func Of(values []float64) Summary {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	sum := 0.0
	for _, v := range sorted {
		sum += v
	}
	return Summary{sum / float64(len(sorted)), At(sorted, 0.25), At(sorted, 0.5), At(sorted, 0.75)}
}
