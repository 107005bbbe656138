package itemset

import (
	"context"
	"slices"
)

// FPGrowth finds itemsets after Han, Pei & Yin (2000): transactions become a tree of prefixes, the most frequent items
// next to the root, and an item's paths to the root become the tree of what goes with it. A tree that is one path has
// all its subsets at once. Cost: O(nodes) an extension, on all cores.
func FPGrowth(ctx context.Context, t *Transactions, q Query) (Tally, error) {
	least := max(1, q.Least)
	if t.Len() < least {
		return 0, ctx.Err()
	}
	l := listsOf[int32](rankingOf(t, least), t, nil)
	f := newForest(l.items)
	for row := range l.rows() {
		f.insert(row, 1)
	}
	var v *vertical
	if q.Kind != All {
		v = transpose(t)
	}
	return spread(ctx, &q, len(l.items), func(s *search) func(int) {
		return func(task int) { s.grow(v, nil, f, len(l.items)-1-task) }
	})
}

// prefixTree is an FP-tree: node 0 is the root, and the nodes of an item are linked.
type prefixTree struct {
	items  []int32 // by rank
	nodes  []prefixNode
	heads  []int32 // by rank: the first node
	counts []int   // by rank
}

type prefixNode struct {
	rank, parent, child, sibling, same int32 // 0 is none
	count                              int32
}

func newForest(items []int32) *prefixTree {
	return &prefixTree{
		items:  items,
		nodes:  make([]prefixNode, 1, 64),
		heads:  make([]int32, len(items)),
		counts: make([]int, len(items)),
	}
}

// insert adds a transaction of ascending ranks that occurs so many times.
func (f *prefixTree) insert(ranks []int32, times int32) {
	at := int32(0)
	for _, r := range ranks {
		f.counts[r] += int(times)
		to := f.nodes[at].child
		for to != 0 && f.nodes[to].rank != r {
			to = f.nodes[to].sibling
		}
		if to == 0 {
			to = int32(len(f.nodes))
			f.nodes = append(f.nodes, prefixNode{rank: r, parent: at, sibling: f.nodes[at].child, same: f.heads[r]})
			f.nodes[at].child, f.heads[r] = to, to
		}
		f.nodes[to].count += times
		at = to
	}
}

// grow looks at the set at hand with the item of a rank, and all that extend it by items of lower ranks. Tids are the
// transactions of the set at hand, nil for all.
func (s *search) grow(v *vertical, tids []int32, f *prefixTree, rank int) {
	if s.stop.Load() {
		return
	}
	item := f.items[rank]
	s.chosen = append(s.chosen, item)
	if v != nil {
		if tids == nil {
			tids = v.in[item]
		} else {
			tids = meet(nil, tids, v.in[item])
		}
	}
	if v == nil || s.wanted(v, s.chosen, tids) {
		s.sink.found(s.chosen, nil, f.counts[rank])
	}
	if below := f.below(rank, s.min); len(below.items) > 0 {
		if path := below.path(); path != nil && s.kind == All {
			s.path(below, path)
		} else {
			for r := len(below.items) - 1; r >= 0; r-- {
				s.grow(v, tids, below, r)
			}
		}
	}
	s.chosen = s.chosen[:len(s.chosen)-1]
}

// below returns the tree of the items that go with that of a rank often enough.
func (f *prefixTree) below(rank, least int) *prefixTree {
	counts := make([]int, rank)
	for n := f.heads[rank]; n != 0; n = f.nodes[n].same {
		for up := f.nodes[n].parent; up != 0; up = f.nodes[up].parent {
			counts[f.nodes[up].rank] += int(f.nodes[n].count)
		}
	}
	var ranks []int32
	for r, c := range counts {
		if c >= least {
			ranks = append(ranks, int32(r))
		}
	}
	slices.SortStableFunc(ranks, func(a, b int32) int { return counts[b] - counts[a] })
	to, items := make([]int32, rank), make([]int32, len(ranks))
	for k, r := range ranks {
		to[r], items[k] = int32(k)+1, f.items[r]
	}
	g := newForest(items)
	var row []int32
	for n := f.heads[rank]; n != 0 && len(ranks) > 0; n = f.nodes[n].same {
		row = row[:0]
		for up := f.nodes[n].parent; up != 0; up = f.nodes[up].parent {
			if k := to[f.nodes[up].rank]; k > 0 {
				row = append(row, k-1)
			}
		}
		slices.Sort(row)
		g.insert(row, f.nodes[n].count)
	}
	return g
}

// path returns the nodes of a tree that is one path, nil for another.
func (f *prefixTree) path() (out []int32) {
	for n := f.nodes[0].child; n != 0; n = f.nodes[n].child {
		if f.nodes[n].sibling != 0 {
			return nil
		}
		out = append(out, n)
	}
	return out
}

// path takes all sets of the items of a path: each occurs as often as its lowest node.
func (s *search) path(f *prefixTree, path []int32) {
	for k, n := range path {
		if s.stop.Load() {
			return
		}
		s.chosen = append(s.chosen, f.items[f.nodes[n].rank])
		free := len(s.free)
		for _, above := range path[:k] {
			s.free = append(s.free, f.items[f.nodes[above].rank])
		}
		s.sink.found(s.chosen, s.free[free:], int(f.nodes[n].count))
		s.chosen, s.free = s.chosen[:len(s.chosen)-1], s.free[:free]
	}
}
