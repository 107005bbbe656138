package liew

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// averaged returns the mean and the variance of the values that a law releases, over evenly spread places.
func averaged(l *Law, a *table.Attribute) (mean, variance float64) {
	const places = 200_000
	at := l.on(a)
	y := make([]float64, places)
	for k := range y {
		y[k] = at((float64(k) + 0.5) / places)
	}
	mean, sd := stat.PopMeanStdDev(y, nil)
	return mean, sd * sd
}

// Mean and variance of what a law releases are those of the closed forms: on a continuous domain, a fine grid and a
// coarse one, in the middle of a law and in either tail.
func TestMomentsOfACutLaw(t *testing.T) {
	long.Only(t, "many draws of each law")
	for _, l := range []Law{
		{Family: normal, A: 4, B: 3}, {Family: normal, A: -9, B: 4}, {Family: normal, A: 30, B: 6},
		{Family: lognormal, A: 1, B: 0.7}, {Family: lognormal, A: -2, B: 2}, {Family: exponential, A: 1, B: 0.2},
		{Family: exponential, A: 0, B: 1e-3}, {Family: gamma, A: 0.3, B: 0.05}, {Family: gamma, A: 9, B: 1},
		{Family: uniform, A: 2, B: 5},
	} {
		for _, step := range []float64{0, 1e-3, 1} {
			a := table.Attribute{Name: "x", Step: step, Domain: table.Interval{Lo: 0, Hi: 10}}
			c := cutOf(&a)
			mean, variance, ok := c.moments(&l)
			m, v := averaged(&l, &a)
			if !ok || math.Abs(m-mean) > 2e-3 || math.Abs(v-variance) > 1e-2 || (c.values > 0) != (step == 1) {
				t.Errorf("%+v in steps of %v: mean %v and variance %v, released %v and %v", l, step, mean, variance, m, v)
			}
		}
	}
	far := Law{Family: normal, A: 100, B: 1}
	if _, _, ok := (&cut{lo: 0, hi: 10}).moments(&far); ok {
		t.Error("a law outside the domain has moments inside")
	}
}

// The law of every family that is fitted has the mean of the values as it is released, whatever their shape and the
// domain, and their variance where it can; the variance is never larger.
func TestFittedMeans(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		shape, step := rapid.IntRange(0, 3).Draw(rt, "shape"), rapid.SampledFrom([]float64{0, 0.01, 1}).Draw(rt, "step")
		x := make([]float64, 300)
		for i := range x {
			switch shape {
			case 0: // most at the lower end
				x[i] = max(0, 100*(r.Float64()-0.7)/0.3)
			case 1: // most at the upper end
				x[i] = 100 - min(100, 5*r.ExpFloat64())
			case 2:
				x[i] = min(100, max(0, 50+20*r.NormFloat64()))
			default: // a share of two values
				x[i] = 100 * math.Floor(1.2*r.Float64())
			}
			if step > 0 {
				x[i] = math.Round(x[i]/step) * step
			}
		}
		tab := tabletest.Of(rt, table.NumColumn("x", step, x))
		a := tab.Attr(0)
		mean, sd := stat.MeanStdDev(x, nil)
		for _, f := range families {
			l, err := fit(f, x, a)
			if err != nil {
				continue
			}
			c := cutOf(a)
			m, v, _ := c.moments(&l)
			if f == exponential && mean > (a.Domain.Lo+a.Domain.Hi)/2-1 {
				continue // it has the flattest one
			}
			if math.Abs(m-mean) > 1e-6*100 || f != exponential && v > sd*sd*(1+1e-6) {
				rt.Fatalf("%s, shape %d: mean %v, variance %v; expected %v and up to %v", f, shape, m, v, mean, sd*sd)
			}
			if shape == 2 && f == normal && v < 0.95*sd*sd {
				rt.Fatalf("the normal law of normal values has the variance %v instead of %v", v, sd*sd)
			}
		}
	})
}

// Boston Housing's zn is 0 in 372 of 506 records and up to 100 in the others, with a mean of 11.4. Fitted before it is
// cut, the nearest law is one that releases a mean of 27. Five standard errors are 5 here: a right release is off by
// more once in 1.7 million, and the seed is fixed.
func TestZonedLand(t *testing.T) {
	x := make([]float64, 506)
	for i := 372; i < len(x); i++ {
		x[i] = 12.5 + 0.5*float64((i*37)%175)
	}
	for i := 372; i < 470; i++ {
		x[i] = 20 + float64(i%15)
	}
	mean := stat.Mean(x, nil)
	p, out := released(t, New(), tabletest.Of(t, table.NumColumn("zn", 0.1, x)))
	if m := stat.Mean(out.Num(0), nil); math.Abs(m-mean) > 5 || mean > 13 {
		t.Errorf("a mean of %v became %v, by %+v", mean, m, p.Laws[0])
	}
}
