package published_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/mine/forests"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/segment/tree/published"
	"github.com/dither-data/dither/table"
)

// people returns records of which the class follows from a number, a category and chance; rare categories are there.
func people(t *testing.T, n int, seed uint64) *table.Table {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	x, y, sort, class := make([]float64, n), make([]float64, n), make([]int32, n), make([]int32, n)
	for i := range n {
		x[i], y[i], sort[i] = 100*r.Float64(), float64(r.IntN(50)), int32(r.IntN(4))
		if i < 3 {
			sort[i] = 4 + int32(i)
		}
		if x[i] > 40 == (sort[i]%2 == 1) != (r.Float64() < 0.1) {
			class[i] = 1
		}
	}
	c := table.CatColumn("class", []string{"no", "yes"}, class)
	c.Role = table.Class
	tab := must.Get(table.New(table.NumColumn("x", 0, x), table.NumColumn("y", 1, y),
		table.CatColumn("sort", []string{"a", "b", "c", "d", "e", "f", "g"}, sort), c))(t)
	return tab
}

func grown(t *testing.T, tab *table.Table, trees int) *tree.Forest {
	t.Helper()
	l := c45.New()
	l.MinLeaf = 2
	if trees == 1 {
		g := must.Get(l.Grow(t.Context(), tab, tab.WithRole(table.Class)))(t)
		return tree.One(g)
	}
	s := forests.SysForNew()
	s.Trees, s.MinLeaf = trees, 2
	return must.Get(s.Grow(t.Context(), tab, tab.WithRole(table.Class)))(t)
}

// right is the share of the records whose class a forest predicts, through JSON.
func right(t *testing.T, f *tree.Forest, tab *table.Table) float64 {
	t.Helper()
	data := must.Get(json.Marshal(f))(t)
	var told tree.Forest
	must.NoError(t, json.Unmarshal(data, &told))
	own := must.Get(tab.Conform(told.Attrs(), true))(t)
	got, n := make([]int32, tab.Rows()), 0
	told.Predict(own, got)
	for i, c := range tab.Cat(tab.WithRole(table.Class)) {
		if got[i] == c {
			n++
		}
	}
	return float64(n) / float64(tab.Rows())
}

// What is prepared tells of nobody, by the attack, and still predicts.
func TestPreparedTellsLess(t *testing.T) {
	told := published.Findings{}
	for seed := range uint64(12) {
		tab, trees := people(t, 300, seed), 1+2*int(seed%2)
		f := grown(t, tab, trees)
		before := published.Attack(f, tab, published.Limits{People: 5, Counts: true})
		told.Small, told.Values, told.Listed = told.Small+before.Small, told.Values+before.Values, told.Listed+before.Listed
		told.Cells, told.Pure, told.Differences = told.Cells+before.Cells, told.Pure+before.Pure,
			told.Differences+before.Differences
		p := published.Prepare(f, tab, published.Limits{People: 5})
		if after := published.Attack(p, tab, published.Limits{People: 5}); after.Open() > 0 || after.Least < 5 {
			t.Errorf("seed %d: %+v", seed, after)
		}
		if a, b := right(t, f, tab), right(t, p, tab); b < a-0.06 {
			t.Errorf("seed %d: %.3f of the classes were right, now %.3f", seed, a, b)
		}
		if a := p.Attrs()[0]; !math.IsInf(a.Domain.Lo, -1) || len(p.Attrs()[2].Labels) != 4 {
			t.Errorf("seed %d: the schema lists %v and %v", seed, a.Domain, p.Attrs()[2].Labels)
		}
	}
	if told.Small == 0 || told.Values == 0 || told.Listed == 0 || told.Cells == 0 || told.Pure == 0 ||
		told.Differences == 0 {
		t.Errorf("the attack does not find what is there: %+v", told)
	}
}

// Each finding, counted by hand: x is 1 to 12, the classes are 8 no and 4 yes, and trees cut at 3, and at 8 and 9.
func TestFindingsByHand(t *testing.T) {
	x, class := make([]float64, 12), make([]int32, 12)
	for i := range x {
		if x[i] = float64(i + 1); i >= 8 {
			class[i] = 1
		}
	}
	c := table.CatColumn("class", []string{"no", "yes"}, class)
	c.Role = table.Class
	tab := must.Get(table.New(table.NumColumn("x", 1, x), c))(t)
	cut := func(cuts ...float64) *tree.Tree {
		out := &tree.Tree{Attrs: tab.Attrs(), Class: 1}
		for k, at := range cuts {
			n := int32(2 * k)
			out.Nodes = append(out.Nodes, tree.Node{Attr: 0, Cut: at, Kids: []int32{n + 1, n + 2}}, tree.Node{Attr: -1})
		}
		out.Nodes = append(out.Nodes, tree.Node{Attr: -1})
		out.Recount(tab)
		return out
	}
	f := &tree.Forest{Trees: []*tree.Tree{cut(3), cut(8, 9)}}
	got := published.Attack(f, tab, published.Limits{People: 4, Counts: true})
	want := published.Findings{Trees: 2, Leaves: 5, Least: 1,
		Small:  3, // x <= 3; 8 < x <= 9; x > 9
		Values: 3, // everybody has a value alone
		Listed: 1, // 1 and 12
		Cells:  3, // the three small ones; 5 no, 4 yes and 8 no are not
		Pure:   4, // all but x > 3
		// x > 8 in the first's x > 3: 9 - 4; all but 3 more: the roots (12 = 12), x > 3 in the second's root: 12 - 9 = 3
		Differences: 1,
	}
	if got != want {
		t.Errorf("%+v\n%+v", got, want)
	}
	// of three people who have four records each nobody is alone, and every leaf has few
	whose := make([]int32, 12)
	for i := range whose {
		whose[i] = int32(i / 4)
	}
	if got := published.Attack(f, tab.Owned(whose), published.Limits{People: 4}); got.Small != 5 || got.Least != 1 {
		t.Errorf("%+v", got)
	}
	// two who say that they are few
	if got := published.Attack(f, tab, published.Limits{People: 1, Counts: true}); got.Open() != got.Pure {
		t.Errorf("nobody is few: %+v", got)
	}
}
