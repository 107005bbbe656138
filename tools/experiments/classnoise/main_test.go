package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func withData(t *testing.T) context.Context {
	t.Helper()
	t.Setenv("DITHER_DATA", filepath.Dir(filepath.Dir(dataset.File(t, "bhp/bhp.csv"))))
	dataset.File(t, "wbc/wbc.csv")
	return t.Context()
}

// TestData counts what sections 4.3 and 9.2 count.
func TestData(t *testing.T) {
	ctx := withData(t)
	for k, want := range []struct{ rows, columns, minority int }{{506, 12, 102}, {699, 10, 241}} {
		tab, err := sets[k].read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		minority := 0
		for _, c := range tab.Cat(tab.WithRole(table.Class)) {
			minority += int(c)
		}
		if tab.Rows() != want.rows || tab.Width() != want.columns || minority < want.minority-3 ||
			minority > want.minority+3 {
			t.Errorf("%s: %d records, %d columns, %d of the second class", sets[k].title, tab.Rows(), tab.Width(), minority)
		}
		train, test, err := sets[k].divide(tab, 0)
		if err != nil || train.Rows() != sets[k].train || test.Rows() != sets[k].test {
			t.Errorf("%s is divided into %d and %d, error %v", sets[k].title, train.Rows(), test.Rows(), err)
		}
	}
}

// TestCompare takes the figures of a tree against one that tests another attribute below the same root.
func TestCompare(t *testing.T) {
	class := table.CatColumn("class", []string{"n", "y"}, []int32{0, 0, 0, 1, 1})
	class.Role = table.Class
	tab := tabletest.Of(
		t,
		append(tabletest.Numbers(1, []float64{1, 2, 3, 4, 5}, []float64{1, 1, 1, 1, 9}, []float64{0, 5, 0, 0, 0}), class)...)
	grow := func(first float64, second int, cut float64) *tree.Tree {
		tr := &tree.Tree{Attrs: tab.Attrs(), Class: 3, Nodes: []tree.Node{
			{Attr: 0, Cut: first, Kids: []int32{1, 2}, Counts: []float64{3, 2}},
			{Attr: -1, Counts: []float64{3, 0}, Label: 0},
			{Attr: second, Cut: cut, Kids: []int32{3, 4}, Counts: []float64{0, 2}, Label: 1},
			{Attr: -1, Counts: []float64{0, 1}, Label: 1}, {Attr: -1, Counts: []float64{0, 1}, Label: 1},
		}}
		tr.Recount(tab)
		return tr
	}
	original, released := grow(3, 1, 4), grow(2, 2, 2)
	if l := heaviest(original, tab); l != 0 {
		t.Fatalf("leaf %d has most records", l)
	}
	f := &figures{attrs: tested(released)}
	f.compare(original, released, tab)
	if !f.main || f.shared != 1 || f.new != 1 || f.lost != 1 || f.types[1] != 40 || f.types[3] != 60 {
		t.Errorf("%+v", f)
	}
	if got := rules(released); !strings.HasPrefix(got, "    a <= 2 => n (2 records)\n") {
		t.Errorf("rules are printed\n%s", got)
	}
}

// TestPage prints the page of one subset: the techniques change classes only in the original's expected number, and
// every table is there.
func TestPage(t *testing.T) {
	ctx := withData(t)
	r, err := sets[0].study(ctx, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range techniques {
		// RPT keeps an even number of changes; the expected numbers are the same, some 12 with a standard deviation below 4,
		// so that the mean of ten lies between 6 and 20.
		changed := all(r.released[m], func(f *figures) float64 { return f.changed })
		if got := mean(changed); got < 6 || got > 20 {
			t.Errorf("%s changes %v classes", m, got)
		}
		for _, c := range changed {
			if m == "rpt" && int(c+0.5)%2 != 0 {
				t.Errorf("RPT changes %v classes, an odd number", c)
			}
		}
	}
	var page bytes.Buffer
	if err := print(&page, []*result{r}, 1); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"- **BHP.** The rule of most records", "| thesis: ALPT |  | 17 to 27 | 5 of 10 |",
		"## Table 9.1: decision trees on BHP",
		"| thesis: PPT | 2 | 2 | 0 | 2 | 4 | 4.67 | 10.00 | 4.33 |", "## Table 9.3: neural networks on BHP",
		"| ALPT | 18.53 | ", "**Is ALPT worse than RPT and PPT for networks on BHP?** In the thesis it is by 9.2 and 9.2",
		"ALPT:\n\n    "} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestBeside: of three subsets the networks after ALPT have one error more in each, or as many as not.
func TestBeside(t *testing.T) {
	figure := func(errors ...float64) (out []*figures) {
		for _, e := range errors {
			for range releases {
				out = append(out, &figures{netTest: e})
			}
		}
		return out
	}
	r := &result{released: map[string][]*figures{
		"alpt": figure(3, 5, 7.1), "rpt": figure(2, 4, 6), "ppt": figure(4, 4, 7),
	}}
	test := func(f *figures) float64 { return f.netTest }
	if d := r.beside("rpt", test); d.word() != "worse than" || d.String() != "+1.0 ± 0.1" {
		t.Errorf("RPT: %s, %v", d.word(), d)
	}
	if d := r.beside("ppt", test); d.word() != "not told apart from" {
		t.Errorf("PPT: %s, %v", d.word(), d)
	}
	if d := (difference{-2, 1}); d.word() != "better than" {
		t.Errorf("%v is %s", d, d.word())
	}
}
