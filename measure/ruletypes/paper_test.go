package ruletypes

import (
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// The attributes of the worked example of Islam 2007, section 7.3: P, Q and R on the integers 1 to 10, S on three
// categories.
func exampleAttrs() []table.Attribute {
	ten := table.Interval{Lo: 1, Hi: 10}
	return []table.Attribute{
		{Name: "P", Step: 1, Domain: ten},
		{Name: "Q", Step: 1, Domain: ten},
		{Name: "R", Step: 1, Domain: ten},
		{Name: "S", Kind: table.Categorical, Labels: []string{"s1", "s2", "s3"}},
	}
}

func exampleRule(then int32, conds ...tree.Cond) tree.Rule { return tree.Rule{If: conds, Then: then} }

func num(attr int, op string, value float64) tree.Cond {
	return tree.Cond{Attr: attr, Op: op, Value: value}
}

func in(codes ...int32) tree.Cond { return tree.Cond{Attr: 3, Op: "in", Codes: codes} }

// TestExampleOfSection73 types the perturbed rules R_p(1), R_p(2), R_p(21), R_p(22) and R_p(3) of the text against its
// five original rules. R_p(3) is of type D in chapter 7, and was of type C in chapter 6, which has no type D.
func TestExampleOfSection73(t *testing.T) {
	const p, q, r = 0, 1, 2
	const c1, c2 = 0, 1
	original := []tree.Rule{
		exampleRule(c1, num(p, ">", 5), num(q, "<=", 2), in(0)),
		exampleRule(c2, num(p, ">", 5), num(q, "<=", 2), in(1)),
		exampleRule(c1, num(p, ">", 5), num(q, "<=", 2), in(2)),
		exampleRule(c2, num(p, ">", 5), num(q, ">", 2)),
		exampleRule(c2, num(p, "<=", 5)),
	}
	released := []tree.Rule{
		exampleRule(c1, num(p, ">", 5), num(q, "<=", 2), in(0)),
		exampleRule(c1, num(p, ">", 6), num(q, "<=", 2), in(0)),
		exampleRule(c2, num(p, ">", 6), num(q, ">", 4), in(0, 1)),
		exampleRule(c2, num(p, ">", 6), num(q, ">", 4), in(2)),
		exampleRule(c1, num(p, ">", 8), num(q, "<=", 2), num(r, "<", 3)),
	}
	types, match, err := CompareRules(exampleAttrs(), original, released)
	must.NoError(t, err)
	if want := []Type{A, B, B, B, D}; !slices.Equal(types, want) {
		t.Errorf("types %s, expected %s", types, want)
	}
	// "R_p(3) is significantly different from its best matching original rules R_o(1) and R_o(3)": the first of them is
	// named.
	if want := []int{0, 0, 3, 3, 0}; !slices.Equal(match, want) {
		t.Errorf("best matching rules %v, expected %v", match, want)
	}
}

// TestTreesOfSection73 classifies the trees of the text: T_p(1) with 90 % type A and 5 % type D, T_p(2) with 5 % and 70
// %. T_p(1) is called more similar, but "less than 5 %" of type D keeps it out of Very Similar. Others stand on both
// sides of the bounds of Dissimilar.
func TestTreesOfSection73(t *testing.T) {
	for _, c := range []struct {
		weights [4]float64
		want    TreeClass
	}{{[4]float64{90, 5, 0, 5}, "Unclassified"}, {[4]float64{5, 25, 0, 70}, "Dissimilar"},
		{[4]float64{100}, "Exactly Same"},
		{[4]float64{89.38, 10.62}, "Very Similar"}, {[4]float64{0, 74.79, 25.21}, "Unclassified"},
		// "more than 10 %" of type D and "less than 10 %" of type A: a tree at either bound is not Dissimilar.
		{[4]float64{5, 85, 0, 10}, "Unclassified"}, {[4]float64{10, 70, 0, 20}, "Unclassified"},
		{[4]float64{5, 84.99, 0, 10.01}, "Dissimilar"}, {[4]float64{9.99, 70.01, 0, 20}, "Dissimilar"}} {
		if got := Class(c.weights); got != c.want {
			t.Errorf("weights %v: %s, expected %s", c.weights, got, c.want)
		}
	}
}
