package ruletypes

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// TestCompareWeighsRecords routes records through a tree of two leaves; one has a missing value and goes to the heavy
// branch.
func TestCompareWeighsRecords(t *testing.T) {
	stump := func(cut float64, label int32) *tree.Tree {
		return &tree.Tree{Attrs: testAttrs(), Class: 4, Nodes: []tree.Node{
			{Attr: 0, Cut: cut, Kids: []int32{1, 2}, Heavy: 1}, {Attr: -1, Label: label}, {Attr: -1, Label: 1}}}
	}
	attrs := testAttrs()
	zero := make([]float64, 4)
	tab := must.Get(table.New(table.Column{Attribute: attrs[0], Num: []float64{1, 4, 5, math.NaN()}},
		table.Column{Attribute: attrs[1], Num: zero}, table.Column{Attribute: attrs[2], Num: zero},
		table.Column{Attribute: attrs[3], Cat: make([]int32, 4)},
		table.Column{Attribute: attrs[4], Cat: make([]int32, 4)}))(t)
	for _, c := range []struct {
		name               string
		original, released *tree.Tree
		types              []Type
		weights            [4]float64
		class              TreeClass
	}{
		{"same cut", stump(3, 0), stump(3, 0), []Type{A, A}, [4]float64{100}, "Exactly Same"},
		{"same cut on the grid", stump(3, 0), stump(3.9, 0), []Type{A, A}, [4]float64{100}, "Exactly Same"},
		{"other cut", stump(3, 0), stump(2, 0), []Type{B, B}, [4]float64{0, 100}, "Unclassified"},
		{"other class on the left", stump(3, 0), stump(3, 1), []Type{C, A}, [4]float64{75, 0, 25}, "Very Similar"},
		{"leaves of one class join to nothing tested",
			&tree.Tree{Attrs: attrs, Class: 4, Nodes: []tree.Node{{Attr: -1, Label: 1}}},
			stump(3, 1), []Type{D, D}, [4]float64{0, 0, 0, 100}, "Dissimilar"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Compare(c.original, c.released, tab)
			if !slices.Equal(d.Types, c.types) || d.Weights != c.weights || d.Class != c.class {
				t.Errorf("types %s, weights %v, class %s; expected %s, %v, %s", d.Types, d.Weights, d.Class, c.types, c.weights,
					c.class)
			}
		})
	}
}

func TestCompareRulesRefuses(t *testing.T) {
	for name, c := range map[string]tree.Cond{
		"no such column":               {Attr: 9, Op: "<="},
		"set of a numeric column":      {Attr: 0, Op: "in"},
		"limit of a category":          {Attr: 3, Op: "<="},
		"category outside the labels":  {Attr: 3, Op: "in", Codes: []int32{3}},
		"operator that does not exist": {Attr: 0, Op: "!="},
	} {
		if _, _, err := CompareRules(testAttrs(), []tree.Rule{{If: []tree.Cond{c}}}, nil); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestBestMatch names the original rule of the same form with the nearest limits, and for a rule of type C the likest
// one.
func TestBestMatch(t *testing.T) {
	le := func(j int, v float64) tree.Cond { return tree.Cond{Attr: j, Op: "<=", Value: v} }
	gt := func(j int, v float64) tree.Cond { return tree.Cond{Attr: j, Op: ">", Value: v} }
	original := []tree.Rule{
		{If: []tree.Cond{le(0, 1)}},
		{If: []tree.Cond{le(0, 4)}},
		{If: []tree.Cond{gt(0, 4), le(1, 1)}, Then: 1},
		{If: []tree.Cond{gt(0, 4), gt(1, 1)}},
	}
	released := []tree.Rule{
		{If: []tree.Cond{le(0, 3)}},
		{If: []tree.Cond{le(0, 4)}},
		{If: []tree.Cond{gt(0, 4)}},
		{If: []tree.Cond{le(2, 2)}},
	}
	types, match, err := CompareRules(testAttrs(), original, released)
	must.NoError(t, err)
	if want := []Type{B, A, C, D}; !slices.Equal(types, want) {
		t.Errorf("types %s, expected %s", types, want)
	}
	if want := []int{1, 1, 3, -1}; !slices.Equal(match, want) {
		t.Errorf("matches %v, expected %v", match, want)
	}
}

// randomTree splits a random leaf until there are so many; cuts and branches are drawn.
func randomTree(r *rand.Rand, leaves int) *tree.Tree {
	attrs := []table.Attribute{{Name: "class", Kind: table.Categorical, Labels: []string{"no", "yes"}}}
	for k := range 6 {
		attrs = append(attrs, table.Attribute{Name: string(rune('a' + k)), Domain: table.Interval{Hi: 1}},
			table.Attribute{Name: string(rune('A' + k)), Kind: table.Categorical, Labels: []string{"u", "v", "w", "x"}})
	}
	t := &tree.Tree{Attrs: attrs}
	var grow func(leaves int)
	grow = func(leaves int) {
		at := len(t.Nodes)
		t.Nodes = append(t.Nodes, tree.Node{Attr: -1, Label: int32(r.IntN(2))})
		if leaves < 2 {
			return
		}
		n := tree.Node{Attr: 1 + r.IntN(12)}
		if attrs[n.Attr].Kind == table.Numeric {
			n.Cut = r.Float64()
		} else {
			n.Branch = []int32{0, 0, 1, 1}
		}
		left := 1 + r.IntN(leaves-1)
		for _, k := range []int{left, leaves - left} {
			n.Kids = append(n.Kids, int32(len(t.Nodes)))
			grow(k)
		}
		t.Nodes[at] = n
	}
	grow(leaves)
	return t
}

// BenchmarkCompare types the rules of two random trees on twelve attributes, the worst case: nothing matches. It takes
// 0.2 of the yardstick at 1,000 leaves and 6 at 10,000, where naming the likest rules of type C takes most of the time.
func BenchmarkCompare(b *testing.B) {
	for _, c := range []struct {
		name   string
		leaves int
	}{{"1000", 1000}, {"10000", 10_000}} {
		b.Run(c.name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			original, released := randomTree(r, c.leaves), randomTree(r, c.leaves)
			for b.Loop() {
				compare(original.Attrs, rulesOf(original), rulesOf(released))
			}
			yardstick.Report(b)
		})
	}
}
