package ruletypes

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// testAttrs is a schema of three numeric attributes on different grids, one with three categories, and the class.
func testAttrs() []table.Attribute {
	return []table.Attribute{
		{Name: "P", Step: 1, Domain: table.Interval{Lo: 1, Hi: 6}},
		{Name: "Q", Step: 0.5, Domain: table.Interval{Lo: 0, Hi: 3}},
		{Name: "R", Step: 1, Domain: table.Interval{Lo: 1, Hi: 3}},
		{Name: "S", Kind: table.Categorical, Labels: []string{"s1", "s2", "s3"}},
		{Name: "C", Kind: table.Categorical, Labels: []string{"c1", "c2"}, Role: table.Class},
	}
}

// drawTree draws a tree of the schema of at most eight leaves. Cuts part the values that can reach the node; some lie
// between two values of the grid.
func drawTree(t *rapid.T, name string) *tree.Tree {
	tr := &tree.Tree{Attrs: testAttrs(), Class: 4}
	var grow func(depth int, sets [4][]int) int32
	grow = func(depth int, sets [4][]int) int32 {
		at := int32(len(tr.Nodes))
		tr.Nodes = append(tr.Nodes, tree.Node{Attr: -1, Label: int32(rapid.IntRange(0, 1).Draw(t, name))})
		j := rapid.IntRange(-2, 3).Draw(t, name)
		if depth == 3 || j < 0 || len(sets[j]) < 2 {
			return at
		}
		n := tree.Node{Attr: j}
		k := rapid.IntRange(1, len(sets[j])-1).Draw(t, name)
		a := tr.Attrs[j]
		if a.Kind == table.Numeric {
			n.Cut = a.Domain.Lo + a.Step*(float64(sets[j][k-1])+0.4*float64(rapid.IntRange(0, 1).Draw(t, name)))
		} else {
			n.Branch = []int32{-1, -1, -1}
		}
		for kid, part := range [][]int{sets[j][:k], sets[j][k:]} {
			for _, c := range part {
				if n.Branch != nil {
					n.Branch[c] = int32(kid)
				}
			}
			s := sets
			s[j] = part
			n.Kids = append(n.Kids, grow(depth+1, s))
		}
		tr.Nodes[at] = n
		return at
	}
	grow(0, [4][]int{{0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5, 6}, {0, 1, 2}, {0, 1, 2}})
	return tr
}

func rulesOf(t *tree.Tree) []rule { return normal(t.Attrs, t.Rules()) }

// values returns, as one bit each, the values of an attribute that meet the rule's condition; all when there is none.
func (r *rule) values(attrs []table.Attribute, attr int) (bits, all uint) {
	a := attrs[attr]
	n := len(a.Labels)
	if a.Kind == table.Numeric {
		n = int((a.Domain.Hi-a.Domain.Lo)/a.Step) + 1
	}
	all = 1<<n - 1
	p := slices.IndexFunc(r.conds, func(c cond) bool { return c.attr == attr })
	if p < 0 {
		return all, all
	}
	for v := range n {
		if c := &r.conds[p]; c.codes != nil && slices.Contains(c.codes, int32(v)) ||
			c.codes == nil && c.interval().Contains(a.Domain.Lo+a.Step*float64(v)) {
			bits |= 1 << v
		}
	}
	return bits, all
}

// shape says which ends of the domain a set of values leaves out; ok is false when the values have a gap.
func shape(bits, all uint) (cutsLow, cutsHigh, ok bool) {
	low := bits & -bits
	return bits&1 == 0, bits&((all+1)>>1) == 0, bits != 0 && (bits+low)&bits == 0
}

// tests reports whether the rule tests the attribute.
func (r *rule) tests(attr int) bool {
	return slices.ContainsFunc(r.conds, func(c cond) bool { return c.attr == attr })
}

