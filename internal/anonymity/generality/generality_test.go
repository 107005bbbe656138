package generality

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func parsed(t *testing.T, name, text string) *hierarchy.Hierarchy {
	t.Helper()
	return must.Get(hierarchy.Parse(name, strings.NewReader(text)))(t)
}

// One cell of every kind: as it was, a group of each level, suppressed, missing before and after, another value, and
// one that comes from nowhere.
func TestOf(t *testing.T) {
	h := parsed(t, "city", "Ulm;South;DE;*\nKiel;North;DE;*\nBonn;North;DE;*\nRome;Lazio;IT;*\n")
	exact := table.CatColumn("city", []string{"Bonn", "Kiel", "Rome", "Ulm"}, []int32{3, 1, 1, 0, 2, -1, 0, -1})
	released := table.CatColumn("city", []string{"*", "DE", "North", "Ulm"}, []int32{3, 2, 1, 0, -1, -1, 3, 1})
	c, err := Of(&exact, &released, h)
	must.NoError(t, err)
	if want := []int{0, 1, 2, 3, -1, 0, -1, -1}; !slices.Equal(c.Levels, want) || c.Height != 3 || c.Gone != 1 ||
		c.Other != 2 {
		t.Errorf("%+v, expected levels %v", c, want)
	}
	if want := []float64{0, 1.0 / 3, 2.0 / 3, 1, 1, 0, 1, 1}; !slices.Equal(c.Spans, want) {
		t.Errorf("spans %v, expected %v", c.Spans, want)
	}
	if c, err = Of(&exact, &released, nil); err != nil || !slices.Equal(c.Levels, []int{0, -1, -1, -1, -1, 0, -1, -1}) ||
		c.Height != 1 {
		t.Errorf("without a hierarchy %+v, error %v", c, err)
	}
	if _, err = Of(&exact, &released, parsed(t, "city", "Ulm;*\nKiel;*\n")); err == nil {
		t.Error("a value that the hierarchy does not list is no error")
	}
}

// A plan knows the level of what was there; a value that comes from nowhere is lost, and what stays missing has lost
// nothing.
func TestFixed(t *testing.T) {
	exact := table.NumColumn("age", 1, []float64{20, 30, math.NaN(), math.NaN(), 40})
	released := table.CatColumn("age", []string{"< 30", "40"}, []int32{0, -1, 0, -1, 1})
	c := Fixed(&exact, &released, 1, 3, []float64{0.25, 0.75})
	if !slices.Equal(c.Levels, []int{1, -1, -1, 0, 1}) || !slices.Equal(c.Spans, []float64{0.25, 1, 1, 0, 0.75}) {
		t.Errorf("levels %v, spans %v", c.Levels, c.Spans)
	}
	if c.Height != 3 || c.Gone != 1 || c.Other != 1 {
		t.Errorf("%+v", c)
	}
}

// Numbers become intervals, or are listed; a label that is the number is the number.
func TestOfNumbers(t *testing.T) {
	exact := table.NumColumn("age", 1, []float64{20, 31, 49, math.NaN(), 60})
	h := hierarchy.Build(&exact)
	for level := 1; level <= h.Height(); level++ {
		g := must.Get(h.Groups(&exact, level))(t)
		released := table.CatColumn("age", h.Labels(level), g)
		c, err := Of(&exact, &released, h)
		if err != nil || c.Other != 0 || slices.Max(c.Levels) != level {
			t.Errorf("level %d: %+v, error %v", level, c, err)
		}
		for i, k := range g {
			if k >= 0 && c.Spans[i] != h.Spans(c.Levels[i])[k] && h.Labels(level)[k] == h.Labels(c.Levels[i])[k] {
				t.Errorf("level %d, row %d covers %v", level, i, c.Spans[i])
			}
		}
		f := Fixed(&exact, &released, level, h.Height(), h.Spans(level))
		if f.Levels[0] != level || f.Levels[3] != 0 || f.Spans[1] != h.Spans(level)[g[1]] {
			t.Errorf("level %d by the plan: %+v", level, f)
		}
	}
	released := table.CatColumn("age", []string{"20", "60"}, []int32{0, 1, -1, -1, 1})
	if c, err := Of(&exact, &released, nil); err != nil || !slices.Equal(c.Levels, []int{0, -1, -1, 0, 0}) ||
		c.Other != 1 {
		t.Errorf("%+v, error %v", c, err)
	}
	same := table.NumColumn("age", 1, []float64{20, 30, math.NaN(), math.NaN(), 60})
	if c, err := Of(&exact, &same, h); err != nil || !slices.Equal(c.Levels, []int{0, -1, -1, 0, 0}) || c.Gone != 1 {
		t.Errorf("%+v, error %v", c, err)
	}
}

func TestColumns(t *testing.T) {
	attrs := []table.Attribute{{Name: "a"}, {Name: "b", Role: table.Quasi}, {Name: "c", Role: table.Class},
		{Name: "d", Role: table.Weight}, {Name: "e"}}
	none := func(int) bool { return false }
	if got := Columns(attrs, none); !slices.Equal(got, []int{1}) {
		t.Errorf("%v", got)
	}
	if got := Columns(attrs, func(j int) bool { return j == 4 }); !slices.Equal(got, []int{1, 4}) {
		t.Errorf("%v", got)
	}
	attrs[1].Role = 0
	if got := Columns(attrs, none); !slices.Equal(got, []int{0, 1, 4}) {
		t.Errorf("%v", got)
	}
}

type recoding struct{ changes []string }

func (recoding) Schema() []table.Attribute                   { return nil }
func (r recoding) Changes() []string                         { return r.changes }
func (recoding) Recode(t *table.Table) (*table.Table, error) { return t, nil }

type noise struct{}

func (noise) Schema() []table.Attribute { return nil }
func (noise) Changes() []string         { return []string{"c"} }

// What a plan that generalises changes is known, and what a hierarchy is given of; what noise changes is not.
func TestKnown(t *testing.T) {
	attrs := []table.Attribute{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	known := Known(attrs, hierarchy.Set{"b": nil}, []noisemodel.Mechanism{noise{}, recoding{[]string{"a"}}})
	if got := Columns(attrs, known); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("%v", got)
	}
}

func TestVoid(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("a", 1, []float64{1, math.NaN(), math.NaN()}),
		table.CatColumn("b", []string{"x"}, []int32{-1, -1, 0}))
	if got := Void(tab, []int{0, 1}); !slices.Equal(got, []bool{false, true, false}) {
		t.Errorf("%v", got)
	}
	if got := Void(tab, nil); slices.Contains(got, true) {
		t.Errorf("nothing is asked for, and %v lack it", got)
	}
}
