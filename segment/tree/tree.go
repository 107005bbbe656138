// Package tree is a decision tree as data: what learners produce, what techniques segment by, what measures compare.
//
// A tree routes every record to exactly one leaf, also one with missing values: a record whose tested value is
// missing, or is a category the node has no branch for, follows the heaviest branch. So a released record whose
// missing values stayed missing reaches the leaf of its original as long as the tested values stay in the leaf's
// sub-domains. Prediction is another matter: Predict follows all branches with fractional weight, as C4.5 does
// (Quinlan 1993, section 3).
package tree

import "github.com/dither-data/dither/table"

// Tree is a decision tree with the schema it was fitted on. Nodes[0] is the root; nodes stand in depth-first order, so
// the leaves, read in order, are numbered from the left.
type Tree struct {
	Attrs []table.Attribute // the schema; node attributes and codes refer to it
	Class int               // position of the class in Attrs
	Nodes []Node
}

// Node is an inner node or a leaf.
type Node struct {
	Attr   int       // column tested; -1 at a leaf
	Cut    float64   // numeric test: values <= Cut go to Kids[0], larger ones to Kids[1]
	Branch []int32   // categorical test: Branch[code] is a position in Kids, -1 where the node has no branch
	Kids   []int32   // positions in Nodes; nil at a leaf
	Heavy  int32     // position in Kids of the heaviest branch, where missing and unseen values go
	Counts []float64 // training weight per class
	Label  int32     // the majority class; of an empty leaf, that of its parent
}

// Leaf reports whether the node is a leaf.
func (n *Node) Leaf() bool { return n.Attr < 0 }

// Weight returns the training weight at the node, in records.
func (n *Node) Weight() float64 {
	w := 0.0
	for _, c := range n.Counts {
		w += c
	}
	return w
}

// Leaves returns the positions of the leaves in Nodes, in order; a leaf's number is its position here.
func (t *Tree) Leaves() []int32 {
	var out []int32
	for i := range t.Nodes {
		if t.Nodes[i].Leaf() {
			out = append(out, int32(i))
		}
	}
	return out
}

// ClassLabels returns the names of the classes, by code.
func (t *Tree) ClassLabels() []string { return t.Attrs[t.Class].Labels }

// Step is one test on the way to a node: branch Kid of node Node.
type Step struct{ Node, Kid int32 }

// Walk visits every node, depth first, with the tests that lead to it. The path is reused: copy it to keep it.
func (t *Tree) Walk(visit func(path []Step, node int32)) {
	var path []Step
	var walk func(i int32)
	walk = func(i int32) {
		visit(path, i)
		for k, kid := range t.Nodes[i].Kids {
			path = append(path, Step{i, int32(k)})
			walk(kid)
			path = path[:len(path)-1]
		}
	}
	if len(t.Nodes) > 0 {
		walk(0)
	}
}
