package rulepreservation

import (
	"slices"

	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// cell counts the records of a node that have one value of an attribute and one class. The value is its rank among
// those of the column, or its code; the cells of a node are in ascending order of value and class.
type cell struct {
	key uint64 // value in the upper half, class in the lower
	n   int
}

func (c cell) value() uint32 { return uint32(c.key >> 32) }
func (c cell) class() uint32 { return uint32(c.key) }

// span is where the cells of a node stand in a forced tree.
type span struct{ at, n int }

// entry is a record in the order of its value and class.
type entry struct {
	key uint64 // as of a cell
	row int32
}

// sorted returns the records whose value in column j and class are there, by value and class.
func sorted(t *table.Table, j int, class []int32, classes int) []entry {
	switch a := t.Attr(j); a.Kind {
	case table.Numeric:
	case table.Categorical:
		return sortedCodes(t.Cat(j), class, len(a.Labels), classes)
	case table.SetValued: // is not among the columns
		return nil
	}
	ranks, distinct := rank.Dense(t.Num(j))
	return sortedCodes(ranks, class, len(distinct), classes)
}

// sortedCodes sorts by class and then, keeping that order, by code, both by counting: O(records + labels + classes).
func sortedCodes(codes, class []int32, labels, classes int) []entry {
	known := make([]int32, 0, len(codes))
	for i, c := range codes {
		if c >= 0 && class[i] >= 0 {
			known = append(known, int32(i))
		}
	}
	rows := byCode(byCode(known, class, classes), codes, labels)
	out := make([]entry, len(rows))
	for k, i := range rows {
		out[k] = entry{uint64(codes[i])<<32 | uint64(class[i]), i}
	}
	return out
}

// byCode returns rows in ascending order of their codes; rows of one code stay in order.
func byCode(rows, codes []int32, labels int) []int32 {
	start := make([]int32, labels+1)
	for _, i := range rows {
		start[codes[i]+1]++
	}
	for c := range labels {
		start[c+1] += start[c]
	}
	out := make([]int32, len(rows))
	for _, i := range rows {
		at := &start[codes[i]]
		out[*at] = i
		*at++
	}
	return out
}

// forced is a tree whose nodes hold the cells of one attribute. Those of a leaf are counted from the records, those of
// an inner node are the merge of its children's, which stand side by side: so all nodes of a level cost one pass over
// the cells, in order.
type forced struct {
	tree   *tree.Tree
	leaves []span // by number of the leaf
	next   int    // number of the next leaf to visit
	cells  []cell
	spare  []cell
}

// force counts the entries in the leaves of a tree. Leaf holds the number of every record's leaf, size how many records
// each leaf has.
func (f *forced) force(t *tree.Tree, leaf []int32, size []int, entries []entry) {
	f.tree, f.next = t, 0
	f.leaves = f.leaves[:0]
	at := 0
	for _, n := range size {
		f.leaves = append(f.leaves, span{at: at})
		at += n
	}
	f.cells = slices.Grow(f.cells[:0], at)[:at]
	f.spare = slices.Grow(f.spare[:0], at)[:at]
	for _, e := range entries {
		s := &f.leaves[leaf[e.row]]
		if end := s.at + s.n; s.n > 0 && f.cells[end-1].key == e.key {
			f.cells[end-1].n++
		} else {
			f.cells[end] = cell{e.key, 1}
			s.n++
		}
	}
}

// climb visits every node with its cells, children before their parent.
func (f *forced) climb(node int32, visit func(node int32, cells []cell)) span {
	n := &f.tree.Nodes[node]
	var s span
	if n.Leaf() {
		s = f.leaves[f.next]
		f.next++
	} else {
		kids := make([]span, len(n.Kids))
		for k, kid := range n.Kids {
			kids[k] = f.climb(kid, visit)
		}
		s = f.mergeAll(kids)
	}
	visit(node, f.cells[s.at:s.at+s.n])
	return s
}

func (f *forced) mergeAll(spans []span) span {
	if len(spans) == 1 {
		return spans[0]
	}
	half := len(spans) / 2
	return f.merge(f.mergeAll(spans[:half]), f.mergeAll(spans[half:]))
}

// merge replaces two spans by one that starts where the first does.
func (f *forced) merge(a, b span) span {
	x, y := f.cells[a.at:a.at+a.n], f.cells[b.at:b.at+b.n]
	out := f.spare[:0]
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0].key < y[0].key:
			out, x = append(out, x[0]), x[1:]
		case x[0].key > y[0].key:
			out, y = append(out, y[0]), y[1:]
		default:
			out = append(out, cell{x[0].key, x[0].n + y[0].n})
			x, y = x[1:], y[1:]
		}
	}
	out = append(append(out, x...), y...)
	return span{a.at, copy(f.cells[a.at:], out)}
}
