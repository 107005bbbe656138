package tree

import (
	"slices"

	"github.com/dither-data/dither/table"
)

// Predict writes the code of the predicted class of every record into dst, which has length tab.Rows(). The table
// must conform to t.Attrs.
//
// A record that reaches one leaf gets the leaf's label. One whose tested value is missing, or has no branch, follows
// all branches, each with its share of the node's training weight; the leaves it reaches vote with their class
// distributions, or with their labels where they have no cases, and of equal classes the first wins (Quinlan 1993,
// section 3.2). Cost: O(rows x depth), for the latter records O(nodes) each.
func (t *Tree) Predict(tab *table.Table, dst []int32) {
	t.Route(tab, dst)
	leaves := t.Leaves()
	for r, l := range dst {
		dst[r] = t.Nodes[leaves[l]].Label
	}
	v := voter{t: t, tab: tab, votes: make([]float64, len(t.ClassLabels()))}
	for r, open := range t.undecided(tab) {
		if open && t.Reaches(tab, r) < 0 {
			clear(v.votes)
			v.vote(0, r, 1)
			dst[r] = argmax(v.votes)
		}
	}
}

// undecided marks the records for which some test of the tree has no branch, be it on their way or not. It returns
// nil when there are none.
func (t *Tree) undecided(tab *table.Table) []bool {
	var open []bool
	mark := func(r int) {
		if open == nil {
			open = make([]bool, tab.Rows())
		}
		open[r] = true
	}
	done := make([]bool, len(t.Attrs))
	for i := range t.Nodes {
		n := &t.Nodes[i]
		switch {
		case n.Leaf():
		case n.Branch == nil && !done[n.Attr]:
			done[n.Attr] = true
			for r, v := range tab.Num(n.Attr) {
				if v != v {
					mark(r)
				}
			}
		case n.Branch != nil && (!done[n.Attr] || slices.Contains(n.Branch, -1)):
			done[n.Attr] = true
			for r := range tab.Cat(n.Attr) {
				if n.branchOf(tab, r) < 0 {
					mark(r)
				}
			}
		}
	}
	return open
}

// voter sums the votes of the leaves that a record reaches in part.
type voter struct {
	t     *Tree
	tab   *table.Table
	votes []float64

	support float64 // training weight of the leaves, each with the record's part in it
}

func (v *voter) vote(i int32, r int, weight float64) {
	n := &v.t.Nodes[i]
	if n.Leaf() {
		if total := n.Weight(); total > 0 {
			v.support += float64(weight * total)
			for c, w := range n.Counts {
				v.votes[c] += weight * w / total
			}
		} else {
			v.votes[n.Label] += weight
		}
		return
	}
	if k := n.branchOf(v.tab, r); k >= 0 {
		v.vote(n.Kids[k], r, weight)
		return
	}
	total := 0.0
	for _, k := range n.Kids {
		total += v.t.Nodes[k].Weight()
	}
	if total == 0 {
		v.vote(n.Kids[n.Heavy], r, weight)
		return
	}
	for _, k := range n.Kids {
		if w := v.t.Nodes[k].Weight(); w > 0 {
			v.vote(k, r, weight*w/total)
		}
	}
}

// branchOf returns the position in Kids of record r's branch, -1 when its value is missing or has none.
func (n *Node) branchOf(tab *table.Table, r int) int32 {
	if n.Branch != nil {
		if c := tab.Cat(n.Attr)[r]; uint(c) < uint(len(n.Branch)) {
			return n.Branch[c]
		}
		return -1
	}
	switch v := tab.Num(n.Attr)[r]; {
	case v <= n.Cut:
		return 0
	case v > n.Cut:
		return 1
	}
	return -1
}

// argmax returns the position of the largest value, the first of equal ones.
func argmax(v []float64) int32 {
	best := 0
	for k := range v {
		if v[k] > v[best] {
			best = k
		}
	}
	return int32(best)
}
