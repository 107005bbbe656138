package basket

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// texts returns the items of every record, with blanks between them.
func texts(t *testing.T, c *Coding, tab *table.Table) (out []string) {
	t.Helper()
	tr, err := c.Code(tab)
	if err != nil {
		t.Fatal(err)
	}
	for i := range tr.Len() {
		var row []string
		if !slices.IsSorted(tr.Row(i)) {
			t.Errorf("row %d: %v does not ascend", i, tr.Row(i))
		}
		for _, k := range tr.Row(i) {
			row = append(row, c.Items[k].String())
		}
		out = append(out, strings.Join(row, "; "))
	}
	return out
}

func patients(t *testing.T) *table.Table {
	id := table.CatColumn("id", []string{"x1", "x2", "x3", "x4", "x5"}, []int32{0, 1, 2, 3, 4})
	id.Role = table.Identifier
	return tabletest.Of(t,
		id,
		table.NumColumn("age", 1, []float64{20, 30, 40, 50, math.NaN()}),
		table.NumColumn("visits", 1, []float64{1, 1, 2, math.NaN(), 1}),
		table.CatColumn("sex", []string{"f", "m"}, []int32{0, 1, -1, 0, 1}),
		table.SetColumn("diagnoses", []string{"flu", "gout"}, table.SetsOf([][]int32{{1, 0}, {}, nil, {0}, {1}}, [][]int32{{}, {0}, {}, {}, {}})))
}

// Every kind of column gives its items: numbers in intervals of as many records, few different ones as they are, labels, what sets hold; identifiers and what is missing
// or unknown give none.
func TestItems(t *testing.T) {
	tab := patients(t)
	c, err := New(tab, Options{Intervals: 2})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"age < 40; visits=1; sex=f; diagnoses=flu; diagnoses=gout",
		"age < 40; visits=1; sex=m",
		"age >= 40; visits=2",
		"age >= 40; sex=f; diagnoses=flu",
		"visits=1; sex=m; diagnoses=gout",
	}
	if got := texts(t, c, tab); !slices.Equal(got, want) {
		t.Errorf("%q\nexpected\n%q", got, want)
	}
	c, err = New(tab, Options{Attributes: []string{"age"}, Cuts: map[string][]float64{"age": {30, 50}}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := texts(t, c, tab), []string{"age < 30", "age in [30, 50)", "age in [30, 50)", "age >= 50", ""}; !slices.Equal(got, want) {
		t.Errorf("%q\nexpected\n%q", got, want)
	}
	only := tabletest.Of(t, tab.Column(4))
	if c, err = New(only, Options{}); err != nil {
		t.Fatal(err)
	}
	if got := texts(t, c, only); got[0] != "flu; gout" {
		t.Errorf("of sets alone: %q", got)
	}
}

// A coding serves another table: labels in another order, new ones, numbers that were not there.
func TestOther(t *testing.T) {
	tab := patients(t)
	c, err := New(tab, Options{Intervals: 2, Exclude: []string{"diagnoses"}})
	if err != nil {
		t.Fatal(err)
	}
	other := tabletest.Of(t,
		table.NumColumn("age", 1, []float64{39, 40, 99}),
		table.NumColumn("visits", 1, []float64{3, 1.5, 2}),
		table.CatColumn("sex", []string{"x", "m", "f"}, []int32{0, 1, 2}))
	if got, want := texts(t, c, other), []string{"age < 40", "age >= 40; sex=m", "age >= 40; visits=2; sex=f"}; !slices.Equal(got, want) {
		t.Errorf("%q\nexpected\n%q", got, want)
	}
	if _, err := c.Code(other.Select(0, 1)); err == nil {
		t.Error("a table without a column is taken")
	}
}

func TestRefused(t *testing.T) {
	tab := patients(t)
	for name, o := range map[string]Options{
		"no column \"aeg\"; did you mean":     {Attributes: []string{"aeg"}},
		"no column gives items":               {Attributes: []string{"sex"}, Exclude: []string{"sex"}},
		"which is no numeric column":          {Cuts: map[string][]float64{"sex": {1}}},
		"not finite numbers in ascending ord": {Cuts: map[string][]float64{"age": {3, 1}}},
	} {
		if _, err := New(tab, o); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, expected %q", err, name)
		}
	}
}
