package basket_test

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// texts returns the items of every record, with blanks between them.
func texts(t *testing.T, c *basket.Coding, tab *table.Table) (out []string) {
	t.Helper()
	tr := must.Get(c.Code(tab))(t)
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
	return tabletest.Of(
		t,
		id,
		table.NumColumn("age", 1, []float64{20, 30, 40, 50, math.NaN()}),
		table.NumColumn("visits", 1, []float64{1, 1, 2, math.NaN(), 1}),
		table.CatColumn("sex", []string{"f", "m"}, []int32{0, 1, -1, 0, 1}),
		table.SetColumn("diagnoses", []string{"flu", "gout"},
			table.SetsOf([][]int32{{1, 0}, {}, nil, {0}, {1}}, [][]int32{{}, {0}, {}, {}, {}})),
	)
}

// Every kind of column gives its items: numbers in intervals of as many records, few different ones as they are,
// labels, what sets hold; identifiers and what is missing or unknown give none.
func TestItems(t *testing.T) {
	tab := patients(t)
	c, err := basket.New(tab, basket.Options{Intervals: 2})
	must.NoError(t, err)
	want := []string{"age < 40; visits=1; sex=f; diagnoses=flu; diagnoses=gout", "age < 40; visits=1; sex=m",
		"age >= 40; visits=2", "age >= 40; sex=f; diagnoses=flu", "visits=1; sex=m; diagnoses=gout"}
	if got := texts(t, c, tab); !slices.Equal(got, want) {
		t.Errorf("%q\nexpected\n%q", got, want)
	}
	c, err = basket.New(tab, basket.Options{Attributes: []string{"age"}, Cuts: map[string][]float64{"age": {30, 50}}})
	must.NoError(t, err)
	if got, want := texts(t, c, tab), []string{"age < 30", "age in [30, 50)", "age in [30, 50)", "age >= 50",
		""}; !slices.Equal(got, want) {
		t.Errorf("%q\nexpected\n%q", got, want)
	}
	only := tabletest.Of(t, tab.Column(4))
	if c, err = basket.New(only, basket.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := texts(t, c, only); got[0] != "flu; gout" {
		t.Errorf("of sets alone: %q", got)
	}
}

// A coding serves another table: labels in another order, new ones, numbers that were not there.
func TestOther(t *testing.T) {
	tab := patients(t)
	c := must.Get(basket.New(tab, basket.Options{Intervals: 2, Exclude: []string{"diagnoses"}}))(t)
	other := tabletest.Of(t,
		table.NumColumn("age", 1, []float64{39, 40, 99}),
		table.NumColumn("visits", 1, []float64{3, 1.5, 2}),
		table.CatColumn("sex", []string{"x", "m", "f"}, []int32{0, 1, 2}))
	if got, want := texts(t, c, other), []string{"age < 40", "age >= 40; sex=m",
		"age >= 40; visits=2; sex=f"}; !slices.Equal(got, want) {
		t.Errorf("%q\nexpected\n%q", got, want)
	}
	if _, err := c.Code(other.Select(0, 1)); err == nil {
		t.Error("a table without a column is taken")
	}
}

func TestRefused(t *testing.T) {
	tab := patients(t)
	for name, o := range map[string]basket.Options{
		"no column \"aeg\"; did you mean":     {Attributes: []string{"aeg"}},
		"no column has items":                 {Attributes: []string{"sex"}, Exclude: []string{"sex"}},
		"which is not a numeric column":       {Cuts: map[string][]float64{"sex": {1}}},
		"not finite numbers in ascending ord": {Cuts: map[string][]float64{"age": {3, 1}}},
	} {
		if _, err := basket.New(tab, o); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, expected %q", err, name)
		}
	}
}

// Limits are read in the column's notation; what is no limit, no column or not ascending is named.
func TestParseCuts(t *testing.T) {
	born := table.DateColumn("born", "dd.mm.yyyy", []float64{0, 100})
	tab := tabletest.Of(t, table.NumColumn("age", 1, []float64{20, 50}), table.NumColumn("a=b", 0.5, []float64{1, 2}),
		table.CatColumn("sex", []string{"f"}, []int32{0, 0}), born)
	got, err := basket.ParseCuts(tab, []string{"age=30|65", "a=b=1.5", "born=01.02.1970|03.02.1970"})
	want := map[string][]float64{"age": {30, 65}, "a=b": {1.5}, "born": {31, 33}}
	if err != nil || !maps.EqualFunc(got, want, slices.Equal[[]float64]) {
		t.Errorf("%v, %v", got, err)
	}
	for text, part := range map[string]string{
		"age":           "expected column=limit|limit",
		"=3":            "expected column=limit|limit",
		"aged=3":        `"aged", which is not a numeric column; did you mean "age"?`,
		"sex=3":         `"sex", which is not a numeric column`,
		"age=30|30":     `"30" is not a value above the limit before it`,
		"age=old":       `"old" is not a value`,
		"age=Inf":       `"Inf" is not a value`,
		"born=1970":     `"1970" is not a value`,
		"age=1\x00a=b=": "expected column=limit|limit",
	} {
		if _, err := basket.ParseCuts(tab, []string{text}); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v, expected %q", text, err, part)
		}
	}
	if _, err := basket.ParseCuts(tab, []string{"age=3", "age=4"}); err == nil ||
		!strings.Contains(err.Error(), `twice for "age"`) {
		t.Error(err)
	}
}

