// Package mannwhitney compares treatments by repeated measurements: the U test of Mann & Whitney 1947, and the ranks
// that Peters 2011, section 4.2, reports beside quartile charts.
//
// Reference: H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is stochastically larger
// than the other", Annals of Mathematical Statistics 18, 1947.
package mannwhitney

import (
	"cmp"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/sorting"
)

// Alpha is the level at which Peters 2011 tells treatments apart.
const Alpha = 0.05

// Result is the outcome of a two-sided test that two samples come from one law.
type Result struct {
	U float64 // pairs of a value of the first and a smaller one of the second sample, equal ones half; in [0, n m]
	// U in standard deviations from its mean n m / 2, the variance corrected for ties; 0 where no two values differ
	Z float64
	P float64 // probability of a |Z| as large, by the normal law, in [0, 1]
}

// Test compares two samples, neither of which may hold NaN. With continuity U comes half a pair closer to its mean
// (Yates 1934). An empty sample differs from none. From eight values each P is good to 0.05, and to 0.01 where it is
// below 0.1; of three or fewer it tells nothing. Cost: O((n+m) log(n+m)).
func Test(x, y []float64, continuity bool) Result {
	n, m := float64(len(x)), float64(len(y))
	u, ties := count(x, y)
	r := Result{U: u, P: 1}
	all := n + m
	variance := float64(n * m / 12 * (all + 1 - ties/(all*(all-1))))
	if !(variance > 0) {
		return r
	}
	d := u - n*m/2
	if continuity {
		d = math.Copysign(max(0, math.Abs(d)-0.5), d)
	}
	r.Z = d / math.Sqrt(variance)
	r.P = portable.Erfc(math.Abs(r.Z) / math.Sqrt2)
	return r
}

// count returns U, and the sum of t^3 - t over the groups of t equal values.
func count(x, y []float64) (u, ties float64) {
	type value struct {
		v     float64
		first bool
	}
	all := make([]value, 0, len(x)+len(y))
	for _, v := range x {
		all = append(all, value{v, true})
	}
	for _, v := range y {
		all = append(all, value{v, false})
	}
	sorting.Func(all, func(a, b value) int { return cmp.Compare(a.v, b.v) })
	below := 0.0 // values of y that are smaller
	for len(all) > 0 {
		var own, others float64
		for len(all) > 0 {
			v := all[0]
			if v.first {
				own++
			} else {
				others++
			}
			if all = all[1:]; len(all) > 0 && all[0].v != v.v {
				break
			}
		}
		u += float64(own * (below + others/2))
		below += others
		t := own + others
		ties += float64(t*t*t) - t
	}
	return u, ties
}

// Ranks orders the treatments by their medians, the best first, and gives the best rank 1. The next has the same rank
// while it does not differ at level alpha from the first of that rank, else the next one. So equal ranks tell of no
// difference from the first of them; two in the middle of a rank may differ. Treatments of equal median keep their
// order; one without values has rank 0. Cost: k tests for k treatments.
func Ranks(samples [][]float64, higher bool, alpha float64) []int {
	var order []int
	middle := make([]float64, len(samples))
	for i, s := range samples {
		if len(s) > 0 {
			order, middle[i] = append(order, i), median(s)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if higher {
			a, b = b, a
		}
		return cmp.Compare(middle[a], middle[b])
	})
	ranks := make([]int, len(samples))
	rank, first := 0, []float64(nil)
	for _, i := range order {
		if rank == 0 || Test(first, samples[i], false).P < alpha {
			rank, first = rank+1, samples[i]
		}
		ranks[i] = rank
	}
	return ranks
}

func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
