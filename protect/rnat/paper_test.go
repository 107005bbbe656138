package rnat_test

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

//go:embed testdata/wraparound.json
var wraparound []byte

// Islam 2007, section 5.4: the released value follows the law of uniform noise on -(D-1)..D-1, wrapped. At five
// standard errors a right program fails one of these twelve probabilities once in 140,000.
func TestSection54Law(t *testing.T) {
	type in struct{ A, D, X int }
	type out struct{ Probabilities []struct{ Y, P float64 } }
	for _, c := range protecttest.Cases[in, out](t, wraparound, "rnat_kernel") {
		seen := make(map[float64]float64)
		for _, v := range released(t, column(float64(c.Input.A), float64(c.Input.A+c.Input.D-1), 1, float64(c.Input.X),
			c.Tolerance.Runs)) {
			seen[v]++
		}
		runs := float64(c.Tolerance.Runs)
		for _, e := range c.Expected.Probabilities {
			if z := (seen[e.Y]/runs - e.P) / math.Sqrt(e.P*(1-e.P)/runs); math.Abs(z) > c.Tolerance.MaxZ {
				t.Errorf("%s: %v comes with %v, expected %v (z = %.1f)", c.Name, e.Y, seen[e.Y]/runs, e.P, z)
			}
			delete(seen, e.Y)
		}
		if len(seen) != 0 {
			t.Errorf("%s: values outside the law: %v", c.Name, seen)
		}
	}
}

// On a continuous domain the result is uniform, whatever the value was. A right program fails once in a million.
func TestContinuousIsUniform(t *testing.T) {
	const runs, cells = 100_000, 50
	seen := make([]float64, cells)
	for _, v := range released(t, column(-2, 3, 0, 2.5, runs)) {
		seen[int((v+2)/5*cells)]++
	}
	chi := 0.0
	for _, n := range seen {
		chi += (n - runs/cells) * (n - runs/cells) / (runs / cells)
	}
	if p := (distuv.ChiSquared{K: cells - 1}).Survival(chi); p < 1e-6 {
		t.Errorf("chi-square %.1f of %v", chi, seen)
	}
}

// A weight, a numeric class and a column named in except keep their values.
func TestWhatIsLeftAlone(t *testing.T) {
	tab := protecttest.Mixed(50)
	a := *tab.Attr(tab.Find("hours"))
	a.Role = table.Class
	tab = tab.WithAttr(tab.Find("hours"), a)
	q := rnat.New()
	q.Except = []string{"age", "city"}
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	if got, want := fmt.Sprint(p.Changes()), "[income temperature ratio score]"; got != want {
		t.Errorf("the plan changes %s, expected %s", got, want)
	}
}

func TestRefusals(t *testing.T) {
	plain := column(0, 9, 1, 3, 5)
	id := *plain.Attr(0)
	id.Role = table.Identifier
	endless := *plain.Attr(0)
	endless.Domain = table.Everything()
	for what, tab := range map[string]*table.Table{
		"an identifier":           plain.WithAttr(0, id),
		"a domain without limits": plain.WithAttr(0, endless),
	} {
		if _, err := rnat.New().Fit(context.Background(), tab, protecttest.Seed(1)); err == nil {
			t.Errorf("%s is accepted", what)
		}
	}
}

func column(lo, hi, step, value float64, n int) *table.Table {
	v := make([]float64, n)
	for i := range v {
		v[i] = value
	}
	c := table.NumColumn("x", step, v)
	c.Domain = table.Interval{Lo: lo, Hi: hi}
	return tabletest.Must(c)
}

func released(t *testing.T, tab *table.Table) []float64 {
	t.Helper()
	p := must.Get(rnat.New().Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	out := must.Get(p.Apply(tab, protecttest.Seed(7)))(t)
	return out.Num(0)
}

// 1,000,000 records take 0.25 of the yardstick for every column.
func BenchmarkApply(b *testing.B) {
	for _, size := range []struct {
		name string
		rows int
	}{{"30k", 30_000}, {"1M", 1_000_000}} {
		t := protecttest.Mixed(size.rows)
		p := must.Get(rnat.New().Fit(context.Background(), t, protecttest.Seed(1)))(b)
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				must.Get(p.Apply(t, protecttest.Seed(1)))(b)
			}
			yardstick.Report(b)
			values := float64(b.N) * float64(size.rows) * float64(len(p.Changes()))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/values, "ns/value")
		})
	}
}
