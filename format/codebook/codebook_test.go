package codebook

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var nan = math.NaN()

// Every value has a text of its own, whatever the labels are.
func TestUnique(t *testing.T) {
	values := []Value{
		{Number: 1, Label: "x"},
		{Number: 2, Label: "x"},
		{Number: 3, Label: "x (1)"},
		{Number: 4, Label: ""},
		{Number: 5, Label: ""},
		{Letter: 'a', Label: "x"},
	}
	unique(values)
	if got, want := texts(values), []string{"x (1)'", "x (2)", "x (1)", " (4)", " (5)", "x (.a)"}; !slices.Equal(got,
		want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Numbers become categories where all have labels, or are told to; reasons go behind them, or into a column.
func TestColumns(t *testing.T) {
	source := func() *Source {
		return &Source{
			Name:    "a",
			Num:     []float64{2, nan, 1, nan},
			Why:     []int32{-1, 0, -1, -1},
			Labels:  []Value{{Number: 2, Label: "two"}, {Number: 1, Label: "one"}},
			Reasons: []Value{{Number: -9, Label: "refused"}},
		}
	}
	cols, v := source().Columns(0, false, false, Numbers("a"))
	if len(cols) != 1 || !slices.Equal(cols[0].Labels, []string{"one", "two", "refused"}) ||
		!slices.Equal(cols[0].Cat, []int32{1, 2, 0, -1}) ||
		v.Why != "" {
		t.Errorf("labelled: %+v, %+v", cols, v)
	}
	partly := source()
	partly.Num[0] = 7
	cols, v = partly.Columns(0, false, false, Numbers("a"))
	if len(cols) != 2 || cols[0].Kind != table.Numeric || cols[1].Name != "a_missing" ||
		!slices.Equal(cols[1].Cat, []int32{-1, 0, -1, -1}) ||
		v.Why != "a_missing" {
		t.Errorf("partly labelled: %+v, %+v", cols, v)
	}
	cols, _ = partly.Columns(table.Categorical, true, false, Numbers("a"))
	if len(cols) != 1 || !slices.Equal(cols[0].Labels, []string{"one", "two", "7", "refused"}) {
		t.Errorf("told categories: %+v", cols)
	}
	none := &Source{Name: "a", Num: []float64{1, nan}}
	if cols, _ = none.Columns(0, false, false, Numbers("a")); len(cols) != 1 {
		t.Errorf("without reasons: %+v", cols)
	}
	if cols, _ = none.Columns(0, false, true, Numbers("a")); len(cols) != 2 ||
		!slices.Equal(cols[1].Cat, []int32{-1, -1}) {
		t.Errorf("without reasons, asked for: %+v", cols)
	}
}

// Reasons go back into the numbers where a file has codes for all of them, in letters where it has those.
func TestTargets(t *testing.T) {
	reasons := []Value{{Number: -9, Label: "refused", Text: "refused"}, {Number: -8, Label: "unknown", Text: "unknown"}}
	tab := tabletest.Of(t, table.NumColumn("a", 1, []float64{1, nan, nan}),
		table.CatColumn("a_missing", []string{"unknown", "refused"}, []int32{-1, 0, 1}))
	book := map[string]Variable{"a": {Why: "a_missing", Reasons: reasons, Missing: []Span{{-9, -8}}}}
	got := Targets(tab, book, false)
	if len(got) != 1 || got[0].Reasons[0].Number != -8 || got[0].Reasons[1].Number != -9 || got[0].Why[2] != 1 {
		t.Errorf("%+v", got)
	}
	if got = Targets(tab, book, true); len(got) != 1 || got[0].Reasons[0].Letter != 'a' ||
		got[0].Reasons[1].Letter != 'b' {
		t.Errorf("letters: %+v", got)
	}
	seen := Variable{
		Values:  []Value{{Number: 2, Label: "x", Text: "x"}, {Number: 99, Label: "refused", Text: "refused"}},
		Missing: []Span{{4, math.MaxFloat64}},
	}
	labels := tabletest.Of(t, table.CatColumn("a", []string{"refused", "x", "new", "newer"}, []int32{0, 1, 2, 3}))
	if got = Targets(labels, map[string]Variable{"a": seen}, false); got[0].Coded[0].Number != 99 ||
		got[0].Coded[1].Number != 2 ||
		got[0].Coded[2].Number != 1 ||
		got[0].Coded[3].Number != 3 {
		t.Errorf("labels that are new: %+v", got[0].Coded)
	}
	for what, other := range map[string]*table.Table{
		"another reason": tabletest.Of(t, tab.Column(0),
			table.CatColumn("a_missing", []string{"unknown", "ill"}, []int32{-1, 0, 1})),
		"noise in a range": tabletest.Of(t, table.NumColumn("a", 1, []float64{-9, nan, nan}), tab.Column(1)),
		"reasons alone":    tab.Select(1),
	} {
		if got := Targets(other, book, false); len(got) != other.Width() || got[len(got)-1].Coded == nil ||
			len(got) > 1 && what != "another reason" && got[0].Var.Missing != nil {
			t.Errorf("%s: %+v", what, got)
		}
	}
}
