package relation

import (
	"math/bits"
	"slices"
)

// prime is 2^61 - 1.
const prime = 1<<61 - 1

func residue(v int64) uint64 {
	if v %= prime; v < 0 {
		v += prime
	}
	return uint64(v)
}

func times61(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	s := lo&prime + (lo>>61 | hi<<3)
	if s >= prime {
		s -= prime
	}
	return s
}

// inverse returns what a number that is not 0 has to be multiplied with to be 1 (Fermat).
func inverse(a uint64) uint64 {
	r := uint64(1)
	for e := uint64(prime - 2); e > 0; e >>= 1 {
		if e&1 == 1 {
			r = times61(r, a)
		}
		a = times61(a, a)
	}
	return r
}

// subtract takes a multiple of a vector from another.
func subtract(v, w []uint64, times uint64) {
	for k, x := range w {
		if x != 0 {
			s := v[k] + prime - times61(x, times)
			if s >= prime {
				s -= prime
			}
			v[k] = s
		}
	}
}

// echelon is the rows of a matrix that are linearly independent, by ascending pivots: each row is 0 before its own,
// and 1 there.
type echelon struct {
	width  int
	rows   [][]uint64
	pivots []int
}

// add takes in a row, which it reduces, and reports whether it is independent of those before.
func (e *echelon) add(row []uint64) bool {
	for k, p := range e.pivots {
		if row[p] != 0 {
			subtract(row[p:], e.rows[k][p:], row[p])
		}
	}
	p := slices.IndexFunc(row, func(x uint64) bool { return x != 0 })
	if p < 0 {
		return false
	}
	row = slices.Clone(row)
	for k, by := p, inverse(row[p]); k < len(row); k++ {
		row[k] = times61(row[k], by)
	}
	at, _ := slices.BinarySearch(e.pivots, p)
	e.pivots = slices.Insert(e.pivots, at, p)
	e.rows = slices.Insert(e.rows, at, row)
	return true
}

// null returns a basis of the vectors that are orthogonal to all rows. It reduces the rows.
func (e *echelon) null() (out [][]uint64) {
	for k := len(e.rows) - 1; k >= 0; k-- {
		for above := range k {
			if x := e.rows[above][e.pivots[k]]; x != 0 {
				subtract(e.rows[above], e.rows[k], x)
			}
		}
	}
	for free := range e.width {
		if _, pivot := slices.BinarySearch(e.pivots, free); pivot {
			continue
		}
		v := make([]uint64, e.width)
		v[free] = 1
		for k, p := range e.pivots {
			if x := e.rows[k][free]; x != 0 {
				v[p] = prime - x
			}
		}
		out = append(out, v)
	}
	return out
}
