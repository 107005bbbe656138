// Package proximity says how near a released number lies to the original one of the same record: what measures of
// interval disclosure share (Domingo-Ferrer & Torra 2001). An intruder who knows a released value takes the original
// one to be near it; where it is, the value is disclosed.
package proximity

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/table"
)

// Changed reports whether a release gives any record another value in a column, missing or not. The columns have one
// kind and length.
func Changed(original, released table.Column) bool { return !original.Equal(&released) }

// Ranks tells by what intervals of ranks the released values of one attribute disclose the original ones. An interval
// of width w per cent, centred on the rank of a released value, reaches over w/200 of the released values on either
// side; its limits are released values. Equal released values share their middle rank.
type Ranks struct {
	// Narrowest is, by record, the narrowest whole width in per cent that discloses the original value, 1 or more: +Inf
	// when the released value is missing or the original one lies beyond all released values, NaN when the original one is
	// missing.
	Narrowest []float64

	start   []int // of every distinct released value among all in ascending order, and their number
	below   []int // by distinct released value: original values that are smaller, and
	through []int // that are not larger
	present int   // original values that are there
}

// RankColumn compares a released column with the original one, record by record. NaN is missing. Cost: O(n) for few
// distinct values, else O(n log n).
func RankColumn(original, released []float64) *Ranks {
	own, truths := rank.Dense(original)
	other, values := rank.Dense(released)
	r := &Ranks{Narrowest: make([]float64, len(original)), start: rank.Starts(other, len(values))}
	near, equal := make([]int, len(truths)), make([]bool, len(truths)) // the first released value that is not smaller
	for k, x := range truths {
		near[k], equal[k] = slices.BinarySearch(values, x)
	}
	n := float64(r.start[len(values)])
	for i, k := range own {
		switch at := other[i]; {
		case k < 0:
			r.Narrowest[i] = math.NaN()
		case at < 0:
			r.Narrowest[i] = math.Inf(1)
		default:
			r.Narrowest[i] = max(1, math.Ceil(200*r.distance(near[k], equal[k], int(at))/n))
		}
	}
	r.count(rank.Starts(own, len(truths)), near, equal)
	return r
}

// distance returns the fewest ranks that an interval must reach on either side of a distinct released value to hold an
// original one: near is the first released value that is not smaller than that.
func (r *Ranks) distance(near int, equal bool, at int) float64 {
	middle := float64(r.start[at]+r.start[at+1]-1) / 2
	switch above := near > at; {
	case equal && near == at:
		return 0
	case above && near < len(r.start)-1:
		return float64(r.start[near]) - middle
	case above: // beyond all
	case equal:
		return middle - float64(r.start[near+1]-1)
	case near > 0:
		return middle - float64(r.start[near]-1)
	}
	return math.Inf(1)
}

// count prepares Chance, of where every distinct original value begins among all, and the first released value that is
// not smaller.
func (r *Ranks) count(start, near []int, equal []bool) {
	values := len(r.start) - 1
	r.present = start[len(near)]
	r.below, r.through = make([]int, values), make([]int, values)
	for at, k := 0, 0; at < values; at++ {
		for k < len(near) && (near[k] < at || near[k] == at && !equal[k]) {
			k++
		}
		if r.below[at], r.through[at] = start[k], start[k]; k < len(near) && near[k] == at {
			r.through[at] = start[k+1]
		}
	}
}

// Share returns the share of the original values that are disclosed by intervals of a width in per cent; 0 without any.
// Cost: O(n).
func (r *Ranks) Share(width int) float64 {
	n := 0.0
	for _, w := range r.Narrowest {
		if w <= float64(width) {
			n++
		}
	}
	return over(n, float64(r.present))
}

// Chance returns what Share is on average when the original values are exchanged among the records at random. Cost:
// O(n).
func (r *Ranks) Chance(width int) float64 {
	values := len(r.start) - 1
	n := r.start[values]
	reach := float64(width) * float64(n) / 200
	held := 0.0
	first, last := 0, 0 // distinct values at the ends of the interval
	for at := range values {
		middle := float64(r.start[at]+r.start[at+1]-1) / 2
		lo := min(r.start[at], int(math.Ceil(max(0, middle-reach))))
		hi := max(r.start[at+1]-1, min(n-1, int(math.Floor(middle+reach))))
		for r.start[first+1] <= lo {
			first++
		}
		for r.start[last+1] <= hi {
			last++
		}
		held += float64((r.start[at+1] - r.start[at]) * (r.through[last] - r.below[first]))
	}
	return over(over(held, float64(r.present)), float64(len(r.Narrowest)))
}

func over(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// Deviations tells of every value of one attribute whether it is disclosed by a released one within k standard
// deviations (divisor n-1) of the released values: 1 when it is, 0 when it is not or the released value is missing, NaN
// when the original one is missing. Where fewer than two released values are there, or all are equal, only equal values
// disclose. Cost: O(n).
func Deviations(original, released []float64, k float64) []float64 {
	there := slices.DeleteFunc(slices.Clone(released), math.IsNaN)
	reach := 0.0
	if len(there) > 1 {
		reach = float64(k * vector.StdDev(there))
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
