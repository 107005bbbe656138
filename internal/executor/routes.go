package executor

import (
	"context"
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Routes are the segments of the records of a table.
type Routes struct {
	Of  []uint64 // by row: the key of its segment; nil where there are no segments
	Box map[uint64]segment.Segment

	attrs []table.Attribute
}

// RoutesOf returns the segments by which a plan releases the records of a table (protect.SegmentsOf), with what is as
// long as the table in its space. Cost: that of routing the records.
func RoutesOf(ctx context.Context, p protect.Plan, t *table.Table) (*Routes, error) {
	by, err := protect.SegmentsOf(p, t)
	if by == nil || err != nil {
		return &Routes{}, err
	}
	before, err := t.Conform(by.Attrs(), false)
	if err != nil {
		return nil, err
	}
	r := &Routes{mmap.Make[uint64](t.Space(), t.Rows()), map[uint64]segment.Segment{}, by.Attrs()}
	err = parallel.Ranges(ctx, t.Rows(), 1<<14, func(lo, hi int) error {
		return by.Route(before.Slice(lo, hi), r.Of[lo:hi])
	})
	if err != nil {
		return nil, err
	}
	for _, key := range r.Of {
		r.Box[key] = segment.Segment{}
	}
	keys := make([]uint64, 0, len(r.Box))
	for key := range r.Box {
		keys = append(keys, key)
	}
	if f, ok := by.(*tree.Forest); ok {
		for k, s := range f.Segments(keys...) {
			r.Box[keys[k]] = s
		}
		return r, nil
	}
	for _, key := range keys {
		r.Box[key] = by.Segment(key)
	}
	return r, nil
}

// Column returns the position of a column in the schema of the segments; -1 where these do not know it.
func (r *Routes) Column(name string) int {
	return slices.IndexFunc(r.attrs, func(a table.Attribute) bool { return a.Name == name })
}
