package capt

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine/detective"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// cities is the section of figure 6.5 that section 6.5 speaks of: leaf 19 (4 Sydney) with its sibling leaf 20 (2
// Melbourne), and leaf 22 (4 Armidale, 1 Sydney) with its sibling leaf 23 (3 Sydney, 1 Armidale; the thesis gives its
// majority only).
func cities() *detective.Clusters {
	const sydney, melbourne, armidale = 0, 1, 2
	return &detective.Clusters{Labels: []string{"Sydney", "Melbourne", "Armidale"}, Leaves: []detective.Leaf{
		{Parent: 1, Values: []detective.Value{{Code: sydney, Count: 4}}, Majority: sydney},
		{Parent: 1, Values: []detective.Value{{Code: melbourne, Count: 2}}, Majority: melbourne},
		{Parent: 4, Values: []detective.Value{{Code: sydney, Count: 1}, {Code: armidale, Count: 4}}, Majority: armidale},
		{Parent: 4, Values: []detective.Value{{Code: sydney, Count: 3}, {Code: armidale, Count: 1}}, Majority: sydney},
	}}
}

// TestLeaf22 is the heterogeneous example of section 6.5: Sydney with p and (1-p)l, Armidale with (1-p)q, q = 4/5, l
// = 1/5, whatever the record's own value.
func TestLeaf22(t *testing.T) {
	for old := range int32(3) {
		wantLaw(t, Law(cities(), 0.1, false, 2, old), 0.1+0.9/5, 0, 0.9*4/5)
	}
}

// TestLeaf19 is the homogeneous example of section 6.5: Melbourne with p, else unchanged.
func TestLeaf19(t *testing.T) { wantLaw(t, Law(cities(), 0.1, false, 0, 0), 0.9, 0.1, 0) }

// TestNoSibling is "if a heterogeneous leaf does not have any siblings CAPT shuffles the class values of the leaf
// with a probability equal to one".
func TestNoSibling(t *testing.T) {
	c := cities()
	c.Leaves = c.Leaves[:3]
	wantLaw(t, Law(c, 0.1, false, 2, 1), 0.2, 0, 0.8)
}

func wantLaw(t *testing.T, got []float64, want ...float64) {
	t.Helper()
	for v := range want {
		if math.Abs(got[v]-want[v]) > 1e-15 {
			t.Errorf("the law is %v, expected %v", got, want)
			return
		}
	}
}

func fit(t testing.TB, tab *table.Table, set map[string]string) *Plan {
	t.Helper()
	q := New()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, rng.New([32]byte{5})))(t)
	return p.(*Plan)
}

func release(t testing.TB, p protect.Plan, tab *table.Table, seed byte) *table.Table {
	t.Helper()
	out := must.Get(executor.Run(context.Background(), p, tab, rng.New([32]byte{seed}), protect.Options{}))(t)
	return out
}

// TestUnrelated is the last sentence of the technique in section 6.5: a value of an attribute that is totally
// unrelated to all others is perturbed to another one with probability p. The attribute here has nothing to be
// related to. A share of 0.1 of 4,000 is off by five standard errors (0.024) with probability 6e-7.
func TestUnrelated(t *testing.T) {
	cars := generate.CS(4000, rng.New([32]byte{1})).Column(2)
	tab := tabletest.Of(t, cars, table.CatColumn("constant", []string{"x"}, make([]int32, 4000)))
	p := fit(t, tab, nil)
	out := release(t, p, tab, 2)
	changed, to := 0, map[int32]int{}
	for i, v := range cars.Cat {
		if w := out.Cat(0)[i]; w != v {
			changed++
			to[w]++
		}
	}
	if share := float64(changed) / 4000; math.Abs(share-0.1) > 0.024 {
		t.Errorf("%v of the values changed, expected 0.1", share)
	}
	if len(to) != 4 {
		t.Errorf("values changed to %v, expected all four", to)
	}
	if notes := p.Notes(); len(notes) != 2 || !strings.Contains(notes[0].String(), `"Car Make" is taken as unrelated`) {
		t.Errorf("notes are %q", notes)
	}
}

// TestReleaseFollowsLaw perturbs the two data sets of section 6.6.2, all attributes at once, 40 times and compares, for
// every attribute, leaf and old value, the frequencies with the exact law, each cell at the level 1e-6/cells: a right
// program fails once in a million.
func TestReleaseFollowsLaw(t *testing.T) {
	const cells = 22_035
	compared := 0
	for _, tab := range []*table.Table{generate.CR(3000, rng.New([32]byte{1})), generate.CS(399, rng.New([32]byte{1}))} {
		p := fit(t, tab, map[string]string{"influential": "paper"})
		var outs []*table.Table
		for seed := range byte(40) {
			outs = append(outs, release(t, p, tab, seed))
		}
		for _, c := range p.Columns {
			if c.Tree != nil {
				compared += followsLaw(t, p, c, tab, outs, 1e-6/cells)
			}
		}
	}
	if compared != cells {
		t.Errorf("%d cells are compared, expected %d", compared, cells)
	}
}

// followsLaw returns the number of cells it compares, each at the level alpha.
func followsLaw(t *testing.T, p *Plan, c Column, tab *table.Table, outs []*table.Table, alpha float64) (compared int) {
	type cell struct{ leaf, old, v int32 }
	seen, records := map[cell]float64{}, map[cell]float64{}
	var tested []int
	for _, a := range c.Tree.Attrs {
		tested = append(tested, tab.Find(a.Name))
	}
	number := leaves(c.Tree, tab.Select(tested...))
	for _, out := range outs {
		for i, old := range tab.Cat(c.Column) {
			seen[cell{number[i], old, out.Cat(c.Column)[i]}]++
			records[cell{number[i], old, -1}]++
		}
	}
	clusters := c.Clusters()
	for k, n := range records {
		for v, q := range Law(clusters, p.P, false, int(k.leaf), k.old) {
			compared++
			if f := seen[cell{k.leaf, k.old, int32(v)}]; far(f, n, q, alpha) {
				t.Errorf("%s, leaf %d, %d -> %d: %v of %v, probability %v", clusters.Attribute, k.leaf, k.old, v, f, n, q)
			}
		}
	}
	return compared
}
