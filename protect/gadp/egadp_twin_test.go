package gadp

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// egadpColumns turns records into columns; or, given k and n, returns k columns of n zeros.
func egadpColumns(rows [][]float64, shape ...int) [][]float64 {
	if rows != nil {
		shape = []int{len(rows[0]), len(rows)}
	}
	out := make([][]float64, shape[0])
	for j := range out {
		out[j] = make([]float64, shape[1])
		for i, r := range rows {
			out[j][i] = r[j]
		}
	}
	return out
}

func egadpNormals(r *rand.Rand, k, n int) [][]float64 {
	out := egadpColumns(nil, k, n)
	for _, c := range out {
		for i := range c {
			c[i] = r.NormFloat64()
		}
	}
	return out
}

// egadpCorrelated returns columns that share a part, on scales from 0.01 to 100 and around ten times their scale.
func egadpCorrelated(r *rand.Rand, p, n int) [][]float64 {
	out, shared := egadpNormals(r, p, n), egadpNormals(r, 1, n)[0]
	for _, c := range out {
		scale := math.Pow(10, 4*r.Float64()-2)
		for i := range c {
			c[i] = scale * (c[i] + shared[i] + 10)
		}
	}
	return out
}

// fataler is a test or a rapid check.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

func released(t fataler, x, s, z [][]float64, a float64) [][]float64 {
	t.Helper()
	y, dial := egadpColumns(nil, len(x), len(x[0])), make([]float64, len(x))
	for j := range dial {
		dial[j] = a
	}
	must.NoError(t, EGADPReplace(nil, y, append(append([][]float64{}, x...), s...), z, dial))
	return y
}

// twin is the technique by explicit n x n projection matrices, as methods are written down: F = H X, E = X - F, with H
// the projection on constants and S; R = (I - H') V, with H' that on constants, S and X; B = R L_R^-T L_E^T.
func twin(x, s, z [][]float64, a float64) *mat.Dense {
	one := make([]float64, len(x[0]))
	floats.AddConst(1, one)
	xm := dense(x)
	var f, e, r, b, y mat.Dense
	f.Mul(projection(append([][]float64{one}, s...)), xm)
	e.Sub(xm, &f)
	r.Mul(projection(append(append([][]float64{one}, s...), x...)), dense(z))
	r.Sub(dense(z), &r)
	var lr, le mat.Dense
	lr.Inverse(factor(&r))
	le.CloneFrom(factor(&e))
	b.Mul(&r, lr.T())
	b.Mul(mat.DenseCopyOf(&b), le.T())
	e.Scale(a, &e)
	b.Scale(math.Sqrt(1-a*a), &b)
	y.Add(&f, &e)
	y.Add(&y, &b)
	return &y
}

func dense(cols [][]float64) *mat.Dense {
	m := mat.NewDense(len(cols[0]), len(cols), nil)
	for j, c := range cols {
		m.SetCol(j, c)
	}
	return m
}

// projection returns that on the span of columns.
func projection(cols [][]float64) *mat.Dense {
	var svd mat.SVD
	svd.Factorize(dense(cols), mat.SVDThin)
	var u, h mat.Dense
	svd.UTo(&u)
	h.Mul(&u, u.T())
	return &h
}

// factor returns the lower Cholesky factor of a'a.
func factor(a *mat.Dense) *mat.TriDense {
	_, k := a.Dims()
	g := mat.NewSymDense(k, nil)
	for i := range k {
		for j := range i + 1 {
			g.SetSym(i, j, mat.Dot(a.ColView(i), a.ColView(j)))
		}
	}
	var c mat.Cholesky
	c.Factorize(g)
	var l mat.TriDense
	c.LTo(&l)
	return &l
}

func TestTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		k, q := rapid.IntRange(1, 4).Draw(t, "confidential"), rapid.IntRange(0, 4).Draw(t, "others")
		n := 2*k + q + 2 + rapid.IntRange(0, 40).Draw(t, "more rows")
		a := rapid.Float64Range(0, 0.999).Draw(t, "dial")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		u := egadpCorrelated(r, k+q, n)
		z := egadpNormals(r, k, n)
		want := twin(u[:k], u[k:], z, a)
		for j, c := range released(t, u[:k], u[k:], z, a) {
			for i, v := range c {
				if diff := math.Abs(v - want.At(i, j)); diff > 1e-7*math.Abs(u[j][i]) {
					t.Fatalf("value %d of column %d is %v, the twin's %v", i, j, v, want.At(i, j))
				}
			}
		}
	})
}
