package forestframework

import (
	"context"

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
// Cost: O(intersections * trees), and O(intersections * trees) again for every singleton that no other intersection shares all
// leaves but one with.
func (s *intersections) merge(ctx context.Context, f *tree.Forest) ([]Merge, error) {
	singles := s.singletons()
	if len(s.keys) < 2 || len(singles) == 0 {
		return nil, nil
	}
	leaves := make([][]int32, len(s.keys))
	for g, k := range s.keys {
		leaves[g] = f.Leaves(k)
	}
	near := s.allButOne(f, leaves)
	parent := make([]int, len(s.keys))
	for g := range parent {
		parent[g] = g
	}
	for _, g := range singles {
		if near[g] < 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			near[g] = s.search(g, leaves)
		}
		a, b := root(parent, g), root(parent, near[g])
		if s.leads(b, a) {
			a, b = b, a
		}
		parent[b] = a
	}
	var out []Merge
	for _, g := range singles {
		if r := root(parent, g); r != g {
			out = append(out, Merge{s.keys[g], s.keys[r]})
		}
	}
	return out, nil
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
// when there is none. Two intersections differ in the leaf of a given tree only when their keys agree but for its digit.
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

// search returns the intersection nearest to g by comparing it with all.
func (s *intersections) search(g int, leaves [][]int32) int {
	best, most := -1, -1
	for h := range leaves {
		if h == g {
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
