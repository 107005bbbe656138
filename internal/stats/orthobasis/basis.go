// Package orthobasis decomposes tall numeric columns into orthonormal ones, and builds releases from them with exactly
// the means and covariances of the original, for EGADP (Muralidhar & Sarathy 2005) and of random orthogonal matrix
// masking (Ting, Fienberg & Trottini 2008).
//
// The columns are never copied whole: they pass in blocks of records through small triangular matrices, so the memory
// is that of the columns. Sums are exact, so the result depends neither on the order of the records nor on the number
// of cores.
package orthobasis

import (
	"context"
	"math"
	"runtime"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/internal/portable/vector"
)

// Basis is the thin QR factorisation of p centred columns of n values: column j is Mean[j] + sum over i of R[i][j] q_i,
// with q_i orthonormal, of mean 0, and R upper triangular with a positive diagonal. So q_j is what column j adds to the
// columns before it. A column that adds nothing but rounding (1e-13 of its norm) has q_j = 0 and a row of zeros in R,
// and Kept[j] is false.
type Basis struct {
	N    int
	Mean []float64
	R    *mat.Dense
	Kept []bool

	cols  [][]float64
	steps []step
	size  []float64 // squared norm of column j as it was, in the units of q_j
}

// passes bounds the rounds of orthogonalisation. Two do for all but nearly collinear columns.
const passes = 8

// Of factorises columns of one length, all values finite; they are shared and must not change. It is Cholesky QR,
// repeated until the columns are orthonormal to rounding (Yamamoto et al. 2015): R comes from the Gram matrix, the next
// round works on what the last made of the columns. The only error is that of the context. Cost: O(n p^2), on all
// cores.
func Of(ctx context.Context, cols [][]float64) (*Basis, error) {
	p := len(cols)
	b := &Basis{Mean: make([]float64, p), R: mat.NewDense(max(p, 1), max(p, 1), nil), Kept: make([]bool, p), cols: cols}
	if p == 0 {
		return b, ctx.Err()
	}
	b.N = len(cols[0])
	for j := range p {
		b.R.Set(j, j, 1)
		b.Kept[j] = true
	}
	b.push(b.standardise())
	for pass := range passes {
		g, shift, err := b.gram(ctx)
		if err != nil {
			return nil, err
		}
		if pass == 0 {
			b.size = make([]float64, p)
			for j := range p {
				b.size[j] = g[j*p+j]
			}
		}
		s, done := b.factor(g, pass == passes-1)
		s.shift = shift
		b.push(s)
		if done {
			break
		}
	}
	for j, kept := range b.Kept {
		if !kept {
			clear(b.R.RawRowView(j))
		}
	}
	return b, ctx.Err()
}

// push makes a step the last one: column = mean + q R with q of the step before becomes mean + (shift + q r) R.
func (b *Basis) push(s step) {
	p := len(b.Mean)
	for i, d := range s.shift {
		if d != 0 {
			vector.AddScaled(b.Mean, d, b.R.RawRowView(i))
		}
	}
	var r mat.Dense
	linalg.Mul(&r, mat.NewDense(p, p, s.r), b.R)
	b.R = &r
	b.steps = append(b.steps, s)
}

// Rank returns how many of the columns lo..hi-1 add something to those before them.
func (b *Basis) Rank(lo, hi int) int {
	n := 0
	for _, kept := range b.Kept[lo:hi] {
		if kept {
			n++
		}
	}
	return n
}

// Cov returns the covariance, with divisor n-1, of columns i and j; 0 for fewer than two records.
func (b *Basis) Cov(i, j int) float64 {
	sum := 0.0
	for r := range min(i, j) + 1 {
		sum += float64(b.R.At(r, i) * b.R.At(r, j))
	}
	return sum / max(1, float64(b.N-1))
}

// Explained returns the share of the variance of column j that the columns before position lo explain; 1 for a constant
// column.
func (b *Basis) Explained(j, lo int) float64 {
	known, rest := 0.0, 0.0
	for r := range j + 1 {
		if v := b.R.At(r, j); r < lo {
			known += float64(v * v)
		} else {
			rest += float64(v * v)
		}
	}
	if rest == 0 {
		return 1
	}
	return known / (known + rest)
}

// Map writes column j of dst as mean[j] + sum over i of t[i][j] q_i. A column of dst may be one of the basis. Cost: O(n
// p^2).
func (b *Basis) Map(ctx context.Context, dst [][]float64, mean []float64, t *mat.Dense) error {
	write := func(q [][]float64, lo, hi int) {
		for j, m := range mean {
			d := dst[j][lo:hi]
			clear(d)
			for i := range q {
				if f := t.At(i, j); f != 0 {
					vector.AddScaled(d, f, q[i])
				}
			}
			floats.AddConst(m, d)
		}
	}
	return b.each(ctx, func() func(q [][]float64, lo, hi int) { return write })
}

// standardise returns the step that takes means off and brings columns into the range of -4 to 4, by powers of two: no
// sum of squares overflows after it. A constant column becomes zeros.
func (b *Basis) standardise() step {
	p := len(b.cols)
	s := step{shift: make([]float64, p), r: make([]float64, p*p), inv: make([]float64, p)}
	workers := runtime.GOMAXPROCS(0)
	if b.N <= stripe {
		workers = 1
	}
	share(workers, p, func(next func() int) {
		for j := next(); j < p; j = next() {
			s.shift[j], s.inv[j] = location(b.cols[j])
			if s.r[j*p+j] = 1 / s.inv[j]; s.inv[j] == 0 {
				s.r[j*p+j], b.Kept[j] = 1, false
			}
		}
	})
	return s
}

// location returns the mean of a column and one over a power of two near half its range; 0 for a constant column.
func location(col []float64) (mean, inv float64) {
	if len(col) == 0 {
		return 0, 0
	}
	lo, hi := floats.Min(col), floats.Max(col)
	half := hi/2 - lo/2
	if half == 0 {
		return lo, 0
	}
	if mean = vector.Mean(col); math.IsInf(mean, 0) || math.IsNaN(mean) {
		mean = lo + half
	}
	_, e := math.Frexp(half)
	return mean, math.Ldexp(1, max(-1000, min(-e, 1000)))
}
