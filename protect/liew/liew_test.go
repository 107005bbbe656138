package liew

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestConformance(t *testing.T) {
	for _, d := range []string{normal, uniform, best, exponential}[:long.Of(2, 4)] {
		t.Run(d, func(t *testing.T) {
			protecttest.Run(t, Method, protecttest.Options{Set: map[string]string{"density": d}})
		})
	}
}

func FuzzPlan(f *testing.F) { protecttest.FuzzPlan(f, Method, protecttest.Options{}) }

func released(t testing.TB, q *Technique, tab *table.Table) (*Plan, *table.Table) {
	t.Helper()
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	out := must.Get(executor.Run(context.Background(), p, tab, protecttest.Seed(2), protect.Options{}))(t)
	return p.(*Plan), out
}

// The released values are the draws of the law, and the record whose original is the i-th smallest has the i-th
// smallest of them: worked out by looking for the smallest value that is left, again and again.
func TestTwin(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(rt, "records")
		x, draws := make([]float64, n), make([]rng.Block, n)
		for i := range x {
			x[i] = float64(rapid.IntRange(0, 5).Draw(rt, "value"))
			if rapid.IntRange(0, 6).Draw(rt, "gap") == 0 {
				x[i] = math.NaN()
			}
			draws[i] = rng.Block{A: rapid.Uint64().Draw(rt, "draw"), B: uint64(i)*7919%101<<32 + uint64(i)}
		}
		law := func(u float64) float64 { return 10 * u * u }
		got := deal(x, draws, law)
		var pool []float64
		left := map[int]bool{}
		for i := range x {
			if x[i] == x[i] {
				pool, left[i] = append(pool, law(rng.Unit(draws[i].A))), true
			} else if got[i] == got[i] {
				rt.Fatalf("a missing value became %v", got[i])
			}
		}
		slices.Sort(pool)
		for _, want := range pool {
			next := -1
			for i := range left {
				if next < 0 || x[i] < x[next] || x[i] == x[next] && draws[i].B < draws[next].B {
					next = i
				}
			}
			if got[next] != want {
				rt.Fatalf("record %d has %v, expected %v", next, got[next], want)
			}
			delete(left, next)
		}
	})
}

// The law that the values are drawn from is found again, with its figures.
func TestFit(t *testing.T) {
	const n = 20_000
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		law  Law
		draw func() float64
	}{
		{Law{Family: normal, A: 5, B: 2}, func() float64 { return 5 + 2*r.NormFloat64() }},
		{Law{Family: lognormal, A: 1, B: 0.5}, func() float64 { return math.Exp(1 + 0.5*r.NormFloat64()) }},
		{Law{Family: exponential, A: 3, B: 0.25}, func() float64 { return 3 + 4*r.ExpFloat64() }},
		{Law{Family: gamma, A: 3, B: 0.5}, distuv.Gamma{Alpha: 3, Beta: 0.5, Src: r}.Rand},
		{Law{Family: uniform, A: 0, B: 8}, func() float64 { return 8 * r.Float64() }},
	} {
		x := make([]float64, n)
		for i := range x {
			x[i] = c.draw()
		}
		tab := tabletest.Of(t, table.NumColumn("x", 0, x))
		p, out := released(t, New(), tab)
		l := p.Laws[0]
		near := func(got, want float64) bool { return math.Abs(got-want) < 0.06*math.Max(1, math.Abs(want)) }
		if l.Family != c.law.Family || !near(l.A, c.law.A) || !near(l.B, c.law.B) || l.Distance > 0.02 {
			t.Errorf("%+v became %+v", c.law, l)
		}
		// Mean and standard deviation of the release are those of the law: five standard errors are 0.04 deviations and, with
		// the kurtosis of 9 at most, 0.07.
		mean, sd := stat.MeanStdDev(x, nil)
		if m, s := stat.MeanStdDev(out.Num(0), nil); math.Abs(m-mean) > 0.05*sd || math.Abs(s/sd-1) > 0.1 {
			t.Errorf("%s: mean and deviation %v, %v became %v, %v", l.Family, mean, sd, m, s)
		}
		if k := stat.Correlation(x, out.Num(0), nil); k < 0.98 {
			t.Errorf("%s: the release correlates with the original by %v", l.Family, k)
		}
	}
}

// The distance is the largest over the ends of all steps, worked out by counting.
func TestDistance(t *testing.T) {
	x := []float64{1, 1, 2, 4, 4, 4, 7}
	d := distuv.Uniform{Min: 0, Max: 8}
	want := 0.0
	for _, v := range x {
		below, upto := 0.0, 0.0
		for _, w := range x {
			if w < v {
				below++
			}
			if w <= v {
				upto++
			}
		}
		want = max(want, math.Abs(d.CDF(v)-below/7), math.Abs(d.CDF(v)-upto/7))
	}
	uncut := cut{lo: -1e9, hi: 1e9, first: -1e9}
	protecttest.Near(t, "distance", distance(uncut.distance(d), x), want, 1e-15)
}

// Between the places of its table a quantile is off by less than 1 in 20,000 of the deviation, and it ascends.
func TestTabled(t *testing.T) {
	for _, d := range []distuv.Gamma{{Alpha: 0.3, Beta: 1}, {Alpha: 1, Beta: 0.1}, {Alpha: 30, Beta: 2}} {
		f, last := tabled(d.Quantile), 0.0
		n := long.Of(1_000, 20_000)
		for k := range n {
			u := (float64(k) + 0.3) / float64(n)
			got := f(u)
			if want := d.Quantile(u); math.Abs(got-want) > 5e-5*d.StdDev() || got < last-1e-12 {
				t.Fatalf("%+v at %v: %v, expected %v; before it %v", d, u, got, want, last)
			}
			last = got
		}
	}
}

func TestRefusedAndSaid(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("x", 1, []float64{-1, 2, 3, 4}))
	q := New()
	q.Density = gamma
	if _, err := q.Fit(t.Context(), tab, protecttest.Seed(1)); err == nil ||
		!strings.Contains(err.Error(), `column "x": a gamma distribution does not fit its values`) {
		t.Errorf("%v", err)
	}
	x := make([]float64, 100)
	for i := 90; i < 100; i++ {
		x[i] = float64(i)
	}
	p, _ := released(t, New(), tabletest.Of(t, table.NumColumn("x", 1, x)))
	if notes := fmt.Sprint(p.Notes()); !strings.Contains(notes, "which is large: its distribution is not kept") ||
		!strings.Contains(notes, "every record keeps its rank") {
		t.Error(notes)
	}
	for what, spoil := range map[string]func(*Law){
		"family": func(l *Law) { l.Family = "cauchy" }, "figure": func(l *Law) { l.A = math.NaN() },
		"infinite": func(l *Law) { l.B = math.Inf(1) }, "rate": func(l *Law) { l.Family, l.B = normal, 0 },
		"place": func(l *Law) { *l = Law{Family: uniform, A: 1e6, B: 2e6} },
	} {
		bad := *p
		bad.Laws = slices.Clone(p.Laws)
		if spoil(&bad.Laws[0]); bad.Check() == nil {
			t.Errorf("%s: a spoilt plan is not refused", what)
		}
	}
}

// Fit and release of six columns: 30,000 records take 0.3 of the yardstick on two cores that do nothing else, a million
// 5 times it (9 times its processor time).
func BenchmarkRelease(b *testing.B) {
	for _, rows := range []int{30_000, 1_000_000} {
		whole := protecttest.AdultLike(b, rows)
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			for b.Loop() {
				released(b, New(), whole)
			}
			yardstick.Report(b)
		})
	}
}
