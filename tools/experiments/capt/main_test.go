package main

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/table"
)

func TestClassOf(t *testing.T) {
	for _, c := range []struct {
		w    [4]float64
		want int
	}{
		{[4]float64{100, 0, 0, 0}, same}, {[4]float64{99, 1, 0, 0}, very}, {[4]float64{60, 36, 2, 2}, very},
		{[4]float64{60, 34, 3, 3}, unclassified},
		{[4]float64{59, 41, 0, 0}, similar}, {[4]float64{15, 85, 0, 0}, unclassified}, {[4]float64{9, 80, 5, 6}, dissimilar},
		{[4]float64{10, 0, 90, 0}, unclassified},
	} {
		if got := classOf(c.w); got != c.want {
			t.Errorf("%v is of class %d, expected %d", c.w, got, c.want)
		}
	}
}

// TestPrinted adds up the trees of Tables 6.4 and 6.5: three each.
func TestPrinted(t *testing.T) {
	for name, rows := range printed {
		for target, counts := range rows {
			if n := counts[0] + counts[1] + counts[2] + counts[3]; n != 3 {
				t.Errorf("%s, %s: %d trees", name, target, n)
			}
		}
	}
}

// TestPage prints the page of one table of each kind.
func TestPage(t *testing.T) {
	var page bytes.Buffer
	if err := program.Run(t.Context(), &page, 1, ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| CR, City | Credit Risk | A > 50 in 8 of 10;", "| CS, Car Make | Status |",
		"## Table 6.4: See5's options\n", "## Table 6.5: ",
		"## Why the trees differ\n", "| Country of Origin, Profession | 0.4", "| Table 6.5, Status | ",
		"| Profession | 1 of 3 | ", "- **Table 6.5, Status.** Most of our trees are "} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestParts: only what an experiment names is perturbed, and a tree is compared with itself where nothing it has to do
// with is.
func TestParts(t *testing.T) {
	e := experiments[1] // Car Make alone
	parts, _, err := e.run(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(parts) != 2 || len(parts[0].weights) != releases {
		t.Fatalf("%d parts", len(parts))
	}
	for _, p := range parts {
		for _, w := range p.weights {
			if sum := w[0] + w[1] + w[2] + w[3]; sum < 99.999 || sum > 100.001 {
				t.Errorf("%s: weights %v", p.target, w)
			}
		}
	}
	e.targets = []string{"Nobody"}
	if _, _, err := e.run(t.Context(), 1); err == nil || !strings.Contains(err.Error(), `no column "Nobody"`) {
		t.Errorf("%v", err)
	}
}

// TestJoint: a relation of 1, of 0, and one of a third; and the two ways of
// releasing one of a pair.
func TestJoint(t *testing.T) {
	x, z := []int32{0, 0, 1, 1, 2, 2}, []int32{0, 1, 0, 1, 0, 1}
	if v := cramer(x, x); math.Abs(v-1) > 1e-12 {
		t.Errorf("a column and itself: %v", v)
	}
	if v := cramer(x, z); v != 0 {
		t.Errorf("independent columns: %v", v)
	}
	if v := cramer([]int32{0, 0, 0, 1, 1, 1, -1}, []int32{0, 0, 1, 0, 1, 1, 1}); math.Abs(v-1./3) > 1e-12 {
		t.Errorf("two of three and one of three: %v", v)
	}
	column := func(name string, v []int32) table.Column { return table.CatColumn(name, []string{"a", "b", "c"}, v) }
	was, err := table.New(column("p", x), column("q", x))
	if err != nil {
		t.Fatal(err)
	}
	is, err := table.New(column("p", z), column("q", z))
	if err != nil {
		t.Fatal(err)
	}
	j := newJoint([]string{"p", "q"}, 1)
	j.take(was, is, 0)
	if p := j.pairs[0]; math.Abs(p.original[0]-1) > 1e-12 || p.one[0] != 0 || math.Abs(p.both[0]-1) > 1e-12 {
		t.Errorf("%+v", p)
	}
	alone, err := with(was, is, 1)
	if err != nil || !slices.Equal(alone.Cat(0), x) || !slices.Equal(alone.Cat(1), z) {
		t.Errorf("%v, %v", alone, err)
	}
}
