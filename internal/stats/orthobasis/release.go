package orthobasis

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/internal/system/mmap"
)

// Span is the positions Lo..Hi-1.
type Span struct{ Lo, Hi int }

// Len returns the number of positions.
func (s Span) Len() int { return s.Hi - s.Lo }

// Design is what a release with exact moments is made of: k confidential columns X, non-confidential columns S, and as
// many columns V of independent standard normals as there are of X, all of complete records.
type Design struct {
	*Basis        // of S, X, V in this order
	S, X, V  Span // their positions
	s, xs, v [][]float64
}

// NewDesign factorises the columns: u holds those of X, the first k, and of S, and z those of V, which may be none.
func NewDesign(ctx context.Context, u, z [][]float64, k int) (*Design, error) {
	q := len(u) - k
	d := &Design{S: Span{0, q}, X: Span{q, q + k}, V: Span{q + k, q + k + len(z)}, s: u[k:], xs: u[:k], v: z}
	var err error
	d.Basis, err = Of(ctx, join(d.s, d.xs, d.v))
	return d, err
}

// Apart returns the design of the same columns with V before X, so that V is orthogonal to S only.
func (d *Design) Apart() (*Design, error) {
	q, k := d.S.Len(), d.X.Len()
	o := &Design{S: d.S, V: Span{q, q + len(d.v)}, X: Span{q + len(d.v), q + len(d.v) + k}, s: d.s, xs: d.xs, v: d.v}
	var err error
	o.Basis, err = Of(context.Background(), join(o.s, o.v, o.xs))
	return o, err
}

func join(groups ...[][]float64) [][]float64 {
	var out [][]float64
	for _, g := range groups {
		out = append(out, g...)
	}
	return out
}

// Free returns the number of dimensions that constants and S leave: residuals of X on S, and noise that is to keep the
// moments, lie there.
func (d *Design) Free() int { return max(0, d.N-1-d.Rank(d.S.Lo, d.S.Hi)) }

// Residuals returns the rank of the residuals of X on S.
func (d *Design) Residuals() int { return d.Rank(d.X.Lo, d.X.Hi) }

// Turned reports whether there is room to turn the residuals at all: a space of more dimensions than they take. Without
// it the residuals of the release would be those of the original, or their mirror image.
func (d *Design) Turned() bool { return d.Free() > d.Residuals() }

// Singled returns how many records have a leverage of the regression on S of at least so much, up to 1: that share of
// their residual is fixed by the others', whatever is released, as in the only record of a category. Cost: that of Map.
func (d *Design) Singled(ctx context.Context, leverage float64) (int, error) {
	var records atomic.Int64
	count := func(q [][]float64, lo, hi int) {
		h := make([]float64, hi-lo)
		floats.AddConst(1/float64(d.N), h)
		for _, c := range q[d.S.Lo:d.S.Hi] {
			for i, v := range c {
				h[i] += float64(v * v)
			}
		}
		records.Add(int64(floats.Count(func(v float64) bool { return v >= leverage }, h)))
	}
	err := d.each(ctx, func() func(q [][]float64, lo, hi int) { return count })
	return int(records.Load()), err
}

// Roots returns the rows of R of the kept columns of X, at the columns of X: a matrix T with T'T = E'E, E the residuals
// of X on S; and the positions of these rows.
func (d *Design) Roots() (t *mat.Dense, rows []int) {
	rows = d.kept(d.X)
	if len(rows) == 0 {
		return nil, nil
	}
	t = mat.NewDense(len(rows), d.X.Len(), nil)
	for r, i := range rows {
		copy(t.RawRowView(r), d.R.RawRowView(i)[d.X.Lo:d.X.Hi])
	}
	return t, rows
}

// Noise returns the positions of the kept columns of V.
func (d *Design) Noise() []int { return d.kept(d.V) }

func (d *Design) kept(s Span) []int {
	var out []int
	for j := s.Lo; j < s.Hi; j++ {
		if d.Kept[j] {
			out = append(out, j)
		}
	}
	return out
}

// Fitted returns a matrix whose rows are those of the basis and whose columns are those of X: what S explains of X, and
// zeros otherwise.
func (d *Design) Fitted() *mat.Dense {
	t := mat.NewDense(len(d.Kept), d.X.Len(), nil)
	for i := d.S.Lo; i < d.S.Hi; i++ {
		copy(t.RawRowView(i), d.R.RawRowView(i)[d.X.Lo:d.X.Hi])
	}
	return t
}

// Means returns the means of X.
func (d *Design) Means() []float64 { return d.Mean[d.X.Lo:d.X.Hi] }

