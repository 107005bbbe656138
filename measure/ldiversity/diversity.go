package ldiversity

import (
	"math"
	"slices"
)

// diversity is l of one class by the three definitions, all 0 without values, and the share of its most frequent value.
type diversity struct{ distinct, entropy, recursive, top float64 }

// diverse returns the diversity of a class whose values occur so often. It reorders the counts.
func diverse(counts []int32, c float64) diversity {
	if len(counts) == 0 {
		return diversity{}
	}
	if len(counts) == 1 {
		return diversity{1, 1, 1, 1}
	}
	slices.Sort(counts)
	n, logs := 0.0, 0.0
	for _, k := range counts {
		n += float64(k)
		logs += float64(k) * math.Log(float64(k))
	}
	most := float64(counts[len(counts)-1])
	d := diversity{distinct: float64(len(counts)), entropy: math.Exp(math.Log(n) - logs/n), recursive: 1, top: most / n}
	if whole := math.Round(d.entropy); math.Abs(d.entropy-whole) < 1e-9 {
		d.entropy = whole // of l values that are equally frequent, rounding must not lose one
	}
	rest := 0.0
	for k, count := range counts { // counts[k] is r_l with l = m - k
		if rest += float64(count); most < c*rest {
			d.recursive = float64(len(counts) - k)
			break
		}
	}
	return d
}
