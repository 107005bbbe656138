package segments

import (
	"context"
	"math"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// size returns how many records are compared at a time: so few that their columns stay in the cache, but more where
// routing them takes as long to prepare, for the trees have many nodes.
func size(f *tree.Forest) int {
	nodes := 0
	for _, t := range f.Trees {
		nodes += len(t.Nodes)
	}
	return max(1<<14, nodes)
}

// tally counts what a worker has seen.
type tally struct {
	stayed, offGrid, outside, missing int
	leftBy                            []int  // by attribute
	tested                            []bool // by attribute: a tree tests it
}

func newTally(f *tree.Forest) tally {
	s := tally{leftBy: make([]int, len(f.Attrs())), tested: make([]bool, len(f.Attrs()))}
	for _, t := range f.Trees {
		for i := range t.Nodes {
			if n := &t.Nodes[i]; !n.Leaf() {
				s.tested[n.Attr] = true
			}
		}
	}
	return s
}

// certify compares tables that conform to the forest. Counts add up to the same in any order.
func certify(ctx context.Context, f *tree.Forest, before, after *table.Table) (Detail, error) {
	if _, err := f.Count(); err != nil {
		return Detail{}, err
	}
	sum := newTally(f)
	room := before.Space()
	was, number := mmap.Make[uint64](room, before.Rows()), mmap.Make[int32](room, before.Rows())
	defer mmap.Free(room, was)
	defer mmap.Free(room, number)
	chunk := size(f)
	tallies, err := parallel.With(
		ctx,
		(before.Rows()+chunk-1)/chunk,
		func() *tally { s := newTally(f); return &s },
		func(mine *tally, k int) error {
			lo := k * chunk
			hi := min(lo+chunk, before.Rows())
			mine.compare(f, before.Slice(lo, hi), after.Slice(lo, hi), was[lo:hi])
			return nil
		},
	)
	if err != nil {
		return Detail{}, err
	}
	for _, s := range tallies {
		sum.add(s)
	}
	return sum.detail(before.Rows(), len(tree.Number(was, number)), f.Attrs()), nil
}

// detail is the certificate of so many records in so many segments.
func (s *tally) detail(records, segments int, attrs []table.Attribute) Detail {
	d := Detail{
		Records:  records,
		Stayed:   s.stayed,
		OffGrid:  s.offGrid,
		Outside:  s.outside,
		Missing:  s.missing,
		Segments: segments,
		LeftBy:   map[string]int{},
	}
	for j, n := range s.leftBy {
		if n > 0 {
			d.LeftBy[attrs[j].Name] = n
		}
	}
	return d
}

func (s *tally) add(o *tally) {
	s.stayed += o.stayed
	s.offGrid += o.offGrid
	s.outside += o.outside
	s.missing += o.missing
	for j, n := range o.leftBy {
		s.leftBy[j] += n
	}
}

// keys returns the segments of the records. Forests of too many tuples were refused before.
func keys(f *tree.Forest, t *table.Table, dst []uint64) []uint64 {
	if err := f.Route(t, dst); err != nil {
		panic("segments: " + err.Error())
	}
	return dst
}

// compare counts one chunk and writes the original segments of its records to was.
func (s *tally) compare(f *tree.Forest, before, after *table.Table, was []uint64) {
	keys(f, before, was)
	is := keys(f, after, make([]uint64, after.Rows()))
	var left []int
	for i := range was {
		if was[i] != is[i] {
			left = append(left, i)
		}
	}
	s.stayed += before.Rows() - len(left)
	if len(left) > 0 {
		s.blame(f, before.Gather(left), after.Gather(left))
	}
	s.values(f.Attrs(), before, after)
}

// values counts what is wrong with single values.
func (s *tally) values(attrs []table.Attribute, before, after *table.Table) {
	for j := range attrs {
		switch a := &attrs[j]; a.Kind {
		case table.Numeric:
			s.numbers(a, before.Num(j), after.Num(j))
		case table.Categorical:
			s.categories(a, before.Cat(j), after.Cat(j))
		case table.SetValued: // no grid, no domain
		}
	}
}

// blame counts, by attribute, the records that its released values alone take out. All have left.
func (s *tally) blame(f *tree.Forest, before, after *table.Table) {
	was, is := make([]uint64, before.Rows()), make([]uint64, before.Rows())
	keys(f, before, was)
	for j, tested := range s.tested {
		if !tested {
			continue
		}
		one, err := before.WithColumn(j, after.Column(j))
		if err != nil {
			panic("segments: " + err.Error()) // both tables conform to the forest
		}
		keys(f, one, is)
		for i := range was {
			if was[i] != is[i] {
				s.leftBy[j]++
			}
		}
	}
}

// categories counts the categories that the schema does not have, and those lost or invented.
func (s *tally) categories(a *table.Attribute, was, is []int32) {
	for i, c := range is {
		if int(c) >= len(a.Labels) {
			s.outside++
		}
		if (c < 0) != (was[i] < 0) {
			s.missing++
		}
	}
}

// numbers counts the numbers off the grid, outside the domain, and lost or invented. A value within 1e-9 steps of the
// grid is on it.
func (s *tally) numbers(a *table.Attribute, was, is []float64) {
	near := float64(a.Step * 1e-9)
	for i, v := range is {
		if (v != v) != (was[i] != was[i]) {
			s.missing++
		}
		if v != v {
			continue
		}
		if a.Step != 0 && math.Abs(v-a.Snap(v)) > near {
			s.offGrid++
		}
		if !a.Domain.Contains(v) {
			s.outside++
		}
	}
}
