package forestframework

import (
	"context"
	"maps"
	"slices"

	"github.com/dither-data/dither/segment/tree"
)

// intersections is what a table's records occupy of a forest.
type intersections struct {
	keys []uint64 // ascending
	size []int    // records by position in keys
}

func occupied(keys []uint64) *intersections {
	number := make([]int32, len(keys))
	s := &intersections{keys: tree.Number(keys, number)}
	s.size = make([]int, len(s.keys))
	for _, g := range number {
		s.size[g]++
	}
	return s
}

// singletons returns the positions of the intersections that hold one record.
func (s *intersections) singletons() []int {
	var out []int
	for g, n := range s.size {
		if n == 1 {
			out = append(out, g)
		}
	}
	return out
}

// merge joins every singleton with the intersection nearest to it: the one that shares its leaf in most trees; of equal
// ones the one of most records, then of the smallest key. What is joined directly or through others becomes one group,
// under the key of its intersection of several records or, without one, its smallest.
//
// Cost: O(intersections * trees), and O(intersections * trees) again for every singleton that no other intersection
// shares all leaves but one with.
func (s *intersections) merge(ctx context.Context, f *tree.Forest, least int) ([]Merge, error) {
	singles := s.singletons()
	if len(s.keys) < 2 || len(singles) == 0 && slices.Min(s.size) >= least {
		return nil, nil
	}
	leaves := make([][]int32, len(s.keys))
	for g, k := range s.keys {
		leaves[g] = f.Leaves(k)
	}
	near := s.allButOne(f, leaves)
	parent, all := make([]int, len(s.keys)), make([]int, len(s.keys))
	for g := range parent {
		parent[g], all[g] = g, g
	}
	for _, g := range singles {
		if near[g] < 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			near[g] = s.nearest(g, all, func(h int) bool { return h != g }, leaves)
		}
		a, b := root(parent, g), root(parent, near[g])
		if s.leads(b, a) {
			a, b = b, a
		}
		parent[b] = a
	}
	if err := s.enlarge(ctx, parent, leaves, least); err != nil {
		return nil, err
	}
	var out []Merge
	for g := range s.keys {
		if r := root(parent, g); r != g {
			out = append(out, Merge{s.keys[g], s.keys[r]})
		}
	}
	return out, nil
}

// enlarge joins every group that still has fewer than so many records with the one whose leading intersection is
// nearest to its own, until each has them or there is one group.
func (s *intersections) enlarge(ctx context.Context, parent []int, leaves [][]int32, least int) error {
	for {
		total := make(map[int]int)
		for g, n := range s.size {
			total[root(parent, g)] += n
		}
		heads := slices.Sorted(maps.Keys(total))
		few := slices.DeleteFunc(slices.Clone(heads), func(r int) bool { return total[r] >= least })
		if len(few) == 0 || len(heads) == 1 {
			return nil
		}
		for _, g := range few {
			if err := ctx.Err(); err != nil {
				return err
			}
			if root(parent, g) != g || total[g] >= least {
				continue // another one of this round was joined with it
			}
			h := s.nearest(g, heads, func(h int) bool { return root(parent, h) != g }, leaves)
			if h < 0 {
				return nil // one group is left
			}
			a, b := g, root(parent, h)
			if s.leads(b, a) {
				a, b = b, a
			}
			parent[b] = a
			total[a] += total[b]
		}
	}
}

// nearest returns the one of some intersections that shares its leaf in most trees with g, of equal ones the one that
// leads, among those that are others; -1 without any.
func (s *intersections) nearest(g int, some []int, other func(h int) bool, leaves [][]int32) int {
	best, most := -1, -1
	for _, h := range some {
		if !other(h) {
			continue
		}
		same := 0
		for i, l := range leaves[h] {
			if l == leaves[g][i] {
				same++
			}
		}
		if same > most || same == most && s.leads(h, best) {
			best, most = h, same
		}
	}
	return best
}

func root(parent []int, g int) int {
	for parent[g] != g {
		parent[g] = parent[parent[g]]
		g = parent[g]
	}
	return g
}

// leads reports whether g comes before h among intersections equally near: more records, or the smaller key.
func (s *intersections) leads(g, h int) bool {
	if s.size[g] != s.size[h] {
		return s.size[g] > s.size[h]
	}
	return g < h
}

// allButOne returns, of every singleton, the nearest intersection among those that share all leaves with it but one; -1
// when there is none. Two intersections differ in the leaf of a given tree only when their keys agree but for its
// digit.
func (s *intersections) allButOne(f *tree.Forest, leaves [][]int32) []int {
	near := make([]int, len(s.keys))
	for g := range near {
		near[g] = -1
	}
	base := uint64(1)
	for i, t := range f.Trees {
		type pair struct{ first, second int } // the leading two; second is -1 when there is one
		of := make(map[uint64]pair)
		rest := func(g int) uint64 { return s.keys[g] - base*uint64(leaves[g][i]) }
		for g := range s.keys {
			p, seen := of[rest(g)]
			switch {
			case !seen:
				p = pair{g, -1}
			case s.leads(g, p.first):
				p = pair{g, p.first}
			case p.second < 0 || s.leads(g, p.second):
				p.second = g
			}
			of[rest(g)] = p
		}
		for g, n := range s.size {
			if n != 1 {
				continue
			}
			p := of[rest(g)]
			other := p.first
			if other == g {
				other = p.second
			}
			if other >= 0 && (near[g] < 0 || s.leads(other, near[g])) {
				near[g] = other
			}
		}
		base *= uint64(len(t.Leaves()))
	}
	return near
}
