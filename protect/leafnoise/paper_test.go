package leafnoise_test

import (
	"context"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/protect/leafnoise"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// fitted fits the technique of an entry on the tree made by hand.
func fitted(t testing.TB, m protect.Method, tab *table.Table, spread float64, except ...string) *leafnoise.Plan {
	t.Helper()
	q := m.New().(*leafnoise.Technique)
	q.Tree, q.Spread, q.Except = protecttest.Tree(tab), spread, except
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	return p.(*leafnoise.Plan)
}

// each runs a test for both entries.
func each(t *testing.T, test func(t *testing.T, m protect.Method)) {
	for _, m := range leafnoise.Methods {
		t.Run(m.Name, func(t *testing.T) { test(t, m) })
	}
}

// Islam 2007, sections 5.2 and 5.3: only innocent, or only influential values change, and no record moves. Every
// column of Changes has a cell that changes.
func TestCells(t *testing.T) { each(t, cells) }

func cells(t *testing.T, m protect.Method) {
	tab := protecttest.Mixed(1000)
	p := fitted(t, m, tab, 33.33)
	leaf := must.Get(p.Route(tab))(t)
	out := must.Get(p.Apply(tab, protecttest.Seed(2)))(t)
	segments := p.Tree.Segments()
	changed := make(map[string]bool)
	for j := range tab.Width() {
		for i, v := range tab.Num(j) {
			if got := out.Num(j)[i]; got == v || math.IsNaN(v) {
				continue
			}
			if influential := segments[leaf[i]].Influential(j); influential != (m.Name == "linfapt") {
				t.Fatalf("column %q, row %d: a cell changes whose being influential is %v", tab.Attr(j).Name, i, influential)
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
	after := must.Get(p.Route(out))(t)
	for i := range leaf {
		if leaf[i] != after[i] {
			t.Fatalf("record %d moves from leaf %d to leaf %d", i, leaf[i], after[i])
		}
	}
}

// A column named in except keeps its values; a spread of 0 keeps all of them, those of a continuous attribute on its
// implied grid.
func TestExceptAndSpread(t *testing.T) { each(t, exceptAndSpread) }

func exceptAndSpread(t *testing.T, m protect.Method) {
	tab := protecttest.Mixed(200)
	for _, name := range fitted(t, m, tab, 33.33, "age").Changes() {
		if name == "age" || name == "weight" {
			t.Errorf("the plan changes %q", name)
		}
	}
	out := must.Get(fitted(t, m, tab, 0).Apply(tab, protecttest.Seed(1)))(t)
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

// A plan for the cells of one technique is not one of the other.
func TestOtherCells(t *testing.T) {
	each(t, func(t *testing.T, m protect.Method) {
		p := fitted(t, m, protecttest.Mixed(100), 33.33)
		if err := p.Check(); err != nil {
			t.Error(err)
		}
		if p.Cells = leafwise.AllCells; p.Check() == nil {
			t.Error("a plan for all cells is accepted")
		}
	})
}

// 1,000,000 records take 0.25 of the yardstick for every column that has such cells.
func BenchmarkApply(b *testing.B) {
	protecttest.BenchFamily(b, leafnoise.Methods, func(b *testing.B, m protect.Method, rows int) {
		t := protecttest.Mixed(rows)
		p := fitted(b, m, t, 33.33)
		leaf := must.Get(p.Route(t))(b)
		for b.Loop() {
			must.Get(p.ApplyLeaves(t, leaf, protecttest.Seed(1)))(b)
		}
		yardstick.Report(b)
		values := float64(b.N) * float64(rows) * float64(len(p.Columns))
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/values, "ns/value")
	}, 30_000, 1_000_000)
}
