package multiplicativenoise

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Every statistical test draws at fixed seeds and allows five standard errors: a right program would fail a comparison
// once in 1.7 million.
const errorsAllowed = 5

// lognormals returns three columns whose logarithms have variances 0.285, 0.5 and 0.1, the first two correlated; the
// third is negated.
func lognormals(rows int) *table.Table {
	r := rand.New(rand.NewPCG(7, 8))
	x := make([][]float64, 3)
	for k := range x {
		x[k] = make([]float64, rows)
	}
	for i := range rows {
		a, b, c := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		x[0][i] = 100 * math.Exp(math.Sqrt(0.285)*a)
		x[1][i] = 3 * math.Exp(math.Sqrt(0.5)*(0.6*a+0.8*b))
		x[2][i] = -10 * math.Exp(math.Sqrt(0.1)*c)
	}
	return tabletest.Must(table.NumColumn("a", 0, x[0]), table.NumColumn("b", 0, x[1]), table.NumColumn("c", 0, x[2]))
}

func fit(t testing.TB, tab *table.Table, set map[string]string) *Plan {
	t.Helper()
	q := New()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	return p.(*Plan)
}

func released(t testing.TB, tab *table.Table, set map[string]string) *table.Table {
	t.Helper()
	out := must.Get(executor.Run(context.Background(), fit(t, tab, set), tab, protecttest.Seed(2), protect.Options{}))(t)
	return out
}

// centred fails unless the mean of independent terms of mean 0 is within five of its standard errors of 0.
func centred(t *testing.T, what string, terms []float64) {
	t.Helper()
	mean, sd := stat.MeanStdDev(terms, nil)
	if z := mean / (sd / math.Sqrt(float64(len(terms)))); !(math.Abs(z) < errorsAllowed) {
		t.Errorf("%s: off by %.4g, %.1f standard errors", what, mean, z)
	}
}

// each returns f of every record.
func each(n int, f func(i int) float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

// Kim & Winkler 2003, scheme I: E(Y) = E(X), Var(X) = (Var(Y) - s2 mu²)/(1+s2), covariances are kept. The variance
// formula is E(X²) = E(Y²)/(1+s2); all are compared by terms that have mean 0 given X.
func TestScheme1Moments(t *testing.T) {
	rows := long.Of(20_000, 200_000)
	for _, spread := range []string{"0.05", "0.15", "0.5"} {
		tab := lognormals(rows)
		out := released(t, tab, map[string]string{"spread": spread})
		s2 := fit(t, tab, map[string]string{"spread": spread}).Factor.Variance()
		for k := range 3 {
			x, y := tab.Num(k), out.Num(k)
			centred(t, spread+" mean", each(rows, func(i int) float64 { return y[i] - x[i] }))
			centred(t, spread+" square", each(rows, func(i int) float64 { return y[i]*y[i]/(1+s2) - x[i]*x[i] }))
			mean, variance := stat.MeanVariance(y, nil)
			corrected := (variance - s2*mean*mean) / (1 + s2)
			// The error of the corrected variance is the mean of these terms, to first order.
			mu := stat.Mean(x, nil)
			terms := each(rows, func(i int) float64 { return y[i]*y[i]/(1+s2) - x[i]*x[i] - 2*mu*(y[i]-x[i]) })
			protecttest.Near(t, spread+" corrected variance", corrected, stat.Variance(x, nil),
				errorsAllowed*stat.StdDev(terms, nil)/math.Sqrt(float64(rows)))
			if variance < stat.Variance(x, nil) {
				t.Errorf("spread %s, column %d: the variance falls from %v to %v", spread, k, stat.Variance(x, nil), variance)
			}
			for l := range k {
				u, v := tab.Num(l), out.Num(l)
				centred(t, spread+" product", each(rows, func(i int) float64 { return y[i]*v[i] - x[i]*u[i] }))
			}
		}
	}
}

// Scheme II as published: E(Y) = E(X) exp(c s_jj/2), E(YiYj) = E(XiXj) exp(c (s_ii+s_jj+2s_ij)/2), about the shift.
func TestScheme2Moments(t *testing.T) {
	rows := long.Of(20_000, 200_000)
	for _, keep := range []string{"false", "true"} {
		set := map[string]string{"scheme": "2", "c": "0.1", "keepMean": keep}
		tab := lognormals(rows)
		out, l := released(t, tab, set), fit(t, tab, set).Log
		for k := range 3 {
			h, f := l.Shift[k], 1.0
			if keep == "false" {
				f = math.Exp(l.Noise[4*k] / 2)
			}
			x, y := tab.Num(k), out.Num(k)
			centred(t, "mean", each(rows, func(i int) float64 { return y[i] + h - f*(x[i]+h) }))
			for j := range k + 1 {
				g, product := l.Shift[j], math.Exp(l.Noise[3*k+j])
				if keep == "false" {
					product = math.Exp((l.Noise[4*k] + l.Noise[4*j] + 2*l.Noise[3*k+j]) / 2)
				}
				u, v := tab.Num(j), out.Num(j)
				centred(t, "product", each(rows, func(i int) float64 { return (y[i]+h)*(v[i]+g) - product*(x[i]+h)*(u[i]+g) }))
			}
		}
	}
}

// With c = 0.1 and a variance of the logarithms of 0.285 the published release exceeds the mean by 1.4 %.
func TestScheme2PrintedBias(t *testing.T) {
	set := map[string]string{"scheme": "2", "c": "0.1", "keepMean": "false"}
	tab := lognormals(200_000)
	out := released(t, tab, set)
	protecttest.Near(t, "bias", floats.Sum(out.Num(0))/floats.Sum(tab.Num(0))-1, 0.014, 0.002)
	if l := fit(t, tab, set).Log; l.Shift[0] != 0 || l.Shift[1] != 0 || l.Shift[2] <= 0 {
		t.Errorf("the shifts are %v", l.Shift)
	}
}

// The noise of scheme II has covariance c Cov(Z): compared entry by entry, with the standard error of a product of
// normals.
func TestScheme2NoiseIsCorrelated(t *testing.T) {
	const c = 0.1
	rows := long.Of(20_000, 200_000)
	set := map[string]string{"scheme": "2", "c": "0.1", "keepMean": "false"}
	tab := lognormals(rows)
	out, l := released(t, tab, set), fit(t, tab, set).Log
	z, e := make([][]float64, 3), make([][]float64, 3)
	for k := range z {
		x, y, h := tab.Num(k), out.Num(k), l.Shift[k]
		z[k] = each(rows, func(i int) float64 { return math.Log(x[i] + h) })
		e[k] = each(rows, func(i int) float64 { return math.Log(y[i]+h) - z[k][i] })
	}
	for k := range z {
		for j := range k + 1 {
			want := c * stat.Covariance(z[k], z[j], nil)
			protecttest.Near(t, "plan", l.Noise[3*k+j], want, 1e-9)
			centred(t, "noise", each(rows, func(i int) float64 { return e[k][i]*e[j][i] - want }))
			centred(t, "noise and value", each(rows, func(i int) float64 { return e[k][i] * z[j][i] }))
		}
	}
}
