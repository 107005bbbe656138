package layout_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/format/layout"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]layout.Spec{
		"diagnoses:;": {Kind: layout.Within, Column: "diagnoses", Between: ";"},
		"a:b: ":       {Kind: layout.Within, Column: "a:b", Between: " "},
		"visit:code":  {Kind: layout.Long, ID: "visit", Column: "code"},
		"a:b:c":       {Kind: layout.Long, ID: "a:b", Column: "c"},
		"wide:dx_":    {Kind: layout.Wide, Prefix: "dx_"},
		"wide:":       {Kind: layout.Wide},
	} {
		got, err := layout.Parse(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("%q: %+v, %q, %v", text, got, got, err)
		}
	}
	for _, text := range []string{"", "diagnoses", ":;", "diagnoses:", "a:?", `a:"`, "a:a"} {
		if s, err := layout.Parse(text); err == nil {
			t.Errorf("%q is read as %+v", text, s)
		}
	}
}

// sets of a column by the names of items, so that codes do not matter.
func named(t *table.Table, name string) (out []string) {
	c := t.Column(t.Find(name))
	for i := range t.Rows() {
		if c.MissingAt(i) {
			out = append(out, "missing")
			continue
		}
		var items []string
		for _, v := range c.Sets.Present.Row(i) {
			items = append(items, c.Labels[v])
		}
		for _, v := range c.Sets.Unknown.Row(i) {
			items = append(items, "?"+c.Labels[v])
		}
		slices.Sort(items)
		out = append(out, strings.Join(items, " and "))
	}
	return out
}

// TestThereAndBack: every layout gives back the sets, beside other columns, of sets that are missing, empty or partly
// unknown.
func TestThereAndBack(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		labels := []string{"7", "10", "flu", "a b", "C", "x:y"}
		rows := rapid.IntRange(1, 9).Draw(t, "rows")
		present, unknown := make([][]int32, rows), make([][]int32, rows)
		age, id := make([]float64, rows), make([]float64, rows)
		for i := range rows {
			age[i], id[i] = float64(rapid.IntRange(0, 2).Draw(t, "age")), float64(7*i)
			state := rapid.SliceOfN(rapid.IntRange(0, 3), len(labels), len(labels)).Draw(t, "items")
			if rapid.IntRange(0, 5).Draw(t, "missing") == 0 {
				continue
			}
			present[i] = []int32{}
			for v, s := range state {
				switch s {
				case 1:
					present[i] = append(present[i], int32(v))
				case 2:
					unknown[i] = append(unknown[i], int32(v))
				}
			}
			if len(unknown[i]) == len(labels) { // a column for each cannot tell it from a set that is missing
				unknown[i] = unknown[i][1:]
			}
		}
		s := rapid.SampledFrom(
			[]layout.Spec{
				{Kind: layout.Within, Column: "has", Between: ";"},
				{Kind: layout.Long, ID: "id", Column: "has"},
				{Kind: layout.Wide, Prefix: "has_"},
			},
		).Draw(t, "layout")
		tab, err := table.New(table.NumColumn("id", 1, id), table.SetColumn("has", labels, table.SetsOf(present, unknown)),
			table.NumColumn("age", 1, age))
		must.NoError(t, err)
		cells := must.Get(layout.Unfold(tab, []layout.Spec{s}))(t)
		back, notes, err := layout.Fold(t.Context(), cells, []layout.Spec{s})
		must.NoError(t, err)
		if got, want := named(back, "has"), named(tab, "has"); !slices.Equal(got, want) {
			t.Fatalf("%s: %q, expected %q", s, got, want)
		}
		if !slices.Equal(back.Num(back.Find("age")), age) || !slices.Equal(back.Num(back.Find("id")), id) ||
			s.Kind != layout.Within && notes != nil {
			t.Fatalf("%s: other columns changed, %v", s, notes)
		}
		again := must.Get(layout.Unfold(back, []layout.Spec{s}))(t)
		for j := range cells.Width() {
			a, b := cells.Column(j), again.Column(j)
			if a.Name != b.Name || !a.SameValues(&b) {
				t.Fatalf("%s: column %q is written otherwise the second time", s, a.Name)
			}
		}
	})
}

