package tree

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// Forest is several decision trees on one schema and class. It has at least one tree.
//
// A segment of a forest is an intersection: the records that share their leaf in every tree (Fletcher & Islam 2015,
// section 3). Its key is the number of the tuple of leaves, leaf_1 + L_1*(leaf_2 + L_2*(...)), where tree i has L_i
// leaves; the keys of a single tree are the numbers of its leaves. Of all tuples only those that records have are ever
// looked at, for their number grows as the product of the trees' leaves.
type Forest struct {
	Trees  []*Tree
	Voting string // how the trees' predictions are combined: one of Votings; "" is credal
}

// One returns the forest of a single tree.
func One(t *Tree) *Forest { return &Forest{Trees: []*Tree{t}} }

// Attrs returns the schema of the trees. It is shared with them: do not write to it.
func (f *Forest) Attrs() []table.Attribute { return f.Trees[0].Attrs }

// Class returns the position of the class in Attrs.
func (f *Forest) Class() int { return f.Trees[0].Class }

// ClassLabels returns the names of the classes, by code.
func (f *Forest) ClassLabels() []string { return f.Trees[0].ClassLabels() }

// Count returns the number of tuples of leaves, occupied or not; keys are smaller. It is an error when there are more
// than 2^63.
func (f *Forest) Count() (uint64, error) {
	n := uint64(1)
	for i, t := range f.Trees {
		hi, lo := bits.Mul64(n, uint64(t.leafCount()))
		if hi != 0 || lo > 1<<63 {
			return 0, fmt.Errorf("the first %d of %d trees have more than 2^63 tuples of leaves, too many for a key: grow "+
				"fewer or smaller trees", i+1, len(f.Trees))
		}
		n = lo
	}
	return n, nil
}

func (t *Tree) leafCount() int {
	n := 0
	for i := range t.Nodes {
		if t.Nodes[i].Leaf() {
			n++
		}
	}
	return n
}

// Route writes the key of every record's intersection into dst, which has length tab.Rows(). The table must conform to
// Attrs. Records with missing values are routed as by Tree.Route. It is an error when there are more tuples of leaves
// than Count allows. Cost: O(rows x depth) per tree.
func (f *Forest) Route(tab *table.Table, dst []uint64) error {
	if _, err := f.Count(); err != nil {
		return err
	}
	leaf := make([]int32, tab.Rows())
	clear(dst)
	base := uint64(1)
	for _, t := range f.Trees {
		t.Route(tab, leaf)
		for r, l := range leaf {
			dst[r] += base * uint64(l)
		}
		base *= uint64(t.leafCount())
	}
	return nil
}

// Leaves returns the numbers of the leaves, one per tree, whose intersection has the key.
func (f *Forest) Leaves(key uint64) []int32 {
	out := make([]int32, len(f.Trees))
	for i, t := range f.Trees {
		n := uint64(t.leafCount())
		out[i], key = int32(key%n), key/n
	}
	return out
}

// Segment returns the sub-domains of an intersection: an attribute is influential in it when a tree tests it on the
// way to its leaf. Cost: O(nodes); Segments is cheaper for many keys.
func (f *Forest) Segment(key uint64) segment.Segment { return f.Segments(key)[0] }

// Segments returns the sub-domains of several intersections, in the order of their keys. Of an intersection that has
// records no sub-domain is empty. Cost: O(nodes) and, per key, what its conditions take.
func (f *Forest) Segments(keys ...uint64) []segment.Segment {
	leaves := make([][]segment.Segment, len(f.Trees))
	for i, t := range f.Trees {
		leaves[i] = t.Segments()
	}
	out := make([]segment.Segment, len(keys))
	for k, key := range keys {
		s := segment.Segment{Num: map[int]table.Interval{}, Cat: map[int][]int32{}}
		for _, of := range leaves {
			n := uint64(len(of))
			meet(&s, &of[key%n])
			key /= n
		}
		out[k] = s
	}
	return out
}

// meet intersects s with o.
func meet(s, o *segment.Segment) {
	for j, iv := range o.Num {
		if old, had := s.Num[j]; had {
			iv = old.Intersect(iv)
		}
		s.Num[j] = iv
	}
	for j, codes := range o.Cat {
		if old, had := s.Cat[j]; had {
			s.Cat[j] = common(old, codes)
		} else {
			s.Cat[j] = slices.Clone(codes)
		}
	}
}

// Equal reports whether two forests have equal trees in the same order and vote alike.
func (f *Forest) Equal(o *Forest) bool {
	return f == o || f.voting() == o.voting() && slices.EqualFunc(f.Trees, o.Trees, (*Tree).Equal)
}

// voting returns the rule of voting in force.
func (f *Forest) voting() string {
	if f.Voting == "" {
		return Votings[0]
	}
	return f.Voting
}

// Depth returns the number of tests on the longest path of all trees.
func (f *Forest) Depth() int {
	d := 0
	for _, t := range f.Trees {
		d = max(d, t.Depth())
	}
	return d
}
