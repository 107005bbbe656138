// Package domains buys the domains of columns under differential privacy, where their owner declares none: an interval
// of numbers between public candidates, and the categories that occur often. Both are read from one table of noisy
// counts, so each costs the noise of counts of which one value more or less changes one by one.
package domains

import (
	"cmp"
	"slices"

	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/table"
)

// Noise is the noise of the counts, discrete Laplace or Gaussian.
type Noise interface {
	Draw(w mechanism.Words) int64
	Threshold(delta float64, keys, records int) int64
}

// candidates are the numbers among which the ends of an interval are bought: 0, and 1, 2 and 5 times the powers of ten
// from 10^-3 to 10^12, of both signs. They are the same for every table.
var candidates = func() []float64 {
	out := []float64{0}
	for e, ten := 0, 0.001; e <= 15; e, ten = e+1, float64(ten*10) {
		for _, m := range []float64{1, 2, 5} {
			out = append(out, float64(m*ten), -float64(m*ten))
		}
	}
	slices.Sort(out)
	return out
}()

// falsely is with which chance at most an interval reaches to where no value lies.
const falsely = 1e-4

// Numbers buys an interval in which most values lie: they are counted between neighbouring candidates, with noise, and
// it goes from the first to the last count that noise alone reaches with probability falsely/counts at most. So what
// few values are beyond is left outside. Missing values do not count. Where no count is so large the largest one
// serves. Cost: O(values).
func Numbers(w mechanism.Words, values []float64, noise Noise) table.Interval {
	cells := len(candidates) - 1 // what is beyond counts in the first and the last one
	counts := make([]int64, cells)
	for _, v := range values {
		if v == v {
			at, exact := slices.BinarySearch(candidates, v)
			if !exact {
				at--
			}
			counts[min(max(at, 0), cells-1)]++
		}
	}
	least := noise.Threshold(falsely, cells, 0)
	lo, hi, fullest := -1, -1, 0
	for k := range counts {
		counts[k] += noise.Draw(w)
		if counts[k] >= least {
			if hi = k; lo < 0 {
				lo = k
			}
		}
		if counts[k] > counts[fullest] {
			fullest = k
		}
	}
	if lo < 0 {
		lo, hi = fullest, fullest
	}
	return table.Interval{Lo: candidates[lo], Hi: candidates[hi+1]}
}

// Categories buys the categories that occur often: those codes, in the order of their labels, whose noisy count reaches
// a threshold, which codes of one unit alone do with probability delta at most (Korolova, Kenthapadi, Mishra & Ntoulas
// 2009). One unit has so many records at most, of which the noise is to cover one more or less. A code that nobody has
// is never named. The noise is drawn in the order of the labels, which says nothing of the records. Cost: O(codes log
// codes).
func Categories(w mechanism.Words, codes []int32, labels []string, noise Noise, delta float64, records int) (
	named []int32) {
	counts, order := make([]int64, len(labels)), make([]int32, len(labels))
	for _, c := range codes {
		if c >= 0 {
			counts[c]++
		}
	}
	for c := range order {
		order[c] = int32(c)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(labels[a], labels[b]) })
	least := noise.Threshold(delta, records, records)
	for _, c := range order {
		if counts[c] > 0 && counts[c]+noise.Draw(w) >= least {
			named = append(named, c)
		}
	}
	return named
}
