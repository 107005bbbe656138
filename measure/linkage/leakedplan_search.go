package linkage

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// search looks for people in the segments of a plan.
type search struct {
	original  *table.Table // in the schema of the segmentation
	targets   []uint64     // by record: the segment that its original values are in
	released  []uint64     // by record: the segment of the released ones
	segments  map[uint64]int
	tested    []int // columns of the segmentation that are known
	exact     bool  // all that is tested is known exactly
	known     map[int]*intruder.Known
	untouched []int // known columns of the release that the plan leaves as they are
	was, is   []int32
	factors   []factor
	keys      []uint64 // of the segments
	within    []int32  // by segment and factor: the part of the factor
}

// factor is a division into parts that a segment takes one of: the leaves of one tree of a forest, or all segments of
// another segmentation.
type factor []segment.Segment

func newSearch(ctx context.Context, r *measure.Release, view *intruder.View) (*search, error) {
	s := &search{segments: map[uint64]int{}, known: map[int]*intruder.Known{}, exact: true}
	original := r.Original
	if r.Exact != nil {
		original = r.Exact
	}
	attrs := r.Segments.Attrs()
	var err error
	if s.original, s.targets, err = routed(r.Segments, original); err != nil {
		return nil, fmt.Errorf("the original does not fit the plan: %w", err)
	}
	// a release that generalises has no values to send through trees: its records are in the segments they were in
	if r.Exact != nil {
		s.released = s.targets
	} else if _, s.released, err = routed(r.Segments, r.Released); err != nil {
		return nil, fmt.Errorf("the release does not fit the plan: %w", err)
	}
	for _, key := range s.released {
		s.segments[key]++
	}
	s.divide(r.Segments)
	for i := range view.Known {
		k := &view.Known[i]
		if j := slices.IndexFunc(attrs, func(a table.Attribute) bool {
			return a.Name == r.Original.Attr(k.Column).Name
		}); j >= 0 {
			s.known[j] = k
		}
	}
	for j := range attrs {
		if s.tests(j) {
			if k := s.known[j]; k == nil || !k.Exact() {
				s.exact = false
			}
			if s.known[j] != nil {
				s.tested = append(s.tested, j)
			}
		}
	}
	return s, s.looks(ctx, r, view)
}

// routed returns a table in the schema of a segmentation with the segment of every record.
func routed(by segment.Segmentation, t *table.Table) (*table.Table, []uint64, error) {
	c, err := t.Conform(by.Attrs(), true)
	if err != nil {
		return nil, nil, err
	}
	keys := make([]uint64, c.Rows())
	return c, keys, by.Route(c, keys)
}

// divide lists the segments that hold records, and what each of them is made of.
func (s *search) divide(by segment.Segmentation) {
	for key := range s.segments {
		s.keys = append(s.keys, key)
	}
	slices.Sort(s.keys)
	f, ok := by.(*tree.Forest)
	if !ok {
		s.factors = []factor{make(factor, len(s.keys))}
		for k, key := range s.keys {
			s.factors[0][k] = by.Segment(key)
			s.within = append(s.within, int32(k))
		}
		return
	}
	for _, t := range f.Trees {
		s.factors = append(s.factors, t.Segments())
	}
	for _, key := range s.keys {
		s.within = append(s.within, f.Leaves(key)...)
	}
}

// tests reports whether any segment constrains column j.
func (s *search) tests(j int) bool {
	return slices.ContainsFunc(s.factors, func(f factor) bool {
		return slices.ContainsFunc(f, func(g segment.Segment) bool { return g.Influential(j) })
	})
}

// looks puts records into classes by the known columns that the plan leaves as they are.
func (s *search) looks(ctx context.Context, r *measure.Release, view *intruder.View) error {
	var by []intruder.Known
	for _, k := range view.Known {
		name, touched := r.Original.Attr(k.Column).Name, false
		for _, m := range r.Mechanisms {
			touched = touched || slices.Contains(m.Changes(), name)
		}
		if !touched && len(r.Mechanisms) > 0 {
			by = append(by, k)
			s.untouched = append(s.untouched, k.Column)
		}
	}
	c, err := classes.Of(ctx, by, false, r.Original, r.Released)
	if err != nil {
		return err
	}
	s.was, s.is = c.Of[0], c.Of[1]
	return nil
}

// place is a segment and a class in it.
type place struct {
	segment uint64
	class   int32
}

// link counts the people that are linked.
func (s *search) link(ctx context.Context, d *LeakedPlanDetail, people int) error {
	in := map[place]int{}
	for i, key := range s.released {
		in[place{key, s.is[i]}]++
	}
	n := len(s.targets)
	d.risk = make([]float64, n)
	for i := range d.risk {
		d.risk[i] = math.NaN()
	}
	rows := measure.Drawn(n, n)
	if !s.exact {
		rows = measure.Drawn(n, min(people, max(100, most/max(1, len(s.within)))))
	}
	for _, i := range rows {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		own := s.was[i] == s.is[i]
		if s.exact {
			d.add(i, s.segments[s.targets[i]], in[place{s.targets[i], s.was[i]}], s.targets[i] == s.released[i], own)
			continue
		}
		inside, alike, there := 0, 0, false
		s.open(i, func(key uint64) {
			inside += s.segments[key]
			alike += in[place{key, s.was[i]}]
			there = there || key == s.released[i]
		})
		d.add(i, inside, alike, there, own)
	}
	return nil
}

// most is how many parts of segments are compared with what is known of people; above it fewer people are tried.
const most = 50_000_000

// add counts one person: there says that the own record is in the segments, own that it looks as it did in the columns
// left as they are.
func (d *LeakedPlanDetail) add(i, inside, alike int, there, own bool) {
	d.Tried++
	d.risk[i] = 0
	if !there {
		return
	}
	d.Inside += 1 / float64(inside)
	if inside == 1 {
		d.Alone++
	}
	if inside < 5 {
		d.Few++
	}
	if own {
		d.risk[i] = 1 / float64(alike)
		d.Linked += d.risk[i]
	}
}

// open calls f with the segments that what is known of a record does not rule out.
func (s *search) open(i int, f func(key uint64)) {
	out := make([][]bool, len(s.factors)) // by factor and part: it is ruled out
	for k, parts := range s.factors {
		out[k] = make([]bool, len(parts))
		for p := range parts {
			out[k][p] = slices.ContainsFunc(s.tested, func(j int) bool { return s.ruledOut(&parts[p], i, j) })
		}
	}
	width := len(s.factors)
	for at, key := range s.keys {
		ruled := false
		for k, p := range s.within[at*width : (at+1)*width] {
			ruled = ruled || out[k][p]
		}
		if !ruled {
			f(key)
		}
	}
}

// ruledOut reports whether what is known of a record in column j rules a segment out.
func (s *search) ruledOut(part *segment.Segment, i, j int) bool {
	k := s.known[j]
	if k.Exact() || s.original.MissingAt(i, j) {
		return part.Outside(s.original, i, j)
	}
	if iv, ok := part.Num[j]; ok {
		return iv.Intersect(k.Range(s.original.Num(j)[i])).Empty()
	}
	if codes, ok := part.Cat[j]; ok {
		return !slices.ContainsFunc(codes, func(c int32) bool { return k.Same(s.original.Cat(j)[i], c) })
	}
	return false
}
