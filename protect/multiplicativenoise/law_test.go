package multiplicativenoise

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func ones(rows int) *table.Table {
	return tabletest.Must(table.NumColumn("x", 0, each(rows, func(int) float64 { return 1 })))
}

// The factor follows the truncated normal law: Kolmogorov-Smirnov, which a right program fails once in a million.
func TestFactorIsTruncatedNormal(t *testing.T) {
	const n, s = 200_000, 0.1
	f := slices.Clone(released(t, ones(n), nil).Num(0))
	slices.Sort(f)
	law := distuv.Normal{Mu: 1, Sigma: s}
	low, all := law.CDF(1-2*s), law.CDF(1+2*s)-law.CDF(1-2*s)
	worst := 0.0
	for i, v := range f {
		p := (law.CDF(v) - low) / all
		worst = max(worst, p-float64(i)/n, float64(i+1)/n-p)
	}
	if bound := math.Sqrt(-math.Log(1e-6/2) / (2 * n)); worst > bound {
		t.Errorf("distance %v, bound %v", worst, bound)
	}
	if f[0] < 0.8 || f[n-1] > 1.2 {
		t.Errorf("factors from %v to %v", f[0], f[n-1])
	}
}

// The variance of the truncated factor, by quadrature.
func TestVarianceOfTheFactor(t *testing.T) {
	law := distuv.UnitNormal
	all := quad.Fixed(law.Prob, -2, 2, 200, nil, 0)
	v := quad.Fixed(func(u float64) float64 { return u * u * law.Prob(u) }, -2, 2, 200, nil, 0) / all
	protecttest.Near(t, "variance", (&Factor{Spread: 0.3}).Variance(), 0.09*v, 1e-12)
}

// One value at a time, from the record's own normal and the quantile function of the truncated law.
func TestScheme1Twin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := protecttest.RandomTable(r)
		s := rapid.Float64Range(0.001, 0.5).Draw(r, "spread")
		p := &Plan{Attrs: tab.Attrs(), Outside: fence.OutsideAllow, Factor: &Factor{Spread: s}}
		p.Columns, _, _ = protect.Confidential(tab, nil)
		must.NoError(t, p.count(t.Context(), aggregate.Over(tab, protecttest.Seed(1))))
		out := must.Get(p.Apply(tab, protecttest.Seed(3)))(r)
		for _, j := range p.Columns {
			for i, x := range tab.Num(j) {
				a, y := tab.Attr(j), out.Num(j)[i]
				want := a.Snap(x * (1 + s*truncated(protecttest.Seed(3).Fork(a.Name), tab.ID(i))))
				if a.Declared {
					want = min(max(want, a.Domain.Lo), a.Domain.Hi)
				}
				switch {
				case x != x && y != y:
				case !(math.Abs(y-want) < 1e-9*max(1, math.Abs(want))):
					r.Fatalf("%v becomes %v, expected %v", x, y, want)
				case math.Abs(y-x) > 2*s*math.Abs(x)+a.Step/2+1e-9:
					r.Fatalf("%v becomes %v, farther than twice the spread %v", x, y, s)
				case x*y < 0:
					r.Fatalf("%v becomes %v, of the other sign", x, y)
				}
			}
		}
	})
}

func truncated(s rng.Source, id table.RecordID) float64 {
	z := make([]float64, 1)
	rng.Normals(s.Stream(), z, nil, id)
	n := distuv.UnitNormal
	return n.Quantile(n.CDF(-2) + n.CDF(z[0])*(n.CDF(2)-n.CDF(-2)))
}

// One value at a time, from the record's own normals and the root of the covariance of its noise.
func TestScheme2Twin(t *testing.T) {
	tab := protecttest.Mixed(300)
	p := fit(t, tab, map[string]string{"scheme": "2", "c": "0.3"})
	out := must.Get(p.Apply(tab, protecttest.Seed(3)))(t)
	z := make([]float64, len(p.Columns))
	for i := range tab.Rows() {
		for k, name := range p.Changes() {
			rng.Normals(protecttest.Seed(3).Fork(name).Stream(), z[k:k+1], nil, tab.ID(i))
		}
		for k, j := range p.Columns {
			e := 0.0
			for c := range z {
				e += p.Log.root.At(k, c) * z[c]
			}
			h, x, y, a := p.Log.Shift[k], tab.Num(j)[i], out.Num(j)[i], out.Attr(j)
			want := (x+h)*math.Exp(e-p.Log.Noise[k*len(z)+k]/2) - h
			want = min(max(a.Snap(want), a.Domain.Lo), a.Domain.Hi)
			if x == x && math.Abs(y-want) > 1e-9 || (x != x) != (y != y) {
				t.Fatalf("column %s: %v becomes %v, expected %v", a.Name, x, y, want)
			}
		}
	}
}

// What the plan tells an intruder: z = x + e, e of mean 0, uncorrelated with x, and of the covariance it states.
func TestAdditive(t *testing.T) {
	rows := long.Of(20_000, 200_000)
	for _, set := range []map[string]string{{"spread": "0.3"}, {"scheme": "2", "c": "0.1"},
		{"scheme": "2", "c": "0.1", "keepMean": "false"}} {
		tab := lognormals(rows)
		var known noisemodel.Additive = fit(t, tab, set)
		names, z, noise, err := known.Additive(released(t, tab, set))
		if err != nil || len(names) != 3 {
			t.Fatal(names, err)
		}
		e := make([][]float64, 3)
		for k := range e {
			x := tab.Num(k)
			e[k] = each(rows, func(i int) float64 { return z[k][i] - x[i] })
			centred(t, "noise", e[k])
			centred(t, "noise and value", each(rows, func(i int) float64 { return e[k][i] * x[i] }))
		}
		for k := range e {
			for j := range k + 1 {
				// The stated covariance is an estimate, too, of about the same precision.
				mean, se := meanAndError(each(rows, func(i int) float64 { return e[k][i] * e[j][i] }))
				protecttest.Near(t, "covariance of the noise", noise.At(k, j), mean, 2*errorsAllowed*se)
				want := stated(fit(t, tab, set), z, k, j)
				protecttest.Near(t, "formula", noise.At(k, j), want, 1e-9*math.Abs(want))
			}
		}
	}
}

// stated returns the covariance of the noises of two columns: in scheme 1 E(z²) s2/(1+s2), 0 for two; in scheme 2
// E((z+h)(z'+h')) (1-exp(-c s)).
func stated(p *Plan, z [][]float64, k, j int) float64 {
	share, h, g := 0.0, 0.0, 0.0
	if p.Log != nil {
		share, h, g = 1-math.Exp(-p.Log.Noise[3*k+j]), p.Log.Shift[k], p.Log.Shift[j]
	} else if k == j {
		s2 := p.Factor.Variance()
		share = s2 / (1 + s2)
	}
	mean, _ := meanAndError(each(len(z[0]), func(i int) float64 { return (z[k][i] + h) * (z[j][i] + g) }))
	return share * mean
}

func meanAndError(terms []float64) (mean, se float64) {
	for _, v := range terms {
		mean += v / float64(len(terms))
	}
	for _, v := range terms {
		se += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(se) / float64(len(terms))
}
