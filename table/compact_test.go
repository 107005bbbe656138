package table

import (
	"slices"
	"testing"
)

// The labels of a compact column are a function of its values: which labels there were besides and their order do not
// show.
func TestCompactShowsValuesOnly(t *testing.T) {
	a := CatColumn("c", []string{"widowed", "married", "single"}, []int32{1, -1, 2, 1}).Compact()
	b := CatColumn("c", []string{"single", "never", "married", "other"}, []int32{2, -1, 0, 2}).Compact()
	want := []string{"married", "single"}
	if !slices.Equal(a.Labels, want) || !slices.Equal(b.Labels, want) || !slices.Equal(a.Cat, b.Cat) ||
		!slices.Equal(a.Cat, []int32{0, -1, 1, 0}) {
		t.Errorf("%v %v and %v %v", a.Labels, a.Cat, b.Labels, b.Cat)
	}
	o := CatColumn("c", []string{"low", "mid", "high"}, []int32{2, 0})
	o.Ordered = true
	if o = o.Compact(); !slices.Equal(o.Labels, []string{"low", "high"}) || !slices.Equal(o.Cat, []int32{1, 0}) {
		t.Errorf("ordered: %v %v", o.Labels, o.Cat)
	}
	d := CatColumn("c", []string{"b", "a"}, []int32{0})
	d.Declared = true
	if d = d.Compact(); !slices.Equal(d.Labels, []string{"b", "a"}) {
		t.Errorf("declared labels changed: %v", d.Labels)
	}
}
