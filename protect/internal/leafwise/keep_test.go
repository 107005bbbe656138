package leafwise_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
	"github.com/dither-data/dither/wrap"
)

// dumbInside tells whether a value satisfies all numeric tests on attribute j on the way to the leaf that the other
// record reaches: the definition of the sub-domain, without intervals.
func dumbInside(tr *tree.Tree, row func(j int) (num float64, cat int32), j int, v float64) bool {
	for n := &tr.Nodes[0]; !n.Leaf(); {
		num, cat := row(n.Attr)
		k := n.Heavy
		switch {
		case n.Branch != nil && cat >= 0 && n.Branch[cat] >= 0:
			k = n.Branch[cat]
		case n.Branch == nil && num <= n.Cut:
			k = 0
		case n.Branch == nil && num > n.Cut:
			k = 1
		}
		if n.Attr == j && (v <= n.Cut) != (k == 0) {
			return false
		}
		n = &tr.Nodes[n.Kids[k]]
	}
	return true
}

// On random tables, with the tree grown on them, every released value passes the tests of its record's leaf, and no
// record moves. The cuts of such trees fall on and between grid values of all steps.
func TestNoValueLeavesItsSubDomain(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tab := randomTable(t)
		l := leaves()
		l.MinLeaf, l.NoPrune = 2, true
		in := must.Get(l.Segment(context.Background(), aggregate.Over(tab, protecttest.Seed(1))))(t)
		p := &leafwise.LeafNoise{
			InLeaves: in,
			Cells:    leafwise.AllCells,
			Noise:    wrap.Noise{Spread: rapid.Float64Range(0, 1000).Draw(t, "spread")},
		}
		columns := must.Get(protect.Columns(tab, table.Numeric, nil))(t)
		p.Select(columns)
		out := must.Get(p.Apply(tab, protecttest.Seed(byte(rapid.IntRange(0, 255).Draw(t, "seed")))))(t)
		before, _ := p.Route(tab)
		after, _ := p.Route(out)
		for i := range before {
			if before[i] != after[i] {
				t.Fatalf("record %d moves from leaf %d to %d", i, before[i], after[i])
			}
			row := func(j int) (float64, int32) {
				if tab.Attr(j).Kind == table.Numeric {
					return tab.Num(j)[i], -1
				}
				return 0, tab.Cat(j)[i]
			}
			for _, j := range columns {
				v, a := out.Num(j)[i], tab.Attr(j)
				if math.IsNaN(v) {
					continue
				}
				if !dumbInside(in.Tree, row, j, v) || !a.Domain.Contains(v) || a.Snap(v) != v {
					t.Fatalf("record %d, column %q: %v becomes %v", i, a.Name, tab.Num(j)[i], v)
				}
			}
		}
	})
}

func randomTable(t *rapid.T) *table.Table {
	n := rapid.IntRange(1, 40).Draw(t, "records")
	var cols []table.Column
	for k, step := range []float64{1, 0.1, 0.01, 0, 5} {
		v := make([]float64, n)
		for i := range v {
			v[i] = table.Snap(float64(rapid.IntRange(-300, 300).Draw(t, "value"))/10, step)
			if rapid.IntRange(0, 9).Draw(t, "missing") == 0 {
				v[i] = math.NaN()
			}
		}
		cols = append(cols, table.NumColumn(string(rune('a'+k)), step, v))
	}
	codes := func(labels int) []int32 {
		c := make([]int32, n)
		for i := range c {
			c[i] = int32(rapid.IntRange(-1, labels-1).Draw(t, "code"))
		}
		return c
	}
	class := table.CatColumn("class", []string{"x", "y", "z"}, codes(3))
	class.Role = table.Class
	class.Cat[0] = 0 // one class is known
	cols = append(cols, table.CatColumn("f", []string{"p", "q", "r"}, codes(3)), class)
	return tabletest.Of(t, cols...)
}
