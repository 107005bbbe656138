package study_test

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestFamiliar: new categories, and numbers outside a declared domain, are unknown; everything else stays.
func TestFamiliar(t *testing.T) {
	hold := tabletest.Of(t, table.NumColumn("age", 1, []float64{5, 50, 500}),
		table.NumColumn("pay", 1, []float64{5, 50, 500}),
		table.CatColumn("city", []string{"ur", "uruk"}, []int32{1, 0, -1}),
		table.CatColumn("extra", []string{"x"}, []int32{0, 0, 0}))
	schema := []table.Attribute{
		{Name: "city", Kind: table.Categorical, Labels: []string{"eridu", "ur"}},
		{Name: "age", Step: 1, Domain: table.Interval{Lo: 0, Hi: 100}, Declared: true},
		{Name: "pay", Step: 1, Domain: table.Interval{Lo: 0, Hi: 100}},
		{Name: "gone", Kind: table.Categorical},
	}
	got, n := study.Familiar(hold, schema)
	if n != 2 {
		t.Errorf("%d records have values that the schema cannot hold, expected 2", n)
	}
	if a := got.Num(0); a[0] != 5 || a[1] != 50 || !math.IsNaN(a[2]) || hold.Num(0)[2] != 500 {
		t.Errorf("ages %v", a)
	}
	if !slices.Equal(got.Num(1), []float64{5, 50, 500}) {
		t.Errorf("a domain that was observed cuts: %v", got.Num(1))
	}
	if !slices.Equal(got.Cat(2), []int32{-1, 1, -1}) || !slices.Equal(got.Attr(2).Labels, []string{"eridu", "ur"}) {
		t.Errorf("cities %v of %v", got.Cat(2), got.Attr(2).Labels)
	}
}
