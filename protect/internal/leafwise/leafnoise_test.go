package leafwise_test

import (
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
	"github.com/dither-data/dither/wrap"
)

func noise(tab *table.Table, cells leafwise.Cells) *leafwise.LeafNoise {
	p := &leafwise.LeafNoise{Cells: cells, Noise: wrap.Noise{Spread: 33.33}}
	p.Tree = protecttest.Tree(tab)
	columns, err := protect.Columns(tab, table.Numeric, nil)
	if err != nil {
		panic(err)
	}
	p.Select(columns)
	return p
}

// Influential and innocent cells are disjoint, and together they are all cells, with the same noise: LINFAPT and
// LINNAPT one after the other are one plan for all cells.
func TestInfluentialAndInnocentCellsAreAllCells(t *testing.T) {
	tab := protecttest.Mixed(1000)
	src := protecttest.Seed(3)
	var out []*table.Table
	for _, cells := range []leafwise.Cells{leafwise.Influential, leafwise.Innocent, leafwise.AllCells} {
		got := must.Get(noise(tab, cells).Apply(tab, src))(t)
		out = append(out, got)
	}
	changed := [3]int{}
	for j := range tab.Width() {
		for i, v := range tab.Num(j) {
			a, b, all := out[0].Num(j)[i], out[1].Num(j)[i], out[2].Num(j)[i]
			if math.IsNaN(v) {
				continue
			}
			if a != v && b != v {
				t.Fatalf("column %d, row %d is perturbed as influential and as innocent", j, i)
			}
			if want := a + b - v; a == v && all != b || b == v && all != a {
				t.Fatalf("column %d, row %d: all cells give %v, expected %v", j, i, all, want)
			}
			for k, w := range []float64{a, b, all} {
				if w != v {
					changed[k]++
				}
			}
		}
	}
	if changed[0] == 0 || changed[1] == 0 || changed[0]+changed[1] != changed[2] {
		t.Errorf("changed influential, innocent and all cells: %v", changed)
	}
}

// Applied to new data, a plan releases no value raw: where the leaf has one value, and where the leaf lies outside the
// domain.
func TestNewDataAreNotReleasedRaw(t *testing.T) {
	const rows = 50
	x := table.NumColumn("x", 1, make([]float64, rows))
	x.Domain, x.Declared = table.Interval{Lo: 1, Hi: 10}, true
	class := table.CatColumn("class", []string{"a"}, make([]int32, rows))
	class.Role = table.Class
	tab := tabletest.Of(t, x, class)
	for _, c := range []struct{ cut, value, least, most float64 }{
		{9, 4711.25, 10, 10}, {9, 77, 10, 10}, {9, 10, 10, 10}, {9, -3, 1, 9}, {1, -3.5, 1, 1}, {20, 4711.25, 1, 10},
		{0, -3, 1, 10},
	} {
		p := &leafwise.LeafNoise{Cells: leafwise.AllCells, Noise: wrap.Noise{Spread: 33.33}}
		p.Tree = &tree.Tree{
			Attrs: tab.Attrs(),
			Class: 1,
			Nodes: []tree.Node{{Attr: 0, Cut: c.cut, Kids: []int32{1, 2}}, {Attr: -1}, {Attr: -1}},
		}
		p.Tree.Recount(tab)
		p.Select([]int{0})
		for i := range x.Num {
			x.Num[i] = c.value
		}
		dirty := must.Get(tab.WithColumn(0, x))(t)
		out := must.Get(p.Apply(dirty, protecttest.Seed(1)))(t)
		for _, v := range out.Num(0) {
			if v < c.least || v > c.most || v != math.Trunc(v) {
				t.Fatalf("cut at %v: %v becomes %v, expected %v to %v", c.cut, c.value, v, c.least, c.most)
			}
		}
	}
}

// An error shows a domain that was declared, not one that was observed: that is the smallest and the largest original.
func TestErrorsHideTheObservedDomain(t *testing.T) {
	x := table.NumColumn("x", 0.001, []float64{-4711, 1e15})
	for _, declared := range []bool{true, false} {
		x.Declared = declared
		tab := tabletest.Of(t, x)
		_, err := protect.Columns(tab, table.Numeric, nil)
		if err == nil || strings.Contains(err.Error(), "4711") != declared {
			t.Errorf("declared %v: %v", declared, err)
		}
	}
}

func TestLeafNoiseCheck(t *testing.T) {
	tab := protecttest.Mixed(20)
	must.NoError(t, noise(tab, leafwise.AllCells).Check())
	for what, spoil := range map[string]func(*leafwise.LeafNoise){
		"no tree":         func(p *leafwise.LeafNoise) { p.Tree = nil },
		"unknown cells":   func(p *leafwise.LeafNoise) { p.Cells = "some" },
		"negative spread": func(p *leafwise.LeafNoise) { p.Spread = -1 },
		"no spread":       func(p *leafwise.LeafNoise) { p.Spread = math.NaN() },
		"columns":         func(p *leafwise.LeafNoise) { p.Columns = []int{4} },
	} {
		p := noise(tab, leafwise.AllCells)
		spoil(p)
		if p.Check() == nil {
			t.Errorf("%s: the plan is accepted", what)
		}
	}
}