// at returns the position of column a of X and S, in this order.
func (d *Design) at(a int) int {
	if k := d.X.Len(); a >= k {
		return d.S.Lo + a - k
	}
	return d.X.Lo + a
}

// tiny is the smallest variance whose products with roundings are numbers of full precision.
const tiny = 1e-290

// unfit returns a column of X and S, in this order, whose variance is too large or, of one that varies, too small a
// number, or -1.
func (d *Design) unfit() int {
	for a := range d.X.Len() + d.S.Len() {
		j := d.at(a)
		if v := d.Cov(j, j); v-v != 0 || v < tiny && linalg.Norm(d.R.ColView(j)) > 0 {
			return a
		}
	}
	return -1
}

// moments returns the means and covariances of X and S, in this order.
func (d *Design) moments() (mean []float64, cov *mat.SymDense) {
	mean = slices.Concat(d.Mean[d.X.Lo:d.X.Hi], d.Mean[d.S.Lo:d.S.Hi])
	cov = mat.NewSymDense(len(mean), nil)
	for a := range mean {
		for b := range a + 1 {
			cov.SetSym(a, b, d.Cov(d.at(a), d.at(b)))
		}
	}
	return mean, cov
}

// Release is how the columns of X are released: means plus the product of the basis of a design with T, and incomplete
// records with the dial.
type Release struct {
	Design *Design
	T      *mat.Dense // rows: the columns of the basis; columns: those of X
	Dial   []float64
}

// Turn makes the release of complete records, given the dial of every column of X. Nil stands for the means: there are
// too few records for anything else.
type Turn func(d *Design, dial []float64) (*Release, error)

// What cannot be released together with its moments.
var (
	errInfinite = errors.New("a column holds an infinite value; expected finite numbers")
	errLarge    = errors.New("a column has values too large, or too close to each other, for a variance")
)

// Replace writes to y, one column per entry of dial, what is released in place of the first columns of u, given the
// other ones, from as many columns z of independent standard normals. The moments of the release are those of the
// complete records; a record that is incomplete is drawn from the conditional law of GADP with these moments
// (Muralidhar, Parsa & Sarathy 1999). Missing values (NaN) stay; a column without values has no part in it. A column of
// y may be one of z. What it needs for each record is in a space, nil for the heap. Cost: O(n p^2).
func Replace(in *mmap.Space, y, u, z [][]float64, dial []float64, turn Turn) error {
	at, k := present(u, len(dial))
	for j := range dial {
		if !slices.Contains(at[:k], j) {
			copy(y[j], u[j])
		}
	}
	if k == 0 {
		return nil
	}
	return replace(in, pick(y, at[:k]), pick(u, at), pick(z, at[:k]), pick(dial, at[:k]), turn)
}

// replace is Replace for columns that have values.
func replace(in *mmap.Space, y, u, z [][]float64, dial []float64, turn Turn) error {
	whole, gaps, infinite := complete(in, u)
	if infinite >= 0 {
		return errInfinite
	}
	defer mmap.Release(in, whole, gaps)
	yc, uc, zc := y, u, z
	if len(gaps) > 0 {
		yc, uc, zc = mmap.Columns(in, len(y), len(whole)), gather(in, u, whole), gather(in, z, whole)
		defer mmap.Release(in, slices.Concat(yc, uc, zc)...)
	}
	ctx := context.Background()
	d, err := NewDesign(ctx, uc, zc, len(y))
	if err != nil {
		return err
	}
	if d.unfit() >= 0 {
		return errLarge
	}
	r, err := turn(d, dial)
	if err != nil {
		return err
	}
	if r == nil {
		means(y, u)
		return nil
	}
	if err := r.Design.Map(ctx, yc, r.Design.Means(), r.T); err != nil || len(gaps) == 0 {
		return err
	}
	scatter(y, yc, whole)
	return d.draw(in, r.Dial, y, gather(in, u, gaps), gather(in, z, gaps), gaps)
}

// draw writes the rows with missing values, of which u and z are given back. What is constant among the complete
// records is so among these.
func (d *Design) draw(in *mmap.Space, dial []float64, y, u, z [][]float64, rows []int) error {
	mean, cov := d.moments()
	law, err := mvnorm.NewLaw(mean, cov, dial)
	if err != nil {
		return err
	}
	drawn := mmap.Columns(in, len(y), len(rows))
	defer mmap.Release(in, slices.Concat(drawn, u, z)...)
	if err := law.Draw(drawn, u, z); err != nil {
		return err
	}
	for j, c := range drawn {
		for i, v := range u[j] {
			switch {
			case v != v:
				c[i] = v
			case cov.At(j, j) == 0:
				c[i] = mean[j]
			}
		}
	}
	scatter(y, drawn, rows)
	return nil
}
