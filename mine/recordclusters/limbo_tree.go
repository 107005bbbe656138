package recordclusters

import (
	"context"
	"math"
)

// node is a node of the tree of features.
type node struct {
	entries []*feature // what is below each child, or an entry of a leaf
	kids    []*node    // nil in a leaf
}

// limboTree is the tree of features.
type limboTree struct {
	root      *node
	branching int
	limit     float64 // what may be lost by joining an entry of a leaf
	leaves    int     // entries of all leaves
}

// grow lets the records go down a tree and returns the entries of its leaves, from the first to the last, and how many
// bits a record tells of its values.
func (l *LIMBOLearner) grow(ctx context.Context, s *space, rows int) (entries []*feature, bits float64, err error) {
	one, all, own := s.empty(), s.empty(), 0.0
	for i := range rows {
		if s.read(i, -1, one); one.size > 0 {
			for _, v := range one.known {
				own += one.parts[v]
			}
			all.add(one)
		}
	}
	for _, x := range all.parts {
		own -= x
	}
	bits = max(0, own+all.whole) / max(1, all.size)
	// of records that are the same nothing is lost but by rounding
	t := &limboTree{root: &node{}, branching: l.Branching, limit: float64(l.Phi*bits) + 1e-9}
	for i := range rows {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		if s.read(i, -1, one); one.size > 0 {
			t.insert(one)
		}
		for t.leaves > l.Leaves {
			t = t.again()
		}
	}
	return t.root.collect(nil), bits, ctx.Err()
}

// again lets the entries of a tree go down a new one, in which twice as much may be lost.
func (t *limboTree) again() *limboTree {
	out := &limboTree{root: &node{}, branching: t.branching, limit: max(2*t.limit, 0.01)}
	for _, f := range t.root.collect(nil) {
		out.insert(f)
	}
	return out
}

// collect appends the entries of the leaves.
func (n *node) collect(out []*feature) []*feature {
	if n.kids == nil {
		return append(out, n.entries...)
	}
	for _, kid := range n.kids {
		out = kid.collect(out)
	}
	return out
}

// insert lets a feature go down.
func (t *limboTree) insert(f *feature) {
	if more := t.put(t.root, f); more != nil {
		t.root = &node{entries: []*feature{t.root.sum(), more.sum()}, kids: []*node{t.root, more}}
	}
}

// sum is a node as an entry of one above it.
func (n *node) sum() *feature {
	all := n.entries[0].clone()
	for _, f := range n.entries[1:] {
		all.add(f)
	}
	return all
}

// limboNearest returns the first of the entries that a feature loses least with; -1 for none.
func limboNearest(entries []*feature, f *feature) (best int, least float64) {
	best, least = -1, math.Inf(1)
	for k, e := range entries {
		if loss := e.loss(f); loss < least {
			best, least = k, loss
		}
	}
	return best, least
}

// put lets a feature go down from a node, and returns the other half of it where it had to be parted.
func (t *limboTree) put(n *node, f *feature) *node {
	k, loss := limboNearest(n.entries, f)
	switch {
	case n.kids != nil:
		n.entries[k].add(f)
		more := t.put(n.kids[k], f)
		if more == nil {
			return nil
		}
		n.entries[k] = n.kids[k].sum()
		n.entries, n.kids = append(n.entries, more.sum()), append(n.kids, more)
	case k >= 0 && loss <= t.limit:
		n.entries[k].add(f)
		return nil
	default:
		n.entries = append(n.entries, f.clone())
		t.leaves++
	}
	if len(n.entries) <= t.branching {
		return nil
	}
	return n.part()
}

// part moves the entries that lose less with the second of the two that lose most together than with the first into a
// new node.
func (n *node) part() *node {
	a, b, most := 0, 1, -1.0
	for i, f := range n.entries {
		for k, g := range n.entries[:i] {
			if loss := g.loss(f); loss > most {
				a, b, most = k, i, loss
			}
		}
	}
	all, kids := n.entries, n.kids
	first, second := all[a], all[b]
	more := &node{}
	n.entries, n.kids = nil, nil
	for k, f := range all {
		to := n
		if k == b || k != a && second.loss(f) < first.loss(f) {
			to = more
		}
		to.entries = append(to.entries, f)
		if kids != nil {
			to.kids = append(to.kids, kids[k])
		}
	}
	return more
}
