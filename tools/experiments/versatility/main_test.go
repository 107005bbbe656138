package main

import (
	"math"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestMarks: figures become marks by the rule that the page states, at its edges too.
func TestMarks(t *testing.T) {
	s := scale{mean: 0.1, most: 0.2, destroyed: 0.7}
	for _, c := range []struct {
		loss float64
		want mark
	}{{0, kept}, {0.2, kept}, {0.2001, partly}, {0.3999, partly}, {0.4, lost}, {1, lost}, {math.NaN(), none}} {
		if got := s.of(c.loss); got != c.want {
			t.Errorf("a loss of %v is %s, expected %s", c.loss, got, c.want)
		}
	}
	nan := math.NaN()
	for _, s := range []scale{{0.1, 0.7, 0.7}, {nan, nan, nan}, {0.1, 0.2, nan}} {
		if got := s.of(0); got != none {
			t.Errorf("%+v tells %s", s, got)
		}
	}
	if got := (scale{mean: 0.5, most: 0.69, destroyed: 0.7}).of(0.69); got != kept {
		t.Errorf("the largest loss between halves is %s, although it is nearer to that of a lost pattern", got)
	}
	for _, c := range []struct {
		marks []mark
		want  mark
	}{{nil, none}, {[]mark{none, kept}, kept}, {[]mark{partly, kept}, partly}, {[]mark{kept, lost, partly}, lost}} {
		if got := worst(c.marks...); got != c.want {
			t.Errorf("the worst of %v is %s", c.marks, got)
		}
	}
	for v, want := range map[float64]string{limit: "✓ 9 %", 0.1: "✗ 10 %"} {
		if got := share(v); got != want {
			t.Errorf("%v is written %q, expected %q", v, got, want)
		}
	}
	if got := share(nan); got != "–" {
		t.Errorf("no figure is written %q", got)
	}
}

// TestLosses: a table has lost nothing against itself; one whose columns no longer belong together has lost the rules,
// correlations and association rules.
func TestLosses(t *testing.T) {
	const n = 240
	x, y, class := make([]float64, n), make([]float64, n), make([]int32, n)
	for i := range n {
		class[i] = int32(i % 3)
		x[i], y[i] = float64(10*(i%3))+float64(i%7)/7, float64(20-10*(i%3))+float64(i%5)/5
	}
	c := table.CatColumn("class", []string{"a", "b", "c"}, class)
	c.Role = table.Class
	s := &set{title: "test", support: 0.05, Table: tabletest.Of(t, append(tabletest.Numbers(0.01, x, y), c)...)}
	if err := s.measure(t.Context()); err != nil {
		t.Fatal(err)
	}
	same, err := s.losses(t.Context(), halves(s.Table, s.Table, s.Table))
	if err != nil || same != [kinds]float64{} {
		t.Errorf("against itself: %v, error %v", same, err)
	}
	for kind, c := range s.scales {
		if kind == clusters { // each of these columns alone has them
			continue
		}
		if got := c.of(0); got != kept {
			t.Errorf("%s: nothing is lost, and that is %s (%+v)", kindNames[kind], got, c)
		}
		if c.destroyed < 0.3 {
			t.Errorf("%s: a table that has lost them has a loss of %v", kindNames[kind], c.destroyed)
		}
	}
}

// TestRand: the same clusters by other numbers, clusters that have nothing to do with each other, and a case worked by
// hand: pairs 2 in common, 6 and 4 on either side, of 21: (2 - 24/21)/(5 - 24/21) = 2/9.
func TestRand(t *testing.T) {
	for _, c := range []struct {
		a, b []int32
		want float64
	}{
		{[]int32{0, 0, 1, 1}, []int32{1, 1, 0, 0}, 1},
		{[]int32{0, 0, 1, 1}, []int32{0, 1, 0, 1}, -0.5},
		{[]int32{-1, -1, -1}, []int32{0, 0, 0}, 1},
		{[]int32{0, 0, 0, 0, 1, 2, 3}, []int32{0, 0, 1, 1, 1, 2, -1}, 2. / 9},
	} {
		if got := rand(c.a, c.b); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v and %v: %v, expected %v", c.a, c.b, got, c.want)
		}
	}
}

// TestPeople: a technique is judged by the worst table, and by none in which hardly anybody is found in the original.
func TestPeople(t *testing.T) {
	sets := []*set{{found: 0.5}, {found: limit}, {found: 0.3}}
	r := row{cells: []cell{{found: 0.1}, {found: 0.9}, {found: 0.2}}}
	if got := r.people(sets); got != 0.2 {
		t.Errorf("%v", got)
	}
	r.cells[0].why, r.cells[2].why = "refused", "refused"
	if got := r.people(sets); !math.IsNaN(got) {
		t.Errorf("%v, expected none", got)
	}
}

// TestKappa: agreement beyond chance; 3 of 4 where chance gives 2 is a half.
func TestKappa(t *testing.T) {
	for _, c := range []struct {
		a, b []int32
		want float64
	}{
		{[]int32{0, 1, 0, 1}, []int32{0, 1, 0, 1}, 1}, {[]int32{0, 0}, []int32{0, 0}, 1},
		{[]int32{0, 1, 0, 1}, []int32{0, 0, 0, 0}, 0}, {[]int32{0, 1, 0, 1}, []int32{0, 1, 0, 0}, 0.5},
		{[]int32{0, 1}, []int32{1, 0}, -1},
	} {
		if got := kappa(c.a, c.b); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v and %v: %v, expected %v", c.a, c.b, got, c.want)
		}
	}
}

// TestDiffers: what the thesis names and is lost is told with its reason, and what is kept besides.
func TestDiffers(t *testing.T) {
	marks := [kinds]mark{lost, kept, kept, partly, none}
	of := func(kind int) mark { return marks[kind] }
	for _, c := range []struct {
		tasks []int
		want  string
	}{
		{[]int{rules, clusters}, "- T: decision rules are lost and clusters are kept partly: because. It keeps what the " +
			"thesis does not name: correlations, distributions.\n"},
		{[]int{correlations}, "- T: it keeps what the thesis names, and besides distributions.\n"},
		{[]int{correlations, distributions}, "- T: no difference.\n"},
	} {
		if got := (&claim{title: "T", tasks: c.tasks, why: "because"}).differs(of); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
	for _, c := range table31 {
		if _, err := catalog.Method(c.technique); err != nil {
			t.Error(err)
		}
	}
}