// What cannot be read or written names the column and no value.
func TestFaults(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("n", 1, []float64{1, 2}), table.CatColumn("c", []string{"a"}, []int32{0, 0}),
		table.NumColumn("nx", 1, []float64{1, 3}), table.NumColumn("b_x", 1, []float64{1, math.NaN()}))
	for text, part := range map[string]string{
		"m:;":     `there is no column "m"`,
		"n:;":     `column "n" holds numeric values`,
		"c:n":     `column "n" holds numeric values`,
		"m:c":     `there is no column "m"`,
		"wide:nx": `the name of column "nx" leaves no name`,
		"wide:z":  "no column of zeros and ones",
	} {
		s, err := layout.Parse(text)
		must.NoError(t, err)
		if _, _, err = layout.Fold(t.Context(), tab, []layout.Spec{s}); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v, expected %q", text, err, part)
		}
	}
	if _, _, err := layout.Fold(t.Context(), tab, []layout.Spec{{Kind: layout.Within, Column: "c", Between: ";"},
		{Kind: layout.Long, ID: "n", Column: "c"}}); err == nil || !strings.Contains(err.Error(), "two layouts") {
		t.Error(err)
	}
	for _, bad := range []string{"a;b", " a", "?a", ""} {
		sets := tabletest.Of(t, table.SetColumn("has", []string{bad}, table.SetsOf([][]int32{{0}}, nil)))
		if _, err := layout.Unfold(sets, nil); err == nil ||
			!strings.HasPrefix(err.Error(), `column "has" holds an item that cannot stand`) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	many := tabletest.Of(t, table.SetColumn("has", make([]string, 0), table.SetsOf(make([][]int32, 3), nil)))
	if _, err := layout.Unfold(many, []layout.Spec{{Kind: layout.Long, ID: "id", Column: "has"}}); err != nil {
		t.Error(err)
	}
}

// FuzzCells takes cells apart as the fuzzer writes them, a line each: what comes of them is written so that it is taken
// apart into the same sets.
func FuzzCells(f *testing.F) {
	f.Add("has:;", "flu; a b;?C;;flu\n\n?x;x\n?")
	f.Add("id:has", "7\n?7\n\n7")
	f.Add("has:\u00b7", "a\u00b7b\xc2\n\u00b7")
	f.Fuzz(func(t *testing.T, how, text string) {
		s, err := layout.Parse(how)
		if err != nil || s.Kind == layout.Wide {
			return
		}
		lines := strings.Split(text, "\n")
		code := map[string]int32{}
		var labels []string
		cat, id := make([]int32, len(lines)), make([]float64, len(lines))
		for i, line := range lines {
			if _, ok := code[line]; !ok {
				code[line] = int32(len(labels))
				labels = append(labels, line)
			}
			cat[i], id[i] = code[line], float64(i/2)
			if line == "?" {
				cat[i] = -1
			}
		}
		cols := []table.Column{table.CatColumn(s.Column, labels, cat)}
		if s.Kind == layout.Long {
			cols = append(cols, table.NumColumn(s.ID, 1, id))
		}
		cells, err := table.New(cols...)
		if err != nil {
			return
		}
		first, _, err := layout.Fold(t.Context(), cells, []layout.Spec{s})
		must.NoError(t, err)
		out, err := layout.Unfold(first, []layout.Spec{s})
		if err != nil { // a name that only stood there by chance, such as that of two question marks
			return
		}
		back, _, err := layout.Fold(t.Context(), out, []layout.Spec{s})
		if err != nil || !slices.Equal(named(first, s.Column), named(back, s.Column)) {
			t.Fatalf("%q became %q, %v", named(first, s.Column), named(back, s.Column), err)
		}
	})
}
