package tree

import (
	"math"
	"slices"

	"github.com/dither-data/dither/table"
)

// Siblings returns, for every leaf, the numbers of the other leaves under the same parent (Islam 2007, section 6.4.1).
func (t *Tree) Siblings() [][]int {
	number := make([]int, len(t.Nodes))
	leaves := t.Leaves()
	for l, i := range leaves {
		number[i] = l
	}
	out := make([][]int, len(leaves))
	for i := range t.Nodes {
		var group []int
		for _, k := range t.Nodes[i].Kids {
			if t.Nodes[k].Leaf() {
				group = append(group, number[k])
			}
		}
		for k, l := range group {
			out[l] = slices.Concat(group[:k], group[k+1:])
		}
	}
	return out
}

// TotallyInnocent returns the columns, other than the class, that no node tests: innocent in every leaf (Islam 2007,
// section 7.3).
func (t *Tree) TotallyInnocent() []int {
	tested := make([]bool, len(t.Attrs))
	tested[t.Class] = true
	for i := range t.Nodes {
		if !t.Nodes[i].Leaf() {
			tested[t.Nodes[i].Attr] = true
		}
	}
	var out []int
	for j := range tested {
		if !tested[j] {
			out = append(out, j)
		}
	}
	return out
}

// Depth returns the number of tests on the longest path; 0 for a single leaf.
func (t *Tree) Depth() int {
	deepest := 0
	level := make([]int, len(t.Nodes))
	for i := range t.Nodes { // parents stand before their children
		for _, k := range t.Nodes[i].Kids {
			level[k] = level[i] + 1
			deepest = max(deepest, level[k])
		}
	}
	return deepest
}

// Equal reports whether two trees have the same schema, tests, labels and counts.
func (t *Tree) Equal(o *Tree) bool {
	return t == o || t.Class == o.Class &&
		slices.EqualFunc(t.Attrs, o.Attrs, sameAttr) && slices.EqualFunc(t.Nodes, o.Nodes, sameNode)
}

func sameAttr(a, b table.Attribute) bool {
	return a.Name == b.Name && a.Kind == b.Kind && a.Role == b.Role && a.Domain == b.Domain && a.Declared == b.Declared &&
		a.Step == b.Step && a.Ordered == b.Ordered && slices.Equal(a.Labels, b.Labels)
}

func sameNode(a, b Node) bool {
	return a.Attr == b.Attr && math.Float64bits(a.Cut) == math.Float64bits(b.Cut) && a.Heavy == b.Heavy &&
		a.Label == b.Label &&
		(a.Branch == nil) == (b.Branch == nil) &&
		slices.Equal(a.Branch, b.Branch) &&
		slices.Equal(a.Kids, b.Kids) &&
		slices.Equal(a.Counts, b.Counts)
}
