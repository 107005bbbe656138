package gadp

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/stats/orthobasis"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
)

//go:embed testdata/gadp.json
var egadpGolden []byte

type goldenIn struct {
	X, S, Noise [][]float64
	Alpha       float64
}

type goldenOut struct {
	Mean      []float64
	Cov       [][]float64
	CovYS     [][]float64 `json:"cov_ys"`
	CovYX     [][]float64 `json:"cov_yx"`
	YCholesky [][]float64 `json:"y_cholesky"`
}

// Islam 2007, section 3.2.1: the moments, the covariance with the originals and, with Cholesky factors, the values.
func TestGolden(t *testing.T) {
	for _, c := range protecttest.Cases[goldenIn, goldenOut](t, egadpGolden, "egadp") {
		x, s, z := egadpColumns(c.Input.X), egadpColumns(c.Input.S), egadpColumns(c.Input.Noise)
		y := released(t, x, s, z, c.Input.Alpha)
		tolerance := c.Tolerance.Abs
		for j := range y {
			protecttest.Near(t, fmt.Sprintf("%s: mean %d", c.Name, j), stat.Mean(y[j], nil), c.Expected.Mean[j], tolerance)
			for i, v := range y[j] {
				protecttest.Near(t, fmt.Sprintf("%s: value %d, %d", c.Name, i, j), v, c.Expected.YCholesky[i][j], tolerance)
			}
			for l := range y {
				protecttest.Near(t, fmt.Sprintf("%s: cov %d, %d", c.Name, j, l), stat.Covariance(y[j], y[l], nil),
					c.Expected.Cov[j][l], tolerance)
				protecttest.Near(t, fmt.Sprintf("%s: cov_yx %d, %d", c.Name, j, l), stat.Covariance(y[j], x[l], nil),
					c.Expected.CovYX[j][l], tolerance)
			}
			for l := range s {
				protecttest.Near(t, fmt.Sprintf("%s: cov_ys %d, %d", c.Name, j, l), stat.Covariance(y[j], s[l], nil),
					c.Expected.CovYS[j][l], tolerance)
			}
		}
	}
}

// Muralidhar & Sarathy 2005: moments are exact on 30 records, whatever the security, the scales and the distance from
// zero. The error is that of the last digits of the columns themselves.
func TestExactOnSmallTables(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for run := range 50 {
		k, q := 1+run%4, run%3
		u := egadpCorrelated(r, k+q, 30)
		for _, a := range []float64{0, 0.5, 0.99} {
			y := released(t, u[:k], u[k:], egadpNormals(r, k, 30), a)
			mean, cov := orthobasis.Drift(u, append(y, u[k:]...))
			if mean > 1e-12 || cov > 1e-12 {
				t.Errorf("k = %d, q = %d, a = %v: means drift by %.2g, covariances by %.2g", k, q, a, mean, cov)
			}
		}
	}
}

// Released residuals are a times the original ones plus noise that is orthogonal to them: so is their covariance,
// exactly.
func TestSecurityIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	u := egadpCorrelated(r, 4, 40)
	for _, dial := range [][]float64{{0, 0}, {0.6, 0.6}, {1, 1}, {0.3, 0.5}} {
		y := egadpColumns(nil, 2, 40)
		must.NoError(t, EGADPReplace(nil, y, u, egadpNormals(r, 2, 40), dial))
		e, f := residuals(u[:2], u[2:]), residuals(y, u[2:])
		for j, a := range dial {
			for l := range dial {
				got, want := stat.Covariance(f[j], e[l], nil), a*stat.Covariance(e[j], e[l], nil)
				if scale := stat.StdDev(e[j], nil) * stat.StdDev(e[l], nil); math.Abs(got-want) > 1e-12*scale {
					t.Errorf("dial %v: residuals %d and %d have covariance %v, expected %v", dial, j, l, got, want)
				}
			}
		}
		if mean, cov := orthobasis.Drift(u, append(y, u[2:]...)); mean > 1e-12 || cov > 1e-12 {
			t.Errorf("dial %v: means drift by %.2g, covariances by %.2g", dial, mean, cov)
		}
	}
}

// A dial that lets more through of one column than a joint law with the others has is refused, and so is one that is
// none.
func TestContradiction(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	x := egadpNormals(r, 2, 40)
	for i := range x[1] {
		x[1][i] = x[0][i] + x[1][i]/100
	}
	for _, dial := range [][]float64{{0, 0.9}, {-0.1, 0}, {0, 1.1}, {math.NaN(), 0}} {
		if err := EGADPReplace(nil, egadpColumns(nil, 2, 40), x, egadpNormals(r, 2, 40), dial); err == nil {
			t.Errorf("dial %v is accepted", dial)
		}
	}
}

// With two records more than dimensions the noise is orthogonal to the originals; with fewer it is not, but the moments
// are exact; where there is no room to turn the residuals, means are released.
func TestLadderOfRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for k := 1; k <= 4; k++ {
		for q := range 4 {
			for n := 1; n <= 3*k+q+2; n++ {
				u := egadpCorrelated(r, k+q, n)
				a := 0.4 * float64(n%2)
				y := released(t, u[:k], u[k:], egadpNormals(r, k, n), a)
				what := fmt.Sprintf("k = %d, q = %d, n = %d, a = %v", k, q, n, a)
				if n < k+q+2 {
					for j, c := range y {
						for _, v := range c {
							protecttest.Near(t, what, v, stat.Mean(u[j], nil), 1e-12)
						}
					}
					continue
				}
				if mean, cov := orthobasis.Drift(u, append(y, u[k:]...)); mean > 1e-11 || cov > 1e-11 {
					t.Errorf("%s: means drift by %.2g, covariances by %.2g", what, mean, cov)
				}
				e, f := residuals(u[:k], u[k:]), residuals(y, u[k:])
				if c := math.Abs(stat.Correlation(e[0], f[0], nil)); n >= 2*k+q+2 && math.Abs(c-a) > 1e-9 || c > 0.99999 {
					t.Errorf("%s: residuals correlate by %v", what, c)
				}
			}
		}
	}
}

// residuals returns those of the regression of columns on constants and others.
func residuals(x, s [][]float64) [][]float64 {
	n := len(x[0])
	a := mat.NewDense(n, 1+len(s), nil)
	for i := range n {
		a.Set(i, 0, 1)
		for j, c := range s {
			a.Set(i, 1+j, c[i]-stat.Mean(c, nil))
		}
	}
	var beta, fit mat.Dense
	b := mat.NewDense(n, len(x), nil)
	for j, c := range x {
		b.SetCol(j, c)
	}
	if err := beta.Solve(a, b); err != nil {
		panic(err)
	}
	fit.Mul(a, &beta)
	b.Sub(b, &fit)
	out := make([][]float64, len(x))
	for j := range out {
		out[j] = mat.Col(nil, j, b)
	}
	return out
}