// twinLike reports whether a rule whose values of attribute attr are bits, and of the others those of r, has an
// original of its form.
func twinLike(attrs []table.Attribute, r *rule, attr int, bits uint, o *rule) bool {
	if r.then != o.then {
		return false
	}
	for j := range attrs {
		x, all := r.values(attrs, j)
		tested := r.tests(j)
		if j == attr {
			x, tested = bits, bits != all
		}
		y, _ := o.values(attrs, j)
		if tested != o.tests(j) {
			return false
		}
		if attrs[j].Kind == table.Categorical {
			if x != y {
				return false
			}
			continue
		}
		lowX, highX, ok := shape(x, all)
		lowY, highY, _ := shape(y, all)
		if !ok || lowX != lowY || highX != highY {
			return false
		}
	}
	return true
}

// twin types rules by the definition: every subset of the released rules is joined over every attribute.
func twin(attrs []table.Attribute, original, released []rule) []Type {
	types := make([]Type, len(released))
	for i := range released {
		types[i] = C
	}
	for s := uint(1); s < 1<<len(released); s++ {
		var of []int
		for i := range released {
			if s>>i&1 == 1 {
				of = append(of, i)
			}
		}
		for attr := range attrs {
			bits, joined := twinUnion(attrs, released, of, attr)
			if joined &&
				slices.ContainsFunc(original, func(o rule) bool { return twinLike(attrs, &released[of[0]], attr, bits, &o) }) {
				for _, i := range of {
					types[i] = B
				}
			}
		}
	}
	for i := range released {
		r := &released[i]
		for j := range attrs {
			if r.tests(j) && !slices.ContainsFunc(original, func(o rule) bool { return o.tests(j) }) {
				types[i] = D
			}
		}
		if types[i] != D && slices.ContainsFunc(original, func(o rule) bool { return twinSame(attrs, r, &o) }) {
			types[i] = A
		}
	}
	return types
}

func twinSame(attrs []table.Attribute, r, o *rule) bool {
	for j := range attrs {
		x, _ := r.values(attrs, j)
		y, _ := o.values(attrs, j)
		if x != y || r.tests(j) != o.tests(j) {
			return false
		}
	}
	return r.then == o.then
}

// twinUnion returns the union of the rules' values of an attribute that all test; ok is false when they differ
// elsewhere.
func twinUnion(attrs []table.Attribute, released []rule, of []int, attr int) (bits uint, ok bool) {
	first := &released[of[0]]
	for _, i := range of {
		r := &released[i]
		if r.then != first.then || !r.tests(attr) {
			return 0, false
		}
		for j := range attrs {
			x, _ := r.values(attrs, j)
			y, _ := first.values(attrs, j)
			if j != attr && (x != y || r.tests(j) != first.tests(j)) {
				return 0, false
			}
		}
		x, _ := r.values(attrs, attr)
		bits |= x
	}
	return bits, true
}

func TestTypesEqualTwin(t *testing.T) {
	seen := map[Type]int{}
	joined := 0
	check := func(t *rapid.T) {
		original, released := rulesOf(drawTree(t, "original")), rulesOf(drawTree(t, "released"))
		got, match := compare(testAttrs(), original, released)
		want := twin(testAttrs(), original, released)
		if !slices.Equal(got, want) {
			t.Fatalf("types %s, expected %s\noriginal %+v\nreleased %+v", got, want, original, released)
		}
		m := newMatcher(testAttrs(), original)
		for i, typ := range got {
			seen[typ]++
			k := m.number(&released[i])
			if alone, _ := m.alone(&k); typ == B && alone == C {
				joined++
			}
			if (typ == A || typ == B) && (match[i] < 0 || original[match[i]].then != released[i].then) {
				t.Fatalf("rule %d of type %s matches original %d", i, typ, match[i])
			}
		}
	}
	const rounds = 40                // 4,000 pairs of trees, so that every type occurs, and joins do
	long.Check(t, func(r *rapid.T) { // not so many checks of one pair, which are the same where the seed is
		for range rounds {
			check(r)
		}
	})
	t.Logf("types %v, of B by joining %d", seen, joined)
	long.Drawn(t, len(seen) == 4 && joined > 0, "some type was not drawn: %v, %d by joining", seen, joined)
}
