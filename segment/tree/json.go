package tree

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/dither-data/dither/table"
)

// Document is the JSON form of a tree: the schema, the name of the class, and the nodes, nested.
type Document struct {
	Schema []table.Attribute `json:"schema"`
	Class  string            `json:"class"`
	Tree   *DocumentNode     `json:"tree"`
}

// DocumentNode is a numeric test (threshold, le, gt), a categorical test (branches) or a leaf.
type DocumentNode struct {
	Attr      string           `json:"attr,omitempty"`
	Threshold *float64         `json:"threshold,omitempty"`
	Class     *string          `json:"class,omitempty"` // the label; a test without one has the largest class of its counts
	Counts    []float64        `json:"counts,omitempty"`
	Heavy     *int32           `json:"heavy,omitempty"` // absent: the branch of largest weight, the first of equal ones
	Le        *DocumentNode    `json:"le,omitempty"`
	Gt        *DocumentNode    `json:"gt,omitempty"`
	Branches  []DocumentBranch `json:"branches,omitempty"`
}

// DocumentBranch is a branch of a categorical test: the labels that take it.
type DocumentBranch struct {
	Values []string      `json:"values"`
	Node   *DocumentNode `json:"node"`
}

// MarshalJSON writes the schema, the name of the class and the nested nodes: {"attr","threshold","le","gt"} for a
// numeric test, {"attr","branches":[{"values","node"}]} for a categorical one, {"class"} for a leaf, each with the
// training weight per class in "counts".
func (t Tree) MarshalJSON() ([]byte, error) {
	if len(t.Nodes) == 0 {
		return nil, fmt.Errorf("tree: it has no nodes")
	}
	return json.Marshal(t.Written())
}

// Written is what MarshalJSON writes; without nodes it is empty.
func (t Tree) Written() any {
	if len(t.Nodes) == 0 {
		return Document{}
	}
	return Document{Schema: t.Attrs, Class: t.Attrs[t.Class].Name, Tree: t.doc(0)}
}

func (t *Tree) doc(i int32) *DocumentNode {
	n := &t.Nodes[i]
	d := &DocumentNode{Class: &t.ClassLabels()[n.Label], Counts: n.Counts}
	if n.Leaf() {
		return d
	}
	a := &t.Attrs[n.Attr]
	d.Attr = a.Name
	if n.Heavy != t.heaviest(n.Kids) {
		d.Heavy = &n.Heavy
	}
	if n.Branch == nil {
		d.Threshold, d.Le, d.Gt = &n.Cut, t.doc(n.Kids[0]), t.doc(n.Kids[1])
		return d
	}
	d.Branches = make([]DocumentBranch, len(n.Kids))
	for k, kid := range n.Kids {
		d.Branches[k] = DocumentBranch{[]string{}, t.doc(kid)}
	}
	for code, k := range n.Branch {
		if k >= 0 {
			d.Branches[k].Values = append(d.Branches[k].Values, a.Labels[code])
		}
	}
	return d
}

// heaviest returns the position of the node of the largest weight, the first of equal ones.
func (t *Tree) heaviest(kids []int32) int32 {
	best, most := int32(0), math.Inf(-1)
	for k, kid := range kids {
		if w := t.Nodes[kid].Weight(); w > most {
			best, most = int32(k), w
		}
	}
	return best
}
