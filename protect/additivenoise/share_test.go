package additivenoise

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// sample is a table of n records with two correlated columns.
func sample(t testing.TB, n int) *table.Table {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = 1000 * r.NormFloat64()
		y[i] = math.Round(x[i]/100 + 20*r.Float64())
	}
	return tabletest.Of(t, table.NumColumn("x", 0, x), table.NumColumn("y", 1, y))
}

func released(t testing.TB, q protect.Technique, tab *table.Table) *table.Table {
	t.Helper()
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
	return out
}

// Islam 2007, section 3.2.1; Brand 2002: noise of a fifth of the variance makes the variance 1.2 times as large. The
// ratio has the standard error sqrt((2 d² + 4 d)/n) = 0.0021, so that 3 % are 17 of them; the column of whole numbers
// adds 1/12 to a variance of 133.
func TestVarianceGrowsByD(t *testing.T) {
	tab := sample(t, 200_000)
	q := newShare(false)
	q.Noise = 0.2
	out := released(t, q, tab)
	for j := range 2 {
		if ratio := stat.Variance(out.Num(j), nil) / stat.Variance(tab.Num(j), nil); math.Abs(ratio/1.2-1) > 0.03 {
			t.Errorf("column %d: the variance grows by the factor %v", j, ratio)
		}
	}
}

// The noise of a column is its own: that of another neither changes it nor, at five standard errors, is correlated
// with it. A right program fails once in a million.
func TestNoiseIsIndependent(t *testing.T) {
	const n = 50_000
	tab := sample(t, n)
	out, alone := released(t, newShare(false), tab), released(t, newShare(false), tab.Select(0))
	e := [2][]float64{make([]float64, n), make([]float64, n)}
	for i := range n {
		if out.Num(0)[i] != alone.Num(0)[i] {
			t.Fatalf("row %d: %v beside another column, %v alone", i, out.Num(0)[i], alone.Num(0)[i])
		}
		for k := range e {
			e[k][i] = out.Num(k)[i] - tab.Num(k)[i]
		}
	}
	if r := stat.Correlation(e[0], e[1], nil); math.Abs(r) > 5/math.Sqrt(n) {
		t.Errorf("the noises of two columns have the correlation %v", r)
	}
}

func TestDescribe(t *testing.T) {
	p, err := newShare(false).Fit(context.Background(), protecttest.Mixed(50), protecttest.Seed(1))
	must.NoError(t, err)
	if s := p.(protect.Described).Describe(); !strings.Contains(s.String(), "SADP") {
		t.Error(s)
	}
	s := p.(protect.Corrected).Corrections()
	if len(s) != 5 || s[1].String() != "divide the variance of a perturbed column by 1 + 0.25 = 1.25" {
		t.Errorf("%q", s)
	}
	p, err = newShare(false).Fit(context.Background(), protecttest.Mixed(1), protecttest.Seed(1))
	if err != nil || len(p.Changes()) != 0 || p.(protect.Corrected).Corrections() != nil {
		t.Errorf("one record: %v, %v", p.Changes(), err)
	}
}

// Kim 1986; Islam 2007, section 3.2.1: the covariance matrix of the noise is d times that of the attributes, so the
// noise has their correlation, -0.8 here, and Type B bias is absent. Five standard errors (1-r²)/sqrt(n) of a
// correlation: a right program fails one of the two once in a million.
func TestNoiseMovesAsTheAttributesDo(t *testing.T) {
	const n, r = 50_000, -0.8
	g := rand.New(rand.NewPCG(5, 6))
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		a, b := g.NormFloat64(), g.NormFloat64()
		x[i], y[i] = 7+a, 1e6*(r*a+math.Sqrt(1-r*r)*b)
	}
	tab := tabletest.Of(t, table.NumColumn("x", 0, x), table.NumColumn("y", 1, y))
	q := newShare(true)
	q.Noise = 2
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
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
	if s := p.(*CorrelatedPlan).Describe(); !strings.Contains(s.String(), "correlated") {
		t.Error(s)
	}
	if s := p.(*CorrelatedPlan).Corrections(); !strings.HasPrefix(s[1].String(), "divide variances and covariances of "+
		"perturbed columns by 3;") {
		t.Errorf("%q", s)
	}
}
