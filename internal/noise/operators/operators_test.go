package operators_test

import (
	"math"
	"testing"

	"github.com/dither-data/dither/internal/noise/operators"
	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func near(t testing.TB, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
		t.Errorf("%s is %v, expected %v", what, got, want)
	}
}

// sold returns 30 records each of a b c, a b, c, a and none, and one of which the set is missing.
func sold() *table.Table {
	sets := [][]int32{}
	for range 30 {
		sets = append(sets, []int32{0, 1, 2}, []int32{0, 1}, []int32{2}, []int32{0}, nil)
	}
	s := table.SetsOf(append(sets, nil), nil)
	s.Missing = make([]bool, len(sets)+1)
	s.Missing[len(sets)] = true
	return tabletest.Must(table.SetColumn("s", []string{"a", "b", "c"}, s))
}

// By Bayes' rule over the records of the original, release by release.
func TestBreaches(t *testing.T) {
	p, q := 0.9, 0.8
	bits := modelfile.Part{Columns: []string{"s"}, Items: &modelfile.Items{One: p, Zero: q}}
	got, err := operators.Breaches(t.Context(), &bits, sold(), 0.01, 3)
	if err != nil || len(got) != 3 {
		t.Fatal(got, err)
	}
	r := 1 - q
	near(t, "the worst of one item", got[0].Worst, 90*p/(90*p+60*r))                      // a
	near(t, "the mean of one item", got[0].Mean, (90*p/(90*p+60*r)+2*60*p/(60*p+90*r))/3) // a, b and c
	// a of ab: 60 have both, 30 a alone, 30 c alone, 30 nothing
	near(t, "the worst of pairs", got[1].Worst, (60*p*p+30*p*r)/(60*p*p+30*p*r+30*r*r+30*r*r))
	near(t, "of three", got[2].Worst, (30*p*p*p+30*p*p*r+30*p*r*r)/(30*p*p*p+30*p*p*r+60*p*r*r+30*r*r*r))
	if got[1].Itemsets != 3 || len(got[2].Of) != 3 {
		t.Errorf("%+v", got)
	}
	most := 1
	sizes := modelfile.Part{
		Columns: []string{"s"},
		Sizes: &modelfile.Sizes{
			Operators: []modelfile.Operator{{Items: 0, Kept: []float64{1}}, {Items: 1, Kept: []float64{0.4, 0.6}, Rho: 0.2},
				{Items: 2, Most: &most, Rho: 0.2}, {Items: 3, Kept: []float64{0.1, 0.2, 0.3, 0.4}, Rho: 0.1}},
		},
	}
	if got, err = operators.Breaches(t.Context(), &sizes, sold(), 0.01, 2); err != nil || len(got) != 2 {
		t.Fatal(got, err)
	}
	near(t, "who has all has it", got[0].Worst, 1) // of three items of three
}

// The figures of the law beside the others are those of the operators, and every kind of law has some.
func TestCompared(t *testing.T) {
	tab := tabletest.Must(table.CatColumn("x", []string{"p", "q"}, make([]int32, 100)),
		table.CatColumn("y", []string{"p", "q", "r"}, make([]int32, 100)))
	for _, c := range []struct {
		p            modelfile.Part
		t            *table.Table
		gamma, first float64
		of           string
	}{
		{modelfile.Part{Columns: []string{"s"}, Items: &modelfile.Items{One: 0.9, Zero: 0.9}}, sold(), 9, 1.25, "an item"},
		{modelfile.Part{Columns: []string{"x", "y"}, Record: &modelfile.Record{Gamma: 19, Categories: []int{2, 3}}}, tab, 19,
			24.0 / 18, "a record"},
		{modelfile.Part{Columns: []string{"y"}, Category: &modelfile.Category{Categories: 3, Keep: 0.7}}, tab, 0.7 / 0.15,
			randomised.Bits{One: 0.7, Zero: 0.85}.Condition(1), "a value"},
		{modelfile.Part{Columns: []string{"x"}, Group: &modelfile.Group{Theta: 0.8}}, tab, 4, 1 / 0.6, "a group of values"},
	} {
		got, err := operators.Compared(t.Context(), "m", []modelfile.Part{c.p}, c.t)
		if err != nil || len(got) != 1 || len(got[0].Rows) < 3 {
			t.Fatal(got, err)
		}
		own := got[0].Rows[0]
		near(t, "gamma", own.Gamma, c.gamma)
		near(t, "epsilon", own.Epsilon, math.Log(c.gamma))
		near(t, "the condition number", own.Items[0].Condition, c.first)
		if own.Of != c.of || own.Name != "m (this release)" || (len(got[0].Breaches) > 0) != (c.p.Items != nil) {
			t.Errorf("%+v", got[0])
		}
		for _, f := range got[0].Rows {
			if !(f.Items[0].Error > 0) || !(f.Items[0].Breach > 0.01 && f.Items[0].Breach <= 1) {
				t.Errorf("%s: %+v", f.Name, f.Items[0])
			}
		}
	}
}
