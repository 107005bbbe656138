package rulepreservation

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// The readings of two intersections that both test a categorical attribute.
const (
	Printed = "printed" // no difference (eq. 2)
	Jaccard = "jaccard" // 1 - shared categories / categories of either
)

// pair is the intersections of a record in the two forests, by their keys.
type pair struct{ original, released uint64 }

// Comparison is the similarity of two forests on the records of a table.
type Comparison struct {
	attrs []table.Attribute
	of    []int32 // by record, the position of its pair
	pairs []compared
}

// compared is a pair of intersections with its records and its differences.
type compared struct {
	pair
	records    int
	similarity float64
	differ     []difference
}

// difference of one attribute's sub-domains, in [0, 1].
type difference struct {
	attr int
	size float64
}

// EDUDSCompare puts every record through both forests and compares the sub-domains of its two intersections (Fletcher &
// Islam 2015, eq. 1-3). The records must conform to the original's forest, whose schema gives the domains; the forests
// must have the same schema but for domains. It fails when a forest has too many tuples of leaves for a key. Cost: O(n
// depth) per tree and O(attributes tested) per pair of intersections that has records; the routing runs on all cores.
func EDUDSCompare(
	ctx context.Context,
	original, released *tree.Forest,
	records *table.Table,
	categories string,
) (*Comparison, error) {
	c := &Comparison{attrs: bounded(original.Attrs(), records), of: make([]int32, records.Rows())}
	original, released = withSchema(original, c.attrs), withSchema(released, c.attrs)
	pairs := make([]pair, records.Rows())
	if err := edudsRoute(ctx, original, released, records, pairs); err != nil {
		return nil, err
	}
	seen := map[pair]int32{} // in the order of the records
	for i, p := range pairs {
		k, ok := seen[p]
		if !ok {
			k = int32(len(c.pairs))
			seen[p] = k
			c.pairs = append(c.pairs, compared{pair: p})
		}
		c.of[i] = k
		c.pairs[k].records++
	}
	c.compare(original, released, categories)
	return c, ctx.Err()
}

// bounded returns the schema with the observed domain in the place of an unbounded one.
func bounded(attrs []table.Attribute, records *table.Table) []table.Attribute {
	out := slices.Clone(attrs)
	for j := range out {
		if d := &out[j].Domain; out[j].Kind == table.Numeric && math.IsInf(d.Hi-d.Lo, 0) {
			lo, hi := table.Range(records.Num(j))
			*d = table.Interval{Lo: lo, Hi: hi}
		}
	}
	return out
}

// withSchema returns the forest with another schema, and so other domains.
func withSchema(f *tree.Forest, attrs []table.Attribute) *tree.Forest {
	out := &tree.Forest{Voting: f.Voting}
	for _, t := range f.Trees {
		out.Trees = append(out.Trees, &tree.Tree{Attrs: attrs, Class: t.Class, Nodes: t.Nodes})
	}
	return out
}

// chunk is how many records are routed at a time.
const chunk = 1 << 14

func edudsRoute(ctx context.Context, original, released *tree.Forest, records *table.Table, pairs []pair) error {
	for _, f := range []*tree.Forest{original, released} {
		if _, err := f.Count(); err != nil {
			return err
		}
	}
	return parallel.Ranges(ctx, len(pairs), chunk, func(lo, hi int) error {
		part := records.Slice(lo, hi)
		before, after := make([]uint64, hi-lo), make([]uint64, hi-lo)
		keys(original, part, before)
		keys(released, part, after)
		for k := range before {
			pairs[lo+k] = pair{before[k], after[k]}
		}
		return nil
	})
}

func keys(f *tree.Forest, part *table.Table, dst []uint64) {
	if err := f.Route(part, dst[:part.Rows()]); err != nil {
		panic("eduds: " + err.Error()) // the tuples were counted before
	}
}

// compare fills in the similarities of the pairs.
func (c *Comparison) compare(original, released *tree.Forest, categories string) {
	before, after := make([]uint64, len(c.pairs)), make([]uint64, len(c.pairs))
	for k, p := range c.pairs {
		before[k], after[k] = p.original, p.released
	}
	x, y := original.Segments(before...), released.Segments(after...)
	for k := range c.pairs {
		p := &c.pairs[k]
		p.differ = differences(c.attrs, &x[k], &y[k], categories)
		p.similarity = 1
		for _, d := range p.differ {
			p.similarity -= d.size / float64(len(p.differ))
		}
		p.similarity = max(0, p.similarity)
	}
}

// differences lists the attributes that one of the segments tests, in order, with the difference of their sub-domains.
// A numeric attribute of one value is left out.
func differences(attrs []table.Attribute, x, y *segment.Segment, categories string) []difference {
	var out []difference
	for j := range attrs {
		a, b := x.Influential(j), y.Influential(j)
		if !a && !b {
			continue
		}
		switch attrs[j].Kind {
		case table.Categorical:
			d := 0.0
			if a != b {
				d = 1
			} else if categories == Jaccard {
				d = 1 - shared(x.Cat[j], y.Cat[j])
			}
			out = append(out, difference{j, d})
		case table.Numeric:
			whole := attrs[j].Domain
			if !(whole.Hi > whole.Lo) {
				continue
			}
			u, v := limits(x, j, whole), limits(y, j, whole)
			out = append(out, difference{j, min(1, (math.Abs(u.Lo-v.Lo)+math.Abs(u.Hi-v.Hi))/(whole.Hi-whole.Lo))})
		case table.SetValued: // is not tested
		}
	}
	return out
}

func limits(s *segment.Segment, j int, whole table.Interval) table.Interval {
	if iv, ok := s.Num[j]; ok {
		return iv
	}
	return whole
}

// shared returns the share of the categories of either ascending list that are in both; 1 when both are empty.
func shared(a, b []int32) float64 {
	both := 0
	for _, c := range a {
		if _, ok := slices.BinarySearch(b, c); ok {
			both++
		}
	}
	if either := len(a) + len(b) - both; either > 0 {
		return float64(both) / float64(either)
	}
	return 1
}

// Mean returns the mean similarity over the records, in [0, 1] (eq. 3); 1 when there are none.
func (c *Comparison) Mean() float64 {
	if len(c.of) == 0 {
		return 1
	}
	var s exact.Sum
	for _, p := range c.pairs {
		s.Add(float64(float64(p.records) * p.similarity))
	}
	return min(1, s.Mean(len(c.of)))
}

// Records returns the similarity of every record, in [0, 1].
func (c *Comparison) Records() []float64 {
	out := make([]float64, len(c.of))
	for i, k := range c.of {
		out[i] = c.pairs[k].similarity
	}
	return out
}
