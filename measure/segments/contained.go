package segments

import (
	"context"
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// contained counts the records whose released values lie inside the segment of their original. Grids and domains are
// those of the release, which may have finer grids than the original.
func contained(ctx context.Context, by segment.Segmentation, before, after, released *table.Table) (Detail, error) {
	room := before.Space()
	keys, number := mmap.Make[uint64](room, before.Rows()), mmap.Make[int32](room, before.Rows())
	defer mmap.Free(room, keys)
	defer mmap.Free(room, number)
	const chunk = 1 << 14
	const routed = 4 * chunk // at a time, of which a segmentation may hold something on the heap
	for lo := 0; lo < before.Rows(); lo += routed {
		hi := min(lo+routed, before.Rows())
		if err := by.Route(before.Slice(lo, hi), keys[lo:hi]); err != nil {
			return Detail{}, err
		}
	}
	found := tree.Number(keys, number)
	parts := make([]segment.Segment, len(found))
	for k, key := range found {
		parts[k] = by.Segment(key)
	}
	attrs := slices.Clone(by.Attrs())
	for j := range attrs {
		if k := released.Find(attrs[j].Name); k >= 0 && attrs[j].Kind == table.Numeric {
			attrs[j].Domain, attrs[j].Step = released.Attr(k).Domain, released.Attr(k).Step
		}
	}
	tallies, err := parallel.With(
		ctx,
		(before.Rows()+chunk-1)/chunk,
		func() *tally { return &tally{leftBy: make([]int, len(attrs))} },
		func(mine *tally, k int) error {
			lo, hi := k*chunk, min((k+1)*chunk, before.Rows())
			mine.contain(parts, number[lo:hi], attrs, before.Slice(lo, hi), after.Slice(lo, hi))
			return nil
		},
	)
	if err != nil {
		return Detail{}, err
	}
	sum := tally{leftBy: make([]int, len(attrs))}
	for _, s := range tallies {
		sum.add(s)
	}
	return sum.detail(before.Rows(), len(found), attrs), nil
}

// contain counts one chunk, whose records are in the numbered parts.
func (s *tally) contain(parts []segment.Segment, number []int32, attrs []table.Attribute, before, after *table.Table) {
	for i, k := range number {
		left := false
		for j := range attrs {
			if parts[k].Outside(after, i, j) {
				left = true
				s.leftBy[j]++
			}
		}
		if !left {
			s.stayed++
		}
	}
	s.values(attrs, before, after)
}
