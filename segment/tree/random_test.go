package tree

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// drawTree draws a tree over two numeric and two categorical attributes and a class.
func drawTree(t *rapid.T) *Tree { return drawTreeOn(t, drawSchema(t)) }

func drawSchema(t *rapid.T) []table.Attribute {
	labels := func(n int) []string {
		s := make([]string, n)
		for i := range s {
			s[i] = string(rune('a'+i)) + ` "é\`
		}
		return s
	}
	return []table.Attribute{
		{Name: "x", Domain: table.Interval{Lo: 0, Hi: 9}, Step: 1, Role: table.Quasi | table.Confidential},
		{Name: "p", Kind: table.Categorical, Labels: labels(rapid.IntRange(1, 4).Draw(t, "p")), Ordered: true},
		{Name: "class", Kind: table.Categorical, Labels: labels(rapid.IntRange(1, 3).Draw(t, "classes")), Role: table.Class},
		{Name: "y", Domain: table.Everything(), Declared: true},
		{Name: "q", Kind: table.Categorical, Labels: labels(3)},
	}
}

func drawTreeOn(t *rapid.T, attrs []table.Attribute) *Tree {
	tr := &Tree{Class: 2, Attrs: attrs}
	classes := len(tr.ClassLabels())
	var grow func(depth int) int32
	grow = func(depth int) int32 {
		at := int32(len(tr.Nodes))
		n := Node{Attr: -1, Counts: make([]float64, classes), Label: int32(rapid.IntRange(0, classes-1).Draw(t, "label"))}
		for c := range n.Counts {
			n.Counts[c] = float64(rapid.IntRange(0, 3).Draw(t, "count")) / 2
		}
		tr.Nodes = append(tr.Nodes, n)
		if depth == 4 || rapid.Bool().Draw(t, "leaf") {
			return at
		}
		n.Attr = rapid.SampledFrom([]int{0, 1, 3, 4}).Draw(t, "attr")
		kids := 2
		if a := &tr.Attrs[n.Attr]; a.Kind == table.Numeric {
			n.Cut = float64(rapid.IntRange(-1, 20).Draw(t, "cut")) / 2
		} else {
			kids = rapid.IntRange(1, 3).Draw(t, "kids")
			n.Branch = make([]int32, len(a.Labels))
			for code := range n.Branch {
				n.Branch[code] = int32(rapid.IntRange(-1, kids-1).Draw(t, "branch"))
			}
		}
		for range kids {
			n.Kids = append(n.Kids, grow(depth+1))
		}
		n.Heavy = int32(rapid.IntRange(0, kids-1).Draw(t, "heavy"))
		tr.Nodes[at] = n
		return at
	}
	grow(0)
	return tr
}

// drawTable draws records of the tree's schema, with missing values.
func drawTable(t *rapid.T, attrs []table.Attribute) *table.Table {
	rows := rapid.SampledFrom([]int{0, 1, 5, 20, 200}).Draw(t, "rows")
	cols := make([]table.Column, len(attrs))
	for j, a := range attrs {
		cols[j].Attribute = a
		if a.Kind == table.Categorical {
			cols[j].Cat = make([]int32, rows)
			for i := range rows {
				cols[j].Cat[i] = int32(rapid.IntRange(-1, len(a.Labels)-1).Draw(t, "code"))
			}
			continue
		}
		cols[j].Num = make([]float64, rows)
		for i := range rows {
			if cols[j].Num[i] = float64(rapid.IntRange(-1, 9).Draw(t, "value")); cols[j].Num[i] < 0 {
				cols[j].Num[i] = math.NaN()
			}
		}
	}
	return tabletest.Of(t, cols...)
}

// holds reports whether record r meets all conditions of a rule.
func holds(r *Rule, tab *table.Table, row int) bool {
	for _, c := range r.If {
		switch c.Op {
		case "<=":
			if !(tab.Num(c.Attr)[row] <= c.Value) {
				return false
			}
		case ">":
			if !(tab.Num(c.Attr)[row] > c.Value) {
				return false
			}
		default:
			if !slices.Contains(c.Codes, tab.Cat(c.Attr)[row]) {
				return false
			}
		}
	}
	return true
}

// A record is routed as walking down node by node routes it; where every test on the way has a branch for it, its
// leaf's rule and segment hold it, and no other leaf's do, and the prediction is the leaf's label.
func TestRouteTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tr := drawTree(t)
		tab := drawTable(t, tr.Attrs)
		leaf, class := make([]int32, tab.Rows()), make([]int32, tab.Rows())
		tr.Route(tab, leaf)
		tr.Predict(tab, class)
		leaves, rules, segments := tr.Leaves(), tr.Rules(), tr.Segments()
		for row := range leaf {
			at, sure := int32(0), true
			for !tr.Nodes[at].Leaf() {
				n := &tr.Nodes[at]
				k := n.branchOf(tab, row)
				if k < 0 {
					k, sure = n.Heavy, false
				}
				at = n.Kids[k]
			}
			if leaves[leaf[row]] != at {
				t.Fatalf("record %d is in leaf %d, expected node %d", row, leaf[row], at)
			}
			if want := vote(tr, tab, row); class[row] != want && (!sure || class[row] != tr.Nodes[at].Label) {
				t.Fatalf("record %d is predicted %d, expected %d", row, class[row], want)
			}
			for l := range rules {
				inside := true
				for j, iv := range segments[l].Num {
					inside = inside && (iv.Contains(tab.Num(j)[row]) || !tr.Attrs[j].Domain.Contains(tab.Num(j)[row]))
				}
				for j, codes := range segments[l].Cat {
					inside = inside && slices.Contains(codes, tab.Cat(j)[row])
				}
				own := int32(l) == leaf[row]
				if sure && (holds(&rules[l], tab, row) != own || inside != own) {
					t.Fatalf("record %d in leaf %d: rule %d holds: %v, segment: %v", row, leaf[row], l, holds(&rules[l], tab, row),
						inside)
				}
			}
		}
	})
}

// vote predicts by the definition: weights down all branches.
func vote(tr *Tree, tab *table.Table, row int) int32 {
	votes := make([]float64, len(tr.ClassLabels()))
	var down func(i int32, w float64)
	down = func(i int32, w float64) {
		n := &tr.Nodes[i]
		if n.Leaf() {
			for c := range votes {
				if n.Weight() > 0 {
					votes[c] += w * n.Counts[c] / n.Weight()
				} else if int32(c) == n.Label {
					votes[c] += w
				}
			}
			return
		}
		if k := n.branchOf(tab, row); k >= 0 {
			down(n.Kids[k], w)
			return
		}
		total := 0.0
		for _, k := range n.Kids {
			total += tr.Nodes[k].Weight()
		}
		for k, kid := range n.Kids {
			if total > 0 {
				down(kid, w*tr.Nodes[kid].Weight()/total)
			} else if int32(k) == n.Heavy {
				down(kid, w)
			}
		}
	}
	down(0, 1)
	return argmax(votes)
}

func TestJSONRoundTrip(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tr, back := drawTree(t), new(Tree)
		doc := must.Get(json.Marshal(tr))(t)
		if err := json.Unmarshal(doc, back); err != nil {
			t.Fatalf("%v in %s", err, doc)
		}
		if !tr.Equal(back) || !back.Equal(tr) {
			t.Fatalf("read back: %+v, expected %+v", back, tr)
		}
	})
}

func TestRecount(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tr := drawTree(t)
		tab := drawTable(t, tr.Attrs)
		labels := make([]int32, len(tr.Nodes))
		for i := range labels {
			labels[i] = tr.Nodes[i].Label
		}
		tr.Recount(tab)
		classed := 0.0
		for _, c := range tab.Cat(tr.Class) {
			if c >= 0 {
				classed++
			}
		}
		if w := tr.Nodes[0].Weight(); w != classed {
			t.Fatalf("the root counts %v records, expected %v", w, classed)
		}
		for i := range tr.Nodes {
			if n := &tr.Nodes[i]; n.Label != labels[i] {
				t.Fatalf("the label of node %s changes", strconv.Itoa(i))
			}
		}
	})
}
