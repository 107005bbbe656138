// Package rank turns numbers into ranks and back: sorted order, mid-ranks, normal scores, rank correlations and the
// normal copula, empirical distributions and their inverses.
//
// Missing values (NaN) have no rank. Every result but the order of equal values is exact in this sense: to the last bit
// it depends on the values alone, not on the order of the records nor on the number of cores.
package rank

import (
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
)

// Ranks are the ranks of the values of one column of n records, of which some may be missing. There may be up to 2^30
// records.
type Ranks struct {
	Order  []int32   // positions of the known values, ascending by value
	Sorted []float64 // the known values, ascending
	twice  []int32   // by position: twice the mid-rank, a whole number; 0 where missing
	known  []uint64  // a bit by position: whether the value is known; nil where all are

	room *mmap.Space // of all that is as long as the column
}

// Of ranks the values of a column. Cost: that of Order and some 15 ns a value.
func Of(v []float64) *Ranks { return In(nil, v) }

// In is Of with what is as long as the column in a space, until Free.
func In(s *mmap.Space, v []float64) *Ranks {
	order, known := orderIn(s, v)
	r := &Ranks{Order: order[:known], Sorted: mmap.Make[float64](s, known), twice: mmap.Make[int32](s, len(v)), room: s}
	for k, i := range r.Order {
		r.Sorted[k] = v[i] + 0 // minus zero is zero: which of the two comes first must not depend on the order of the records
	}
	r.runs(func(a, b int) {
		for _, i := range r.Order[a:b] {
			r.twice[i] = int32(a + 1 + b) // the ranks a+1 to b of equal values have the mean (a+1+b)/2
		}
	})
	if known < len(v) {
		r.known = mmap.Make[uint64](s, len(v)/64+1)
		for _, i := range r.Order {
			r.known[i>>6] |= 1 << (i & 63)
		}
	}
	return r
}

// Free gives the room of the ranks back, which must not be used any more.
func (r *Ranks) Free() {
	mmap.Release(r.room, r.Order, r.twice)
	mmap.Free(r.room, r.Sorted)
	mmap.Free(r.room, r.known)
}

// OfAll ranks columns, on all cores.
func OfAll(cols [][]float64) []*Ranks { return AllIn(nil, cols) }

// AllIn is OfAll with what is as long as the columns in a space, until Free of each.
func AllIn(s *mmap.Space, cols [][]float64) []*Ranks {
	out := make([]*Ranks, len(cols))
	parallel.Do(len(cols), func(k int) { out[k] = In(s, cols[k]) })
	return out
}

// runs calls do for every run a..b-1 of equal values in the order.
func (r *Ranks) runs(do func(a, b int)) {
	for a := 0; a < len(r.Sorted); {
		b := a + 1
		for b < len(r.Sorted) && r.Sorted[b] == r.Sorted[a] {
			b++
		}
		do(a, b)
		a = b
	}
}

// Mid returns the mid-rank of every record, from 1, the mean of their ranks for equal values; NaN where missing.
func (r *Ranks) Mid() []float64 {
	return r.fill(func(a, b int) float64 { return float64(a+1+b) / 2 })
}

// NormalScores returns for every record Phi^-1((rank - 0.5) / known) of its mid-rank; NaN where missing (Sarathy,
// Muralidhar & Parsa 2002).
func (r *Ranks) NormalScores() []float64 {
	n := 2 * float64(len(r.Order))
	return r.fill(func(a, b int) float64 { return portable.Quantile(float64(a+b) / n) })
}

// fill returns by position what value makes of the run that the record's value is in; NaN where missing. It is in the
// room of the ranks.
func (r *Ranks) fill(value func(a, b int) float64) []float64 {
	out := mmap.Make[float64](r.room, len(r.twice))
	if len(r.Order) < len(out) {
		for i, d := range r.twice {
			if d == 0 {
				out[i] = missing
			}
		}
	}
	r.runs(func(a, b int) {
		v := value(a, b)
		for _, i := range r.Order[a:b] {
			out[i] = v
		}
	})
	return out
}
