package linnapt

import (
	"context"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/yardstick"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// fitted fits the technique on the tree made by hand.
func fitted(t testing.TB, tab *table.Table, spread float64, except ...string) *Plan {
	t.Helper()
	q := New()
	q.Tree, q.Spread, q.Except = protecttest.Tree(tab), spread, except
	p, err := q.Fit(context.Background(), tab, protecttest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	return p.(*Plan)
}

// Islam 2007, section 5.2: only innocent values change, and no record moves. Every column of Changes has a cell that changes.
func TestSection52Cells(t *testing.T) {
	tab := protecttest.Mixed(1000)
	p := fitted(t, tab, 33.33)
	leaf, err := p.Route(tab)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Apply(tab, protecttest.Seed(2))
	if err != nil {
		t.Fatal(err)
	}
	segments := p.Tree.Segments()
	changed := make(map[string]bool)
	for j := range tab.Width() {
		for i, v := range tab.Num(j) {
			if got := out.Num(j)[i]; got == v || math.IsNaN(v) {
				continue
			}
			if segments[leaf[i]].Influential(j) {
				t.Fatalf("column %q, row %d: a cell that is influential changes", tab.Attr(j).Name, i)
			}
			changed[tab.Attr(j).Name] = true
		}
	}
	for _, n := range p.Changes() {
		if !changed[n] {
			t.Errorf("column %q does not change", n)
		}
	}
	if len(changed) != len(p.Changes()) {
		t.Errorf("columns %v change, the plan names %q", changed, p.Changes())
	}
	after, err := p.Route(out)
	if err != nil {
		t.Fatal(err)
	}
	for i := range leaf {
		if leaf[i] != after[i] {
			t.Fatalf("record %d moves from leaf %d to leaf %d", i, leaf[i], after[i])
		}
	}
}

// A column named in except keeps its values; a spread of 0 keeps all of them, those of a continuous attribute on its implied grid.
func TestExceptAndSpread(t *testing.T) {
	tab := protecttest.Mixed(200)
	for _, name := range fitted(t, tab, 33.33, "age").Changes() {
		if name == "age" || name == "weight" {
			t.Errorf("the plan changes %q", name)
		}
	}
	out, err := fitted(t, tab, 0).Apply(tab, protecttest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	for j := range tab.Width() {
		near := 0.0
		if a := tab.Attr(j); a.Step == 0 {
			near = 0x1p-39 * (a.Domain.Hi - a.Domain.Lo)
		}
		for i, v := range tab.Num(j) {
			if got := out.Num(j)[i]; math.Abs(got-v) > near {
				t.Fatalf("column %d: %v becomes %v with spread 0", j, v, got)
			}
		}
	}
}

// 1,000,000 records take 0.25 of the yardstick for every column that has
// such cells.
func BenchmarkApply(b *testing.B) {
	for _, size := range []struct {
		name string
		rows int
	}{{"30k", 30_000}, {"1M", 1_000_000}} {
		t := protecttest.Mixed(size.rows)
		p := fitted(b, t, 33.33)
		leaf, err := p.Route(t)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := p.ApplyLeaves(t, leaf, protecttest.Seed(1)); err != nil {
					b.Fatal(err)
				}
			}
			yardstick.Report(b)
			values := float64(b.N) * float64(size.rows) * float64(len(p.Columns))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/values, "ns/value")
		})
	}
}
