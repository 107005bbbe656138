package correlatednoise

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Kim 1986; Islam 2007, section 3.2.1: the covariance matrix of the noise is d times that of the attributes, so the noise has their
// correlation, -0.8 here, and Type B bias is absent. Five standard errors (1-r²)/sqrt(n) of a correlation: a right program fails one of
// the two once in a million.
func TestNoiseMovesAsTheAttributesDo(t *testing.T) {
	const n, r = 50_000, -0.8
	g := rand.New(rand.NewPCG(5, 6))
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		a, b := g.NormFloat64(), g.NormFloat64()
		x[i], y[i] = 7+a, 1e6*(r*a+math.Sqrt(1-r*r)*b)
	}
	tab := tabletest.Of(t, table.NumColumn("x", 0, x), table.NumColumn("y", 1, y))
	q := New()
	q.Noise = 2
	p, err := q.Fit(context.Background(), tab, protecttest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Apply(tab, protecttest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	e, f := make([]float64, n), make([]float64, n)
	for i := range e {
		e[i], f[i] = out.Num(0)[i]-x[i], out.Num(1)[i]-y[i]
	}
	was, five := stat.Correlation(x, y, nil), 5*(1-r*r)/math.Sqrt(n)
	if got := stat.Correlation(e, f, nil); math.Abs(got-was) > five {
		t.Errorf("the noise has the correlation %v, the attributes %v", got, was)
	}
	if got := stat.Correlation(out.Num(0), out.Num(1), nil); math.Abs(got-was) > five {
		t.Errorf("the release has the correlation %v, the attributes %v", got, was)
	}
	if s := p.(*Plan).Describe(); !strings.Contains(s, "correlated") {
		t.Error(s)
	}
	if s := p.(*Plan).Corrections(); !strings.HasPrefix(s[1], "divide variances and covariances of perturbed columns by 3;") {
		t.Errorf("%q", s)
	}
}
