// Package quantile summarises samples by their quantiles, interpolated linearly between the values at positions (n-1)p
// of their order, and cuts them into bins of equal frequency.
package quantile

import (
	"math"
	"slices"
	"sort"
)

// At returns the p-quantile, p in [0, 1], of values in ascending order; NaN without any.
func At(ascending []float64, p float64) float64 {
	if len(ascending) == 0 {
		return math.NaN()
	}
	at := float64(float64(len(ascending)-1) * p)
	k := int(at)
	if k+1 >= len(ascending) {
		return ascending[len(ascending)-1]
	}
	return ascending[k] + float64((at-float64(k))*(ascending[k+1]-ascending[k]))
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

// Cuts returns the limits of at most so many bins of about equally many of the ascending values, each the largest of
// its bin but the last one's: a bin takes its share of the values that are left, and all that equal its largest, so no
// value is in two. Cost: O(bins log n).
func Cuts(ascending []float64, bins int) []float64 {
	out := []float64{}
	for start, n := 0, len(ascending); start < n && bins > 1; bins-- {
		largest := ascending[start+(n-start-1)/bins]
		start += sort.Search(n-start, func(k int) bool { return ascending[start+k] > largest })
		if start < n {
			out = append(out, largest)
		}
	}
	return out
}
