package detective

import (
	"context"
	"strings"
	"testing"

	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
)

// Similar gives the strong pairs of every leaf, ordered by strength within an attribute, and names where they hold.
func TestSimilar(t *testing.T) {
	tab := minetest.Mixed(600, 0.05)
	model, err := param.Default(&DETECTIVELearner{}).Fit(context.Background(), tab, rng.Source{})
	if err != nil {
		t.Fatal(err)
	}
	m := model.(*DETECTIVEModel)
	var _ mine.ValueClusterer = m
	var _ mine.Described = m
	pairs := 0
	for _, c := range m.Attributes {
		for leaf := range c.Leaves {
			pairs += len(c.Strong(leaf))
		}
	}
	got := m.Similar()
	if len(got) != pairs || pairs == 0 {
		t.Fatalf("%d similar pairs, %d strong ones", len(got), pairs)
	}
	for i, a := range got {
		if i > 0 && got[i-1].Attribute == a.Attribute && got[i-1].Strength < a.Strength {
			t.Errorf("pair %d is stronger than the one before", i)
		}
		if a.Strength <= 0 || a.A == a.B {
			t.Errorf("pair %d: %+v", i, a)
		}
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
