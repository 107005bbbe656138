package moments

import (
	"math"

	"github.com/dither-data/dither/internal/portable/exact"
)

// depth is the number of bits of a place on a grid, so that 2^32 products fit into 128 bits.
const depth = 48

// exponent returns that of a step: a power of two of which at most 2^depth reach from one end to the other.
func (r Range) exponent() int {
	_, e := math.Frexp(r.Hi/2 - r.Lo/2) // the halves do not overflow
	return max(e+1-depth, -1000)        // nor do the steps in a half of the smallest number
}

func (r Range) infinite() bool { return math.IsInf(r.Lo, 0) || math.IsInf(r.Hi, 0) }

// summer takes the sums of one block at a time.
type summer struct {
	*Moments
	cols []column
}

// column is one column of a block.
type column struct {
	at  []uint64 // places on the grid, 0 where a value is missing
	has []uint64 // all bits where there is a value, 0 where it is missing; nil when none is missing
	n   uint64   // number of values
	sum uint64   // of the places

	room, mask []uint64 // what at and has are cut from
}

// newSummer makes a summer of blocks of at most size records.
func newSummer(ranges []Range, size int) *summer {
	s := &summer{Moments: New(ranges), cols: make([]column, len(ranges))}
	flat := make([]uint64, len(ranges)*size)
	for k := range s.cols {
		s.cols[k].room = flat[k*size : (k+1)*size]
	}
	return s
}

// block adds the records lo..hi-1.
func (s *summer) block(cols [][]float64, lo, hi int) {
	for k := range cols {
		a := &s.cols[k]
		a.take(cols[k][lo:hi], s.Ranges[k])
		for l := range k + 1 {
			s.pair(k, l, a, &s.cols[l])
		}
	}
}

// take reads the values of a block.
func (a *column) take(v []float64, r Range) {
	scale, least := math.Ldexp(1, 1-r.exponent()), r.Lo/2
	a.at, a.has, a.n, a.sum = a.room[:len(v)], nil, uint64(len(v)), 0
	for i, x := range v {
		switch {
		case x != x:
			a.gap(i, len(v))
			continue
		case x < r.Lo:
			x = r.Lo
		case x > r.Hi:
			x = r.Hi
		}
		at := uint64(int64(float64((x/2-least)*scale) + 0.5))
		a.at[i] = at
		a.sum += at
	}
}

// gap notes that value i of n is missing.
func (a *column) gap(i, n int) {
	if a.mask == nil {
		a.mask = make([]uint64, len(a.room))
	}
	if a.has == nil {
		a.has = a.mask[:n]
		for k := range a.has {
			a.has[k] = math.MaxUint64
		}
	}
	a.at[i], a.has[i] = 0, 0
	a.n--
}

// pair adds the sums of two columns of a block.
func (m *Moments) pair(k, l int, a, b *column) {
	n, sa, sb := a.n, a.sum, b.sum // over the records that have both
	switch {
	case k == l || a.has == nil && b.has == nil:
	case a.has == nil:
		n, sa = b.n, where(a.at, b.has)
	case b.has == nil:
		n, sb = a.n, where(b.at, a.has)
	default:
		n, sa, sb = common(a.has, b.has), where(a.at, b.has), where(b.at, a.has)
	}
	kl, lk := k*m.P+l, l*m.P+k
	m.Records[kl] += n
	m.Sums[kl] = m.Sums[kl].Plus(exact.Whole{0, sa})
	m.Products[kl] = m.Products[kl].Plus(exact.Dot(a.at, b.at))
	if k != l {
		m.Sums[lk] = m.Sums[lk].Plus(exact.Whole{0, sb})
		m.Records[lk], m.Products[lk] = m.Records[kl], m.Products[kl]
	}
}

// where returns the sum of the places of the records that have another column, too.
func where(at, has []uint64) (sum uint64) {
	for i, v := range at {
		sum += v & has[i]
	}
	return sum
}

func common(a, b []uint64) (n uint64) {
	for i, h := range a {
		n += h & b[i] & 1
	}
	return n
}