// The items of a tree's cuts divide the records as the tree does: nobody on one side of a test shares an interval with
// somebody on the other.
func TestTreeCuts(t *testing.T) {
	tab := tabletest.Of(t,
		table.NumColumn("x", 0, []float64{1, 1.5, 2.25, 4, math.NaN()}),
		table.NumColumn("y", 1, []float64{5, 6, 7, 8, 9}),
		table.NumColumn("z", 1, []float64{1, 2, 3, 4, 5}))
	test := func(attr int, cut float64, kids ...int32) tree.Node {
		return tree.Node{Attr: attr, Cut: cut, Kids: kids}
	}
	leaf := tree.Node{Attr: -1}
	grown := &tree.Tree{
		Attrs: tab.Attrs(),
		Nodes: []tree.Node{
			test(0, 2, 1, 2),
			test(1, 6, 3, 4),
			test(0, 3, 5, 6),
			leaf,
			test(1, 100, 7, 8),
			leaf,
			leaf,
			leaf,
			leaf,
		},
	}
	texts := basket.TreeCuts(tab, grown)
	if want := []string{"x=2.25|4", "y=7"}; !slices.Equal(texts, want) {
		t.Fatalf("%q, expected %q", texts, want)
	}
	cuts := must.Get(basket.ParseCuts(tab, texts))(t)
	c := must.Get(basket.New(tab, basket.Options{Attributes: []string{"x", "y"}, Intervals: 2, Cuts: cuts}))(t)
	codes := must.Get(c.Code(tab))(t)
	for i := range 4 { // the last misses x
		for k := range i {
			for _, n := range grown.Nodes {
				if n.Leaf() {
					continue
				}
				a, b := tab.Num(n.Attr)[i], tab.Num(n.Attr)[k]
				if (a <= n.Cut) != (b <= n.Cut) && codes.Row(i)[n.Attr] == codes.Row(k)[n.Attr] {
					t.Errorf("records %d and %d share an item of %s, and the cut at %v tells them apart", i+1, k+1,
						tab.Attr(n.Attr).Name, n.Cut)
				}
			}
		}
	}
}

// The transactions of a table of sets alone are its sets, whole, in part, empty, or with other labels in another order.
func TestSetsAlone(t *testing.T) {
	of := func(labels []string, rows ...[]int32) *table.Table {
		return tabletest.Of(t, table.SetColumn("items", labels, table.SetsOf(rows, make([][]int32, len(rows)))))
	}
	whole := of([]string{"a", "b", "c"}, []int32{0, 1}, []int32{}, nil, []int32{1, 2}, []int32{2})
	c := must.Get(basket.New(whole, basket.Options{}))(t)
	for name, x := range map[string]struct {
		t    *table.Table
		want []string
	}{
		"whole": {whole, []string{"a; b", "", "", "b; c", "c"}},
		"head":  {whole.Slice(0, 2), []string{"a; b", ""}},
		"tail":  {whole.Slice(2, 5), []string{"", "b; c", "c"}},
		"none":  {whole.Slice(0, 0), nil},
		"empty": {of([]string{"a", "b", "c"}, []int32{}, []int32{}), []string{"", ""}},
		"other": {of([]string{"b", "c", "d"}, []int32{0, 2}, []int32{1}), []string{"b", "c"}},
		"fewer": {of([]string{"a"}, []int32{0}, []int32{}), []string{"a", ""}},
	} {
		tr := must.Get(c.Code(x.t))(t)
		if got := texts(t, c, x.t); !slices.Equal(got, x.want) || tr.Labels != len(c.Items) ||
			len(tr.Items) != tr.Start[tr.Len()] {
			t.Errorf("%s: %q in %+v, expected %q", name, got, tr, x.want)
		}
	}
}
