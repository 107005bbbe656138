package linalg_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/internal/testkit/must"
)

func random(r *rand.Rand, n, p int) *mat.Dense {
	d := mat.NewDense(n, p, nil)
	for i := range n {
		for j := range p {
			d.Set(i, j, r.NormFloat64())
		}
	}
	return d
}

func same(t *testing.T, what string, got, want mat.Matrix, by float64) {
	t.Helper()
	if !mat.EqualApprox(got, want, by) {
		t.Errorf("%s:\n%v\ngonum has\n%v", what, mat.Formatted(got), mat.Formatted(want))
	}
}

// TestGonum holds everything against gonum, which has another order of sums.
func TestGonum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 25; n++ {
		p := 1 + r.IntN(n)
		a, b := random(r, n, p), random(r, p, n)
		var got, want mat.Dense
		linalg.Mul(&got, a, b)
		want.Mul(a, b)
		same(t, "product", &got, &want, 1e-12)
		got.Reset()
		want.Reset()
		linalg.Mul(&got, b.T(), b)
		want.Mul(b.T(), b)
		same(t, "product with itself", &got, &want, 1e-12)

		var gram, gram2, cov mat.SymDense
		linalg.Gram(&gram, 0.5, a)
		gram2.SymOuterK(0.5, a)
		same(t, "Gram's matrix", &gram, &gram2, 1e-12)
		x := mat.NewVecDense(n, mat.Col(nil, 0, a))
		cov.SymRankOne(&gram2, -2.5, x)
		linalg.AddOuter(&gram, &gram, -2.5, x)
		same(t, "outer product", &gram, &cov, 1e-12)
		if v, w := linalg.Inner(x, &cov, x), mat.Inner(x, &cov, x); math.Abs(v-w) > 1e-10 {
			t.Errorf("inner product %v, gonum has %v", v, w)
		}
		definite(t, random(r, n, n+3))
		square(t, random(r, n, n), random(r, n, p))

		q := linalg.Orthonormal(a)
		got.Reset()
		linalg.Mul(&got, q.T(), q)
		one := mat.NewDiagDense(p, nil)
		for i := range p {
			one.SetDiag(i, 1)
		}
		same(t, "orthonormal columns", &got, one, 1e-13)
		var back mat.Dense
		back.Mul(q.T(), a)
		for i := range p {
			for j := range i {
				if math.Abs(back.At(i, j)) > 1e-13*float64(n) {
					t.Errorf("R is not triangular: %v", mat.Formatted(&back))
				}
			}
			if back.At(i, i) <= 0 {
				t.Errorf("R has %v on its diagonal", back.At(i, i))
			}
		}
	}
}

func definite(t *testing.T, f *mat.Dense) {
	t.Helper()
	var a mat.SymDense
	a.SymOuterK(1, f)
	l, ok := linalg.Cholesky(&a)
	var ch mat.Cholesky
	if !ok || !ch.Factorize(&a) {
		t.Fatal("not positive definite")
	}
	var l2 mat.TriDense
	ch.LTo(&l2)
	same(t, "Cholesky's factor", l, &l2, 1e-11)
	var inv mat.SymDense
	must.NoError(t, ch.InverseTo(&inv))
	got, condition := linalg.InverseOfCholesky(l, &a)
	same(t, "inverse", got, &inv, 1e-8)
	if c := ch.Cond(); condition < c*(1-1e-9) || condition > 3*c {
		t.Errorf("condition number %v; gonum estimates %v, which is at most as large", condition, c)
	}
	values, vectors, ok := linalg.Eigen(&a)
	var e mat.EigenSym
	if !ok || !e.Factorize(&a, true) {
		t.Fatal("no eigenvalues")
	}
	for k, v := range e.Values(nil) {
		if math.Abs(v-values[k]) > 1e-11*values[len(values)-1] {
			t.Errorf("eigenvalues %v, gonum has %v", values, e.Values(nil))
		}
	}
	var half, back mat.Dense
	half.Mul(vectors, mat.NewDiagDense(len(values), values))
	back.Mul(&half, vectors.T())
	same(t, "sum of eigenvectors", &back, &a, 1e-11)
}

func square(t *testing.T, a, b *mat.Dense) {
	t.Helper()
	var x, y mat.Dense
	must.NoError(t, errors.Join(linalg.Solve(&x, a, b), y.Solve(a, b)))
	same(t, "solution", &x, &y, 1e-8)
	var inv, inv2 mat.Dense
	must.NoError(t, errors.Join(linalg.Inverse(&inv, a), inv2.Inverse(a)))
	same(t, "inverse", &inv, &inv2, 1e-8)
	if c, d := linalg.Condition(a), mat.Cond(a, 2); math.Abs(c-d) > 1e-9*d {
		t.Errorf("condition number %v, gonum has %v", c, d)
	}
}

func TestSingular(t *testing.T) {
	a := mat.NewDense(2, 2, []float64{1, 2, 2, 4})
	var x mat.Dense
	var c mat.Condition
	if err := linalg.Solve(&x, a, a); !errors.As(err, &c) || float64(c) < 1e15 {
		t.Error(err)
	}
	s := mat.NewSymDense(2, []float64{1, 2, 2, 4})
	if _, ok := linalg.Cholesky(s); ok {
		t.Error("a singular matrix has a factor")
	}
	values, vectors, ok := linalg.Eigen(s)
	if !ok || math.Abs(values[0]) > 1e-15 || math.Abs(values[1]-5) > 1e-14 || vectors.At(1, 1) <= 0 {
		t.Error(values, mat.Formatted(vectors))
	}
	s.SetSym(0, 1, math.NaN())
	if _, _, ok := linalg.Eigen(s); ok {
		t.Error("eigenvalues of what is no number")
	}
}
