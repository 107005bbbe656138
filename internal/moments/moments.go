// Package moments accumulates means and covariances of numeric columns in blocks that merge.
//
// Moments of two sets of records merge into those of their union (Chan, Golub & LeVeque 1979), so the same code serves chunks, cores and the
// shards of a cluster. Blocks have a fixed size and merge in their order: the result does not depend on the number of cores.
//
// Missing values (NaN) are taken pairwise: the mean and variance of a column are over the values it has, the covariance of two
// columns over the records that have both. Without missing values this is the ordinary covariance matrix; with them it need not be positive
// semi-definite (package mvnorm repairs it).
package moments

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Block is the number of records whose sums are taken together.
const Block = 4096

// Moments are sums over records of p columns. All slices are p x p, row by row. The zero value of New(p) holds no record.
type Moments struct {
	P int `json:"p"`
	// N is the number of records that have both columns; Mean[k*P+l] the mean of column k over these; Co the sum of the products of
	// the deviations from those means.
	N    []float64 `json:"n"`
	Mean []float64 `json:"mean"`
	Co   []float64 `json:"co"`
}

// New returns the moments of no records of p columns.
func New(p int) *Moments {
	return &Moments{P: p, N: make([]float64, p*p), Mean: make([]float64, p*p), Co: make([]float64, p*p)}
}

// Of returns the moments of columns of equal length. Cost: O(n p^2), on all cores.
func Of(ctx context.Context, cols [][]float64) (*Moments, error) {
	m := New(len(cols))
	if len(cols) == 0 {
		return m, ctx.Err()
	}
	n := len(cols[0])
	workers := runtime.GOMAXPROCS(0)
	wave := 4 * workers
	parts := make([]*Moments, wave)
	for first := 0; first < n; first += wave * Block {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		blocks := min(wave, (n-first+Block-1)/Block)
		var next atomic.Int64
		var wg sync.WaitGroup
		for range min(blocks, workers) {
			wg.Go(func() {
				scratch := make([]float64, len(cols)*Block)
				for b := int(next.Add(1)) - 1; b < blocks; b = int(next.Add(1)) - 1 {
					lo := first + b*Block
					parts[b] = block(cols, lo, min(lo+Block, n), scratch)
				}
			})
		}
		wg.Wait()
		for _, p := range parts[:blocks] {
			m.Merge(p)
		}
	}
	return m, nil
}

// block returns the moments of the records lo..hi-1.
func block(cols [][]float64, lo, hi int, scratch []float64) *Moments {
	p := len(cols)
	m := New(p)
	centred := make([][]float64, p)
	whole := make([]bool, p)
	for k, col := range cols {
		s := scratch[k*Block : k*Block+hi-lo]
		mean := floats.Sum(col[lo:hi]) / float64(hi-lo)
		whole[k] = mean == mean
		for i, v := range col[lo:hi] {
			s[i] = v - mean
		}
		centred[k] = s
		m.Mean[k*p+k] = mean
	}
	for k := range p {
		for l := range k + 1 {
			if !whole[k] || !whole[l] {
				m.pair(k, l, cols[k][lo:hi], cols[l][lo:hi])
				continue
			}
			co := floats.Dot(centred[k], centred[l])
			m.Co[k*p+l], m.Co[l*p+k] = co, co
			m.N[k*p+l], m.N[l*p+k] = float64(hi-lo), float64(hi-lo)
			m.Mean[k*p+l], m.Mean[l*p+k] = m.Mean[k*p+k], m.Mean[l*p+l]
		}
	}
	return m
}

// pair sets the moments of two columns of which one has missing values.
func (m *Moments) pair(k, l int, x, y []float64) {
	n, sx, sy := 0.0, 0.0, 0.0
	for i, v := range x {
		if w := y[i]; v == v && w == w {
			n++
			sx += v
			sy += w
		}
	}
	kl, lk := k*m.P+l, l*m.P+k
	m.N[kl], m.N[lk] = n, n
	m.Mean[kl], m.Mean[lk] = 0, 0
	if n == 0 {
		return
	}
	sx /= n
	sy /= n
	co := 0.0
	for i, v := range x {
		if w := y[i]; v == v && w == w {
			co += (v - sx) * (w - sy)
		}
	}
	m.Mean[kl], m.Mean[lk] = sx, sy
	m.Co[kl], m.Co[lk] = co, co
}

// Merge adds the records of another set of moments of the same columns.
func (m *Moments) Merge(o *Moments) {
	p := m.P
	for k := range p {
		for l := range k + 1 {
			kl, lk := k*p+l, l*p+k
			n := m.N[kl] + o.N[kl]
			if o.N[kl] == 0 {
				continue
			}
			dk, dl := o.Mean[kl]-m.Mean[kl], o.Mean[lk]-m.Mean[lk]
			co := m.Co[kl] + o.Co[kl] + dk*dl*m.N[kl]/n*o.N[kl]
			m.Co[kl], m.Co[lk] = co, co
			m.Mean[kl] += dk * o.N[kl] / n
			if l != k {
				m.Mean[lk] += dl * o.N[kl] / n
			}
			m.N[kl], m.N[lk] = n, n
		}
	}
}

// Means returns the mean of every column over the values it has; NaN where it has none.
func (m *Moments) Means() []float64 {
	out := make([]float64, m.P)
	for k := range out {
		out[k] = m.Mean[k*m.P+k]
		if m.N[k*m.P+k] == 0 {
			out[k] = math.NaN()
		}
	}
	return out
}

// Cov returns the covariance matrix with divisor n-1, pairwise where values are missing; 0 where fewer than two records have both
// columns. It is nil for no columns.
func (m *Moments) Cov() *mat.SymDense {
	if m.P == 0 {
		return nil
	}
	c := mat.NewSymDense(m.P, nil)
	for k := range m.P {
		for l := range k + 1 {
			if n := m.N[k*m.P+l]; n > 1 {
				c.SetSym(k, l, m.Co[k*m.P+l]/(n-1))
			}
		}
	}
	return c
}

// Complete reports whether no value was missing.
func (m *Moments) Complete() bool {
	for _, n := range m.N {
		if n != m.N[0] {
			return false
		}
	}
	return true
}
