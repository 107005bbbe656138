package framework

import (
	"slices"

	"github.com/dither-data/dither/segment/tree"
)

// shape is how the nodes of a tree hang together.
type shape struct {
	parent []int32 // by node; -1 for the root
	spans  []span  // by node: the leaves under it, which stand side by side
}

// span is the leaves lo..hi-1.
type span struct{ lo, hi int32 }

func shapeOf(tr *tree.Tree) shape {
	s := shape{make([]int32, len(tr.Nodes)), make([]span, len(tr.Nodes))}
	for l, n := range tr.Leaves() {
		s.spans[n] = span{int32(l), int32(l) + 1}
	}
	s.parent[0] = -1
	for n := len(tr.Nodes) - 1; n >= 0; n-- { // kids stand behind their parents
		kids := tr.Nodes[n].Kids
		for _, k := range kids {
			s.parent[k] = int32(n)
		}
		if len(kids) > 0 {
			s.spans[n] = span{s.spans[kids[0]].lo, s.spans[kids[len(kids)-1]].hi}
		}
	}
	return s
}

// inside returns, by node, whether it is in a pool.
func (s *shape) inside(pools []int32) []bool {
	in := make([]bool, len(s.parent))
	for _, n := range pools {
		in[n] = true
	}
	for n, p := range s.parent {
		in[n] = in[n] || p >= 0 && in[p]
	}
	return in
}

// groups returns, by leaf, the leaf itself or the first leaf of its pool.
func (s *shape) groups(leaves int, pools []int32) []int32 {
	out := make([]int32, leaves)
	for l := range out {
		out[l] = int32(l)
	}
	for _, n := range pools {
		for l := s.spans[n].lo; l < s.spans[n].hi; l++ {
			out[l] = s.spans[n].lo
		}
	}
	return out
}

// apart reports whether the pools are inner nodes, none of them under another one, in ascending order.
func (s *shape) apart(pools []int32) bool {
	end := int32(0)
	for _, n := range pools {
		if n < 0 || int(n) >= len(s.spans) || s.spans[n].hi-s.spans[n].lo < 2 || s.spans[n].lo < end {
			return false
		}
		end = s.spans[n].hi
	}
	return true
}

// lenders returns the pools that small leaves need: the nodes that lend them moments, but for those under another one.
func (s *shape) lenders(parts []*part) []int32 {
	var nodes, out []int32
	for _, p := range parts {
		if p.lent > 0 {
			nodes = append(nodes, p.node)
		}
	}
	slices.Sort(nodes) // a node stands behind those above it
	end := int32(0)
	for _, n := range nodes {
		if s.spans[n].lo >= end {
			out = append(out, n)
			end = s.spans[n].hi
		}
	}
	return out
}
