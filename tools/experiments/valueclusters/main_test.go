package main

import (
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
)

// figure69 is the tree of figure 6.9. The thesis prints the counts of leaf 1; those of the others are made up.
func figure69() *tree.Tree {
	attrs := generate.CS(1, rng.Source{}).Attrs()
	leaf := func(counts ...float64) tree.Node { return tree.Node{Attr: -1, Counts: counts} }
	return &tree.Tree{Attrs: attrs, Class: car, Nodes: []tree.Node{
		{Attr: status, Branch: []int32{0, 1}, Kids: []int32{1, 2}},
		leaf(62, 132, 48, 5),
		{Attr: country, Branch: []int32{0, 1, 2}, Kids: []int32{3, 4, 5}},
		leaf(0, 0, 30, 0), leaf(60, 0, 0, 0), leaf(20, 5, 6, 31),
	}}
}

// TestFigure69 reads the thesis's strengths in leaf 1, its strongest pair in leaf 3 and its weak pair off its tree.
func TestFigure69(t *testing.T) {
	l := read(figure69())
	if !l.figure || l.leaf1 != leaf1 || l.astray != 0 {
		t.Errorf("the tree is read as %+v", l)
	}
	s := strengths(l.leaf1)
	if s[0] != 8184 || s[1] != 6336 || s[2] != 2976 || l.strong[0] != 8184 {
		t.Errorf("leaf 1 has the strengths %v", s)
	}
	if s := strengths(l.leaf3); l.strong[3] != 20*31 || s[3] != 620 {
		t.Errorf("Toyota-Holden is %v, %v in leaf 3", l.strong[3], s[3])
	}
	if !l.weak[pairOf("Nissan", "Toyota")] || pairOf("Nissan", "Toyota") != 2 {
		t.Error("Toyota and Nissan are not weakly similar")
	}
	other := figure69()
	other.Nodes[2].Attr = city
	other.Nodes[2].Branch = make([]int32, 30)
	other.Nodes[2].Counts = []float64{80, 5, 36, 31}
	if l := read(other); l.figure || l.astray != 152 {
		t.Errorf("a test of the city is read as %+v", l)
	}
}

// TestLaw compares with probabilities by hand, from section 6.7.2.
func TestLaw(t *testing.T) {
	for _, c := range []struct{ got, want float64 }{
		{connection(car, 0, country, 0), 0.4 * 0.4 * 12},
		{connection(car, 3, country, 0), 0},
		{connection(car, 0, status, good), (0.4*0.4 + 0.2*0.3*0.25) * 8},
		{connection(country, 1, status, good), 0.4 * 0.6 * 6},
		{connection(car, 2, profession, 0), (0.8*0.95*0.2 + 0.2*0.3*0.25) * 12},
		{goodCars(399)[1], 399 * (0.4*0.4 + 0.4*0.4 + 0.2*0.3*0.25)},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%v, expected %v", c.got, c.want)
		}
	}
}

// TestPage runs the comparison on a few tables, twice, and looks for its parts.
func TestPage(t *testing.T) {
	tables, err := compare(context.Background(), 2)
	if err != nil {
		t.Fatal(err)
	}
	again, err := compare(context.Background(), 2)
	if err != nil || !reflect.DeepEqual(again, tables) {
		t.Errorf("a second run differs: %v", err)
	}
	var page bytes.Buffer
	print(&page, tables)
	for _, want := range []string{"of 2 tables", "| Toyota-Ford | 8184 |", "| 1.2 |", "| Toyota | 1.92 | 1.92 | 0.84 |",
		"## What differs, and why"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page.String(), "NaN") || strings.Contains(page.String(), "%!") {
		t.Errorf("the page is\n%s", page.String())
	}
	folder := t.TempDir()
	if err := program.Run(context.Background(), io.Discard, 1, folder); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(folder, "valueclusters.md")); err != nil ||
		!bytes.HasPrefix(text, []byte("# DETECTIVE and CACTUS")) {
		t.Errorf("the page in the folder: %v", err)
	}
}

func TestSpread(t *testing.T) {
	v := make([]float64, 101)
	for i := range v {
		v[i] = float64(100 - i)
	}
	if got := spread(v); got != "50 (5 to 95)" {
		t.Errorf("spread %q", got)
	}
	if got := spread(nil); got != "" {
		t.Errorf("spread of nothing %q", got)
	}
}
