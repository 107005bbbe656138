// Package moments accumulates means and covariances of numeric columns in blocks that merge.
//
// Moments of two sets of records merge into those of their union (Chan, Golub & LeVeque 1979), so the same code serves
// chunks, cores and the shards of a cluster. Blocks have a fixed size and merge in their order: the result does not
// depend on the number of cores.
//
// Missing values (NaN) are taken pairwise: the mean and variance of a column are over the values it has, the covariance
// of two columns over the records that have both. Without missing values this is the ordinary covariance matrix; with
// them it need not be positive semi-definite (mvnorm.Repair makes it so).
//
// Values are taken as differences from the first of their block, so a column far from zero loses no digits, and one
// whose values are all equal has exactly that mean and the variance 0.
package moments

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"
)

// Block is the number of records whose sums are taken together: few enough that the pairs of columns meet in cache.
const Block = 1024

// Moments are sums over records of p columns. All slices are p x p, row by row. The zero value of New(p) holds no
// record.
type Moments struct {
	P int `json:"p"`
	// N is the number of records that have both columns; Mean[k*P+l] the mean of column k over these; Co the sum of the
	// products of the deviations from those means.
	N    []float64 `json:"n"`
	Mean []float64 `json:"mean"`
	Co   []float64 `json:"co"`
}

// New returns the moments of no records of p columns.
func New(p int) *Moments {
	return &Moments{P: p, N: make([]float64, p*p), Mean: make([]float64, p*p), Co: make([]float64, p*p)}
}

// Of returns the moments of columns of equal length. Cost: O(n p^2), on all cores; four times as much for pairs with
// missing values.
func Of(ctx context.Context, cols [][]float64) (*Moments, error) {
	m := New(len(cols))
	if len(cols) == 0 {
		return m, ctx.Err()
	}
	n := len(cols[0])
	workers := max(1, min(runtime.GOMAXPROCS(0), (n+Block-1)/Block))
	wave := 16 * workers // blocks whose moments are held before they merge
	summers := make([]*summer, workers)
	for w := range summers {
		summers[w] = newSummer(len(cols))
	}
	parts := make([]*Moments, wave)
	for first := 0; first < n; first += wave * Block {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		blocks := min(wave, (n-first+Block-1)/Block)
		var next atomic.Int64
		var wg sync.WaitGroup
		for _, s := range summers {
			wg.Go(func() {
				for b := int(next.Add(1)) - 1; b < blocks; b = int(next.Add(1)) - 1 {
					lo := first + b*Block
					parts[b] = s.block(cols, lo, min(lo+Block, n))
				}
			})
		}
		wg.Wait()
		for _, p := range parts[:blocks] {
			m.Merge(p)
		}
	}
	return m, ctx.Err()
}

// Merge adds the records of another set of moments of the same columns.
func (m *Moments) Merge(o *Moments) {
	p := m.P
	for k := range p {
		for l := range k + 1 {
			kl, lk := k*p+l, l*p+k
			if o.N[kl] == 0 {
				continue
			}
			n := m.N[kl] + o.N[kl]
			share := o.N[kl] / n // exactly 1 for the first records, so that equal means stay equal
			dk, dl := o.Mean[kl]-m.Mean[kl], o.Mean[lk]-m.Mean[lk]
			co := m.Co[kl] + o.Co[kl] + float64(dk*dl*m.N[kl]*share)
			m.Co[kl], m.Co[lk] = co, co
			m.Mean[kl] += float64(dk * share)
			if l != k {
				m.Mean[lk] += float64(dl * share)
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

// Cov returns the covariance matrix with divisor n-1, pairwise where values are missing; 0 where fewer than two records
// have both columns. It is nil for no columns.
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

// Complete reports whether all moments are over the same records, as they are when no value is missing. Then the
// covariance matrix is positive semi-definite.
func (m *Moments) Complete() bool {
	for _, n := range m.N {
		if n != m.N[0] {
			return false
		}
	}
	return true
}
