package detective

import (
	"context"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Similar gives the strong pairs of every leaf, ordered by strength within an attribute, and names where they hold; and
// after them the weak ones of all pairs of siblings, each once for the node above.
func TestSimilar(t *testing.T) {
	tab := minetest.Mixed(600, 0.05)
	model := must.Get(param.Default(&DETECTIVELearner{}).Fit(context.Background(), tab, rng.Source{}))(t)
	m := model.(*DETECTIVEModel)
	var _ mine.ValueClusterer = m
	var _ mine.Described = m
	pairs, siblings := 0, map[mine.Alike]bool{}
	for k, c := range m.Attributes {
		for leaf := range c.Leaves {
			pairs += len(c.Strong(leaf))
			for other := range c.Leaves {
				for _, p := range c.Weak(leaf, other) {
					siblings[mine.Alike{Attribute: c.Attribute, A: c.Labels[p.A], B: c.Labels[p.B], Within: m.Above[k][leaf],
						Weak: true}] = true
				}
			}
		}
	}
	got := m.Similar()
	if len(got) != pairs+len(siblings) || pairs == 0 || len(siblings) == 0 {
		t.Fatalf("%d similar pairs, %d strong and %d weak ones", len(got), pairs, len(siblings))
	}
	for i, a := range got {
		if i > 0 && got[i-1].Attribute == a.Attribute && got[i-1].Strength < a.Strength {
			t.Errorf("pair %d is stronger than the one before", i)
		}
		if (a.Strength > 0) == a.Weak || a.A == a.B || a.Weak && !siblings[a] {
			t.Errorf("pair %d: %+v", i, a)
		}
		delete(siblings, a)
	}
	if len(siblings) > 0 {
		t.Errorf("weak pairs are left out: %v", siblings)
	}
	for k, c := range m.Attributes {
		if len(m.Conditions[k]) != len(c.Leaves) {
			t.Errorf("%s has %d leaves and %d conditions", c.Attribute, len(c.Leaves), len(m.Conditions[k]))
		}
		if !strings.Contains(m.Text(), c.Attribute+": ") {
			t.Errorf("the text leaves %s out", c.Attribute)
		}
	}
}

// The text says of an attribute that its tree is one leaf, and of others how their segments are met.
func TestDETECTIVEText(t *testing.T) {
	tab := tabletest.Of(t,
		table.CatColumn("a", []string{"x", "y"}, []int32{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}),
		table.CatColumn("b", []string{"x", "y"}, []int32{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1}),
		table.CatColumn("c", []string{"p", "q", "r"}, []int32{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}),
		table.CatColumn("one", []string{"x"}, make([]int32, 12)))
	l := param.Default(&DETECTIVELearner{})
	l.MinLeaf, l.NoPrune = 2, true
	model := must.Get(l.Fit(context.Background(), tab, rng.Source{}))(t)
	text := model.(*DETECTIVEModel).Text()
	for _, want := range []string{
		"c: alike in 3 segments\n  a = x\n    p (4)\n  a = y and b = x\n    q (4)\n  a = y and b = y\n    r (4)\n",
		"c: weakly alike, in sibling segments of\n  a = y\n    q ~ r\n",
		"\none: no other attribute tells its values apart\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
}
