package study

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/impute"
	_ "github.com/dither-data/dither/impute/trees"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/linkage"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// gappy returns records of which y is nearly 10 x, with gaps in all columns.
func gappy(t *testing.T, n int) *table.Table {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	x, y, class, sort := make([]float64, n), make([]float64, n), make([]int32, n), make([]int32, n)
	for i := range n {
		x[i] = float64(r.IntN(1000))
		y[i] = float64(10*x[i]) + float64(r.IntN(5))
		class[i], sort[i] = int32(r.IntN(2)), int32(x[i]/250)
		if r.Float64() < 0.1 {
			y[i] = math.NaN()
		}
		if r.Float64() < 0.1 {
			sort[i] = -1
		}
	}
	c := table.CatColumn("class", []string{"a", "b"}, class)
	c.Role = table.Class
	tab := must.Get(table.New(table.NumColumn("x", 1, x), table.NumColumn("y", 1, y),
		table.CatColumn("sort", []string{"p", "q", "r", "s"}, sort), c))(t)
	return tab
}

func released(t *testing.T, q Request) *Protected {
	t.Helper()
	q.KeepOrder, q.Seed = true, rng.SeedOf([32]byte{3})
	p := must.Get(Protect(t.Context(), q))(t)
	return p
}

// Where a technique leaves a column alone, what is imputed there follows from released values: an exact function of the
// original ones would give them away.
func TestImputedValuesTellNoOriginal(t *testing.T) {
	m := must.Get(catalog.Method("rnat"))(t)
	p := released(t, Request{Table: gappy(t, 800), Method: m, Set: map[string]string{"columns": "x"}, Impute: impute.DMI})
	near, exact, n := 0, 0, 0
	for i, was := range p.Original.Num(1) {
		if was == was {
			continue
		}
		n++
		if math.Abs(p.Released.Num(1)[i]-10*p.Released.Num(0)[i]) < 30 {
			near++
		}
		if math.Abs(p.Released.Num(1)[i]-10*p.Original.Num(0)[i]) < 30 {
			exact++
		}
	}
	if n == 0 || near < n*9/10 || exact > n/10 {
		t.Errorf("of %d imputed values %d follow from released values, %d from original ones", n, near, exact)
	}
	rel := must.Get(p.Release(nil))(t)
	if names, _ := Strays(rel, p.Plan, true); names != nil {
		t.Errorf("imputed columns look changed: %v", names)
	}
	if names, _ := Strays(rel, p.Plan, false); len(names) != 2 {
		t.Errorf("strays without imputation: %v", names)
	}
	made := rel.AsMade()
	for i := range made.Original.Rows() { // what the plan leaves alone is as it was, in the eyes of its law
		if made.Original.Num(1)[i] != made.Released.Num(1)[i] {
			t.Fatalf("row %d: the technique changed y", i)
		}
	}
}

// Gaps find people where they stay, not where they are filled in, and again where the release marks them.
func TestImputationEndsLinkageByGaps(t *testing.T) {
	tab := gappy(t, 60) // few: of four patterns of gaps some are rare
	m := must.Get(catalog.Method("framework"))(t)
	find := func(q Request) float64 {
		p := released(t, q)
		rel := must.Get(p.Release(nil))(t)
		who := rel.Against(&intruder.Intruder{Name: "all", Knows: []string{intruder.All}})
		v := must.Get(measure.Take(t.Context(), linkage.GapLinkage.New(), who, rng.New(rng.SeedOf([32]byte{4}))))(t)
		return v.Score
	}
	base := Request{Table: tab, Method: m}
	before := find(base)
	base.Impute = impute.DMI
	after := find(base)
	base.Marks = true
	marked := find(base)
	if before < 3.0/60 || after > 1.001/60 || marked != before {
		t.Errorf("found by gaps: %.4f, imputed %.4f, marked %.4f", before, after, marked)
	}
}

// An imputation is refused where the technique bounds what is learned, and marks without one or of drawn records.
func TestImputationRefused(t *testing.T) {
	tab := gappy(t, 200)
	rnat := must.Get(catalog.Method("rnat"))(t)
	cart := must.Get(catalog.Method("cartsynthesis"))(t)
	p := released(t, Request{Table: tab, Method: rnat})
	for what, q := range map[string]Request{
		"marks alone":        {Method: rnat, Marks: true},
		"marks of drawn":     {Method: cart, Impute: impute.DMI, Marks: true},
		"a plan without one": {Method: rnat, Impute: impute.DMI, Plan: p.Plan},
		"unknown":            {Method: rnat, Impute: "mean"},
	} {
		q.Table, q.Seed = tab, rng.SeedOf([32]byte{3})
		if _, err := Protect(t.Context(), q); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	drawn := released(t, Request{Table: tab, Method: cart, Impute: impute.DMI})
	for j := range drawn.Released.Width() {
		for i := range drawn.Released.Rows() {
			if drawn.Released.MissingAt(i, j) {
				t.Fatal("a record that was drawn from a filled table has a gap")
			}
		}
	}
}
