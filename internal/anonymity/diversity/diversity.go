// Package diversity measures what a class of records that look alike reveals about a secret attribute: how many values
// remain possible, by l-diversity (Machanavajjhala and others 2007), and how far its distribution is from the whole's,
// by t-closeness (Li, Li & Venkatasubramanian 2007).
package diversity

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
)

// Entropy returns l = exp(-sum p ln p) of a class whose values occur so often, ascending, each at least once, so that
// the entropy is at least ln l (definition 4.1); within 1e-9 of a whole number it is that number. 0 without values.
// Cost: O(values).
func Entropy(ascending []int32) float64 {
	if len(ascending) < 2 {
		return float64(len(ascending))
	}
	n, logs := 0.0, 0.0
	for _, k := range ascending {
		n += float64(k)
		logs += float64(float64(k) * portable.Log(float64(k)))
	}
	l := portable.Exp(portable.Log(n) - logs/n)
	if whole := math.Round(l); math.Abs(l-whole) < 1e-9 {
		return whole // of l values that are equally frequent, rounding must not lose one
	}
	return l
}

// Recursive returns the largest l of a class whose values occur so often, ascending, with r_1 < c (r_l + ... + r_m),
// r_1 being the most frequent one (definition 4.2); 1 where there is none or one value only, 0 without values. Cost:
// O(values).
func Recursive(ascending []int32, c float64) float64 {
	m := len(ascending)
	if m < 2 {
		return float64(m)
	}
	rest, most := 0.0, float64(ascending[m-1])
	for k, count := range ascending { // ascending[k] is r_l with l = m - k
		if rest += float64(count); most < c*rest {
			return float64(m - k)
		}
	}
	return 1
}
