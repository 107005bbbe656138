// Package proximity says how near a released number lies to the original one of the same record: what measures of interval disclosure share
// (Domingo-Ferrer & Torra 2001). An intruder who knows a released value takes the original one to be near it; where it is, the value is disclosed.
package proximity

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/table"
)

// Changed reports whether a release gives any record another value in a column, missing or not. The columns have one kind and length.
func Changed(original, released table.Column) bool { return !original.Equal(&released) }

// Ranks tells by what intervals of ranks the released values of one attribute disclose the original ones. An interval of width w per cent, centred
// on the rank of a released value, reaches over w/200 of the released values on either side; its limits are released values. Equal released
// values share their middle rank.
type Ranks struct {
	// Narrowest is, by record, the narrowest whole width in per cent that discloses the original value, 1 or more: +Inf when the released
	// value is missing or the original one lies beyond all released values, NaN when the original one is missing.
	Narrowest []float64

	sorted  []float64 // released values that are there, ascending
	below   []int     // by position in sorted: original values that are smaller, and
	through []int     // that are not larger
	present int       // original values that are there
}

// RankColumn compares a released column with the original one, record by record. NaN is missing. Cost: O(n log n).
func RankColumn(original, released []float64) *Ranks {
	r := &Ranks{Narrowest: make([]float64, len(original)), sorted: ascending(released)}
	var values []float64 // distinct, the k-th at sorted[start[k]:start[k+1]]
	var start []int
	for i, v := range r.sorted {
		if i == 0 || v != r.sorted[i-1] {
			values, start = append(values, v), append(start, i)
		}
	}
	start = append(start, len(r.sorted))
	for i, x := range original {
		r.Narrowest[i] = max(1, math.Ceil(200*distance(values, start, x, released[i])/float64(len(r.sorted))))
	}
	r.count(ascending(original))
	return r
}

// distance returns the fewest ranks that an interval must reach on either side of the released value y to hold the original value x.
func distance(values []float64, start []int, x, y float64) float64 {
	switch {
	case x != x:
		return math.NaN()
	case x == y:
		return 0
	case y != y:
		return math.Inf(1)
	}
	at, _ := slices.BinarySearch(values, y)
	middle := float64(start[at]+start[at+1]-1) / 2
	near, found := slices.BinarySearch(values, x)
	switch {
	case x > y && near < len(values):
		return float64(start[near]) - middle
	case x < y && found:
		return middle - float64(start[near+1]-1)
	case x < y && near > 0:
		return middle - float64(start[near]-1)
	}
	return math.Inf(1)
}

// count prepares Chance.
func (r *Ranks) count(original []float64) {
	r.present = len(original)
	r.below, r.through = make([]int, len(r.sorted)), make([]int, len(r.sorted))
	lo, hi := 0, 0
	for k, v := range r.sorted {
		for lo < len(original) && original[lo] < v {
			lo++
		}
		for hi < len(original) && original[hi] <= v {
			hi++
		}
		r.below[k], r.through[k] = lo, hi
	}
}

// Share returns the share of the original values that are disclosed by intervals of a width in per cent; 0 without any. Cost: O(n).
func (r *Ranks) Share(width int) float64 {
	n := 0.0
	for _, w := range r.Narrowest {
		if w <= float64(width) {
			n++
		}
	}
	return over(n, float64(r.present))
}

// Chance returns what Share is on average when the original values are exchanged among the records at random. Cost: O(n).
func (r *Ranks) Chance(width int) float64 {
	n := len(r.sorted)
	reach := float64(width) * float64(n) / 200
	held := 0.0
	for first := 0; first < n; {
		next := first + 1
		for next < n && r.sorted[next] == r.sorted[first] {
			next++
		}
		middle := float64(first+next-1) / 2
		lo := min(first, int(math.Ceil(max(0, middle-reach))))
		hi := max(next-1, min(n-1, int(math.Floor(middle+reach))))
		held += float64((next - first) * (r.through[hi] - r.below[lo]))
		first = next
	}
	return over(over(held, float64(r.present)), float64(len(r.Narrowest)))
}

// ascending returns the values that are there in order.
func ascending(values []float64) []float64 {
	out := make([]float64, 0, len(values))
	for _, v := range values {
		if v == v {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

func over(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// Deviations tells of every value of one attribute whether it is disclosed by a released one within k standard deviations (divisor n-1) of the
// released values: 1 when it is, 0 when it is not or the released value is missing, NaN when the original one is missing. Where fewer than two
// released values are there, or all are equal, only equal values disclose. Cost: O(n).
func Deviations(original, released []float64, k float64) []float64 {
	there := slices.DeleteFunc(slices.Clone(released), math.IsNaN)
	reach := 0.0
	if len(there) > 1 {
		reach = k * stat.StdDev(there, nil)
	}
	out := make([]float64, len(original))
	for i, x := range original {
		switch {
		case x != x:
			out[i] = math.NaN()
		case math.Abs(x-released[i]) <= reach:
			out[i] = 1
		}
	}
	return out
}
