package main

import (
	"bytes"
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/table"
)

func mushroom(t *testing.T) *table.Table {
	t.Setenv("DITHER_DATA", filepath.Dir(filepath.Dir(dataset.File(t, "mushroom/mushroom.csv"))))
	tab, err := load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// The page is printed from a small run: every table has its lines.
func TestPage(t *testing.T) {
	tab := mushroom(t)
	if tab.Rows() != 8124 || tab.Width() != 23 || tab.Attr(0).Role != table.Class {
		t.Fatalf("%d records, %d attributes", tab.Rows(), tab.Width())
	}
	f, err := measure(context.Background(), tab.Slice(0, 500), []int{200, 400, 500}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if o := f.orders[0]; !o.same[2] || o.same[0] { // among 200 records are neighbours without a third
		t.Errorf("ROCK and QROCK agree: %v", o.same)
	}
	all := 0
	for _, r := range f.rows {
		all += r.e + r.p
	}
	if all != 500 {
		t.Errorf("the clusters have %d records", all)
	}
	var page bytes.Buffer
	print(&page, f)
	for _, want := range []string{"| thesis: Table 6.1, Mushroom | 8124 | 161.903 | 18.907 | 8.6 |",
		"| ours: Mushroom in random order | 400 |",
		"| thesis: Table 6.2, Landslide | 1.79, 2.26, 2.13 | 2.03 | 1.92, 1.95, 2.01 | 1.94 |", "| 0.80 |", "## The clusters",
		"Purity "} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// The cluster sizes of Mushroom at theta = 0.8, by class, add up to the classes' records.
func TestClusters(t *testing.T) {
	tab := mushroom(t)
	m, _, err := fit(context.Background(), quick(theta), tab, 1)
	if err != nil {
		t.Fatal(err)
	}
	rows := classes(tab, m)
	e, p, mixed := 0, 0, 0
	for _, r := range rows {
		e, p = e+r.e, p+r.p
		if r.e > 0 && r.p > 0 {
			mixed++
		}
	}
	if len(rows) != 21 || e != 4208 || p != 3916 || mixed != 1 {
		t.Errorf("%d clusters, %d edible, %d poisonous, %d mixed", len(rows), e, p, mixed)
	}
}

func TestArithmetic(t *testing.T) {
	if got := exponent(1000, 8000, 2, 128); math.Abs(got-2) > 1e-12 {
		t.Errorf("exponent %v", got)
	}
	if got := purity([]row{{3, 1}, {0, 4}}); got != 0.875 {
		t.Errorf("purity %v", got)
	}
	if got := purity(nil); got != 0 {
		t.Errorf("purity of nothing %v", got)
	}
	for _, c := range []struct {
		a, b []int32
		want bool
	}{
		{[]int32{0, 0, 1}, []int32{1, 1, 0}, true},
		{[]int32{0, 0, 1}, []int32{0, 0, 0}, false},
		{[]int32{0, 0, 0}, []int32{0, 0, 1}, false},
		{[]int32{0, 0, -1}, []int32{0, 0, 0}, true},
	} {
		if got := same(labels(c.a), labels(c.b)); got != c.want {
			t.Errorf("%v and %v: %v", c.a, c.b, got)
		}
	}
}

// labels is a clustering that is nothing but its labels.
type labels []int32

func (l labels) Clusters() int                    { return len(l) }
func (l labels) Labels() []int32                  { return l }
func (l labels) Assign(_ *table.Table, _ []int32) {}
