package romm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/stats/orthobasis"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

func columns(k, n int) [][]float64 {
	out := make([][]float64, k)
	for j := range out {
		out[j] = make([]float64, n)
	}
	return out
}

func normals(r *rand.Rand, k, n int) [][]float64 {
	out := columns(k, n)
	for _, c := range out {
		for i := range c {
			c[i] = r.NormFloat64()
		}
	}
	return out
}

// correlated returns columns that share a part, on scales from 0.01 to 100 and around ten times their scale.
func correlated(r *rand.Rand, p, n int) [][]float64 {
	out, shared := normals(r, p, n), normals(r, 1, n)[0]
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

func released(t fataler, u, z [][]float64, lambda float64) [][]float64 {
	t.Helper()
	y := columns(len(z), len(z[0]))
	must.NoError(t, Replace(y, u, z, lambda))
	return y
}

// Ting, Fienberg & Trottini 2008: means and covariances are exact for any lambda.
func TestMomentsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for run := range 30 {
		k, q := 1+run%4, run%3
		n := k + q + 2 + run*run
		u := correlated(r, k+q, n)
		for _, lambda := range []float64{0, 0.01, 1, 100} {
			y := released(t, u, normals(r, k, n), lambda)
			if mean, cov := orthobasis.Drift(u, append(y, u[k:]...)); mean > 1e-11 || cov > 1e-11 {
				t.Errorf("k = %d, q = %d, n = %d, lambda = %v: means drift by %.2g, covariances by %.2g", k, q, n, lambda, mean,
					cov)
			}
		}
	}
}

// Without rotation the originals are released; the smaller lambda, the closer.
func TestSmallLambda(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	u := correlated(r, 5, 100)
	z := normals(r, 3, 100)
	for lambda, most := range map[float64]float64{0: 1e-12, 1e-6: 1e-4, 1e-3: 0.1} {
		for j, c := range released(t, u, z, lambda) {
			sd := stat.StdDev(u[j], nil)
			for i, v := range c {
				if d := math.Abs(v-u[j][i]) / sd; d > most {
					t.Errorf("lambda %v: a value differs by %.2g standard deviations", lambda, d)
				}
			}
		}
	}
}

// Released and original residuals correlate by a = 1/sqrt(1 + lambda² d). On n records the correlation has a standard
// deviation of about (1-a²)/sqrt(n) and a bias of less than 1/n; a right program fails one of these six comparisons, at
// five of them, once in 300,000.
func TestCorrelationOfResiduals(t *testing.T) {
	const n = 2000
	r := rand.New(rand.NewPCG(5, 6))
	u := normals(r, 2, n) // X and S
	for i := range u[0] {
		u[0][i] += u[1][i]
	}
	for _, lambda := range []float64{0.001, 0.01, 0.02, 0.05, 0.2, 1} {
		y := released(t, u, normals(r, 1, n), lambda)[0]
		e := make([][]float64, 2)
		for k, c := range [][]float64{u[0], y} {
			alpha, beta := stat.LinearRegression(u[1], c, nil, false)
			for i, v := range c {
				e[k] = append(e[k], v-alpha-beta*u[1][i])
			}
		}
		got, want := stat.Correlation(e[0], e[1], nil), Dial(lambda, n-2)
		if math.Abs(got-want) > 5*(1-want*want)/math.Sqrt(n)+5./n {
			t.Errorf("lambda %v: residuals correlate by %v, expected %v", lambda, got, want)
		}
	}
}

// twin is the thin rotation by dense matrices: residuals of X and G on constants and S, E = Q R, W = Q + lambda G = Q*
// R', Y = F + Q* R.
func twin(u, z [][]float64, lambda float64) *mat.Dense {
	n, k := len(z[0]), len(z)
	one := make([]float64, n)
	floats.AddConst(1, one)
	known := dense(append([][]float64{one}, u[k:]...))
	x := dense(u[:k])
	e, g := residuals(x, known), residuals(dense(z), known)
	q, r := qr(e)
	g.Scale(lambda, g)
	q.Add(q, g)
	turned, _ := qr(q)
	var y mat.Dense
	y.Mul(turned, r)
	x.Sub(x, e)
	y.Add(&y, x)
	return &y
}

func dense(cols [][]float64) *mat.Dense {
	m := mat.NewDense(len(cols[0]), len(cols), nil)
	for j, c := range cols {
		m.SetCol(j, c)
	}
	return m
}

func residuals(x, known *mat.Dense) *mat.Dense {
	var svd mat.SVD
	svd.Factorize(known, mat.SVDThin)
	var u, c, fit, rest mat.Dense
	svd.UTo(&u)
	c.Mul(u.T(), x)
	fit.Mul(&u, &c)
	rest.Sub(x, &fit)
	return &rest
}

// qr returns the thin QR factorisation with positive diagonal, by Gram and Schmidt's method, twice.
func qr(a *mat.Dense) (q, r *mat.Dense) {
	n, k := a.Dims()
	q, r = mat.DenseCopyOf(a), mat.NewDense(k, k, nil)
	for j := range k {
		v := mat.Col(nil, j, q)
		for range 2 {
			for i := range j {
				w := mat.Col(nil, i, q)
				d := floats.Dot(w, v)
				r.Set(i, j, r.At(i, j)+d)
				floats.AddScaled(v, -d, w)
			}
		}
		r.Set(j, j, floats.Norm(v, 2))
		floats.Scale(1/r.At(j, j), v)
		q.SetCol(j, v[:n])
	}
	return q, r
}

func TestTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		k, q := rapid.IntRange(1, 4).Draw(t, "confidential"), rapid.IntRange(0, 4).Draw(t, "others")
		n := k + q + 2 + rapid.IntRange(0, 40).Draw(t, "more rows")
		lambda := math.Pow(10, rapid.Float64Range(-4, 3).Draw(t, "lambda"))
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		u := correlated(r, k+q, n)
		z := normals(r, k, n)
		want := twin(u, z, lambda)
		for j, c := range released(t, u, z, lambda) {
			for i, v := range c {
				if diff := math.Abs(v - want.At(i, j)); diff > 1e-6*math.Abs(u[j][i]) {
					t.Fatalf("value %d of column %d is %v, the twin's %v", i, j, v, want.At(i, j))
				}
			}
		}
	})
}

// With one dimension more than the residuals take they are turned; with fewer there is no rotation, and means are
// released.
func TestLadderOfRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for k := 1; k <= 4; k++ {
		for q := range 3 {
			for n := 1; n <= 3*k+q+2; n++ {
				u := correlated(r, k+q, n)
				y := released(t, u, normals(r, k, n), 1)
				what := fmt.Sprintf("k = %d, q = %d, n = %d", k, q, n)
				if n >= k+q+2 {
					if mean, cov := orthobasis.Drift(u, append(y, u[k:]...)); mean > 1e-11 || cov > 1e-11 {
						t.Errorf("%s: means drift by %.2g, covariances by %.2g", what, mean, cov)
					}
					if c := stat.Correlation(u[0], y[0], nil); q == 0 && math.Abs(c) > 0.99999 {
						t.Errorf("%s: the release correlates with the original by %v", what, c)
					}
					continue
				}
				for j, c := range y {
					if m := stat.Mean(u[j], nil); floats.Max(c)-floats.Min(c) != 0 || math.Abs(c[0]-m) > 1e-12*math.Abs(m) {
						t.Errorf("%s: released %v, the mean is %v", what, c, m)
					}
				}
			}
		}
	}
}
