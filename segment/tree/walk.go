package tree

import "github.com/dither-data/dither/table"

// Walker finds the leaves of single records, for which Route would prepare all nodes.
type Walker struct {
	t       *Tree
	columns []int
	leaf    []int32 // number of the leaf, by node
}

// Walker returns a walker for tables in which the attributes of the tree are at some columns.
func (t *Tree) Walker(columns []int) *Walker {
	w := &Walker{t: t, columns: columns, leaf: make([]int32, len(t.Nodes))}
	leaves := int32(0)
	for i := range t.Nodes {
		if w.leaf[i] = leaves; t.Nodes[i].Leaf() {
			leaves++
		}
	}
	return w
}

// Leaf returns the number of the leaf of a record, as Route writes it. Cost: O(depth).
func (w *Walker) Leaf(tab *table.Table, row int) int32 {
	at := int32(0)
	for n := &w.t.Nodes[0]; !n.Leaf(); n = &w.t.Nodes[at] {
		kid, column := n.Heavy, w.columns[n.Attr]
		if n.Branch == nil {
			if v := tab.Num(column)[row]; v <= n.Cut {
				kid = 0
			} else if v > n.Cut {
				kid = 1
			}
		} else if c := tab.Cat(column)[row]; uint(c) < uint(len(n.Branch)) && n.Branch[c] >= 0 {
			kid = n.Branch[c]
		}
		at = n.Kids[kid]
	}
	return w.leaf[at]
}

// Reaches returns the node of the leaf whose rule covers a record, -1 where a test on its way has no branch for it: the
// value is missing, or a category that the node does not know. The table must conform to t.Attrs. Cost: O(depth).
func (t *Tree) Reaches(tab *table.Table, row int) int32 {
	at := int32(0)
	for !t.Nodes[at].Leaf() {
		k := t.Nodes[at].branchOf(tab, row)
		if k < 0 {
			return -1
		}
		at = t.Nodes[at].Kids[k]
	}
	return at
}
