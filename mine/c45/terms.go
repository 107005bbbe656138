package c45

import (
	"math"

	"github.com/dither-data/dither/internal/mining/criterion"
)

// unitBits is the resolution of fractional weights: whole multiples of 2^-24, the precision of C4.5's own. Weights
// are held as integers, so their sums are exact and do not depend on their order.
const unitBits = 24

// terms gives x log2 x of weights. In a frame where every case weighs 1 a weight is a number of cases; else it counts
// units of 2^-24.
type terms struct {
	table []int64 // of 0, 1, 2, ... cases
	shift uint
	mask  int64
}

// tabled is up to how many cases terms of a table in a space are tabulated. Those of more are worked out when they are
// asked for.
const tabled = 1 << 17

// newTerms tabulates the terms of up to so many cases.
func newTerms(cases int) (whole, fine *terms) {
	t := criterion.Terms(cases)
	return &terms{table: t}, &terms{table: t, shift: unitBits, mask: 1<<unitBits - 1}
}

// of returns x log2 x as criterion.Term does.
func (t *terms) of(x int64) int64 {
	if k := x >> (t.shift & 63); x&t.mask == 0 && uint64(k) < uint64(len(t.table)) {
		return t.table[k]
	}
	return t.fraction(x)
}

//go:noinline
func (t *terms) fraction(x int64) int64 { return criterion.Term(t.float(x)) }

// spread returns the entropy of counts, times their sum.
func (t *terms) spread(counts []int64, sum int64) int64 {
	s := t.of(sum)
	for _, c := range counts {
		s -= t.of(c)
	}
	return s
}

// float returns a weight in cases.
func (t *terms) float(x int64) float64 { return float64(x) / float64(int64(1)<<t.shift) }

// atLeast returns the smallest weight of at least so many cases.
func (t *terms) atLeast(cases float64) int64 {
	return int64(math.Ceil(cases * float64(int64(1)<<t.shift)))
}

func (t *terms) reaches(x int64, cases float64) bool { return t.float(x) >= cases }

// fine returns weight x in units of 2^-24.
func (t *terms) fine(x int64) int64 { return x << (unitBits - t.shift) }

// floats returns weights in cases.
func (t *terms) floats(x []int64) []float64 {
	f := make([]float64, len(x))
	for i, v := range x {
		f[i] = t.float(v)
	}
	return f
}

// share returns the part of weight w, in units of 2^-24, that goes down a branch with part of the known weight whole,
// rounded to the unit.
func share(w int64, part, whole float64) int64 {
	return int64(math.RoundToEven(float64(w) * (part / whole)))
}
