package moments

import (
	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/portable/vector"
)

// summer takes the sums of one block at a time.
type summer struct {
	cols []column
}

// column is one column of a block: the deviations from its mean, 0 where a value is missing.
type column struct {
	dev  []float64
	has  []float64 // 1 where there is a value, 0 where it is missing; nil when none is missing
	n    float64   // number of values
	mean float64

	room, mask []float64 // what dev and has are cut from
}

func newSummer(p int) *summer {
	s := &summer{cols: make([]column, p)}
	flat := make([]float64, p*Block)
	for k := range s.cols {
		s.cols[k].room = flat[k*Block : (k+1)*Block]
	}
	return s
}

// block returns the moments of the records lo..hi-1.
func (s *summer) block(cols [][]float64, lo, hi int) *Moments {
	p := len(cols)
	m := New(p)
	for k := range cols {
		a := &s.cols[k]
		a.take(cols[k][lo:hi])
		m.N[k*p+k], m.Mean[k*p+k], m.Co[k*p+k] = a.n, a.mean, vector.Dot(a.dev, a.dev)
		for l := range k {
			m.pair(k, l, a, &s.cols[l])
		}
	}
	return m
}

// take reads the values of a block.
func (a *column) take(v []float64) {
	a.dev, a.has = a.room[:len(v)], nil
	first := v[0]
	copy(a.dev, v)
	floats.AddConst(-first, a.dev)
	rest := vector.Sum(a.dev) / float64(len(v))
	if rest != rest {
		a.gaps(v)
		return
	}
	floats.AddConst(-rest, a.dev)
	a.n, a.mean = float64(len(v)), first+rest
}

// gaps reads the values of a block of which some are missing.
func (a *column) gaps(v []float64) {
	if a.mask == nil {
		a.mask = make([]float64, Block)
	}
	a.has = a.mask[:len(v)]
	first, sum := 0.0, 0.0
	a.n, a.mean = 0, 0
	for i, x := range v {
		a.has[i], a.dev[i] = 0, 0
		if x != x {
			continue
		}
		if a.n == 0 {
			first = x
		}
		a.n++
		a.has[i], a.dev[i] = 1, x-first
		sum += x - first
	}
	if a.n == 0 {
		return
	}
	rest := sum / a.n
	for i, h := range a.has {
		a.dev[i] -= float64(rest * h)
	}
	a.mean = first + rest
}

// pair sets the moments of two columns of a block.
func (m *Moments) pair(k, l int, a, b *column) {
	kl, lk := k*m.P+l, l*m.P+k
	n, co := float64(len(a.dev)), vector.Dot(a.dev, b.dev)
	sa, sb := 0.0, 0.0 // sums of the deviations over the records that have both
	switch {
	case a.has == nil && b.has == nil:
	case a.has == nil:
		n, sa = b.n, vector.Dot(a.dev, b.has)
	case b.has == nil:
		n, sb = a.n, vector.Dot(b.dev, a.has)
	default:
		n, sa, sb = vector.Dot(a.has, b.has), vector.Dot(a.dev, b.has), vector.Dot(b.dev, a.has)
	}
	if n == 0 {
		return
	}
	co -= sa * sb / n
	m.N[kl], m.N[lk], m.Co[kl], m.Co[lk] = n, n, co, co
	m.Mean[kl], m.Mean[lk] = a.mean+sa/n, b.mean+sb/n
}
