package tree

import (
	"math"
	"slices"

	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// Segments returns the sub-domains of every leaf, in leaf order. Numeric limits are the cuts, cut with the
// attribute's domain.
func (t *Tree) Segments() []segment.Segment {
	codes := t.codes()
	var out []segment.Segment
	t.Walk(func(path []Step, i int32) {
		if t.Nodes[i].Leaf() {
			out = append(out, t.segment(path, codes))
		}
	})
	return out
}

func (t *Tree) segment(path []Step, codes [][][]int32) segment.Segment {
	s := segment.Segment{Num: map[int]table.Interval{}, Cat: map[int][]int32{}}
	for _, st := range path {
		n := &t.Nodes[st.Node]
		a := &t.Attrs[n.Attr]
		switch a.Kind {
		case table.Numeric:
			iv, ok := s.Num[n.Attr]
			if !ok {
				iv = a.Domain
			}
			if st.Kid == 0 {
				iv = iv.Intersect(table.Interval{Lo: math.Inf(-1), Hi: n.Cut})
			} else {
				iv = iv.Intersect(table.Interval{Lo: n.Cut, OpenLo: true, Hi: math.Inf(1)})
			}
			s.Num[n.Attr] = iv
		case table.Categorical:
			here := codes[st.Node][st.Kid]
			if old, had := s.Cat[n.Attr]; had {
				s.Cat[n.Attr] = common(old, here)
			} else {
				s.Cat[n.Attr] = slices.Clone(here)
			}
		case table.SetValued: // is not tested
		}
	}
	return s
}

// codes inverts the branches of all categorical tests: the codes that lead to each child, ascending.
func (t *Tree) codes() [][][]int32 {
	out := make([][][]int32, len(t.Nodes))
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Branch == nil {
			continue
		}
		out[i] = make([][]int32, len(n.Kids))
		for code, k := range n.Branch {
			if k >= 0 {
				out[i][k] = append(out[i][k], int32(code))
			}
		}
	}
	return out
}

// common returns what two ascending lists share.
func common(a, b []int32) []int32 {
	var out []int32
	for _, c := range a {
		if _, ok := slices.BinarySearch(b, c); ok {
			out = append(out, c)
		}
	}
	return out
}
