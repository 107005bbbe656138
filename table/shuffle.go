package table

import (
	"context"
	"slices"
	"strconv"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/rng"
)

// shuffled is about how many records are put in order at a time, so that they stay in the near memory.
const shuffled = 1 << 16

// Shuffled returns the records in a random order, each of the n! alike, with their identities. The order depends on the
// source and the number of records alone.
//
// Every record draws one of about n / 65,536 buckets, and the records of a bucket are permuted (Rao 1961; Sandelius
// 1962). So the columns are read and written in order, bucket by bucket, and a table larger than the memory is shuffled
// in two passes. Cost: O(n) per column, on all cores; two bytes a record besides the columns.
func (t *Table) Shuffled(ctx context.Context, src rng.Source) (*Table, error) {
	if slices.ContainsFunc(t.cols, func(c Column) bool {
		return !c.Kind.Scalar() || c.NoiseKeys != nil || c.Suppressed != nil
	}) ||
		t.whose[persons] != nil || t.whose[households] != nil {
		rows := make([]int, t.rows)
		for i := range rows {
			rows[i] = i
		}
		d := deal(t.rows, buckets(t.rows), src, nil)
		rows = scatter(d, rows, nil)
		err := d.each(ctx, func(lo int, order []int) { permute(rows[lo:lo+len(order)], order, nil) })
		return t.Gather(rows), err
	}
	d := deal(t.rows, buckets(t.rows), src, t.space)
	defer mmap.Free(t.space, d.of)
	n := *t
	n.cols, n.first = slices.Clone(t.cols), 0
	err := parallel.Each(ctx, len(t.cols)+1, func(j int) error {
		switch {
		case j == len(t.cols):
			n.ids = scatterIDs(d, t)
		case t.cols[j].Kind == Numeric:
			n.cols[j].Num = scatter(d, t.cols[j].Num, t.space)
		default:
			n.cols[j].Cat = scatter(d, t.cols[j].Cat, t.space)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &n, d.each(ctx, func(lo int, order []int) {
		hi := lo + len(order)
		nums, cats, ids := make([]float64, len(order)), make([]int32, len(order)), make([]RecordID, len(order))
		for j := range n.cols {
			if n.cols[j].Kind == Numeric {
				permute(n.cols[j].Num[lo:hi], order, nums)
			} else {
				permute(n.cols[j].Cat[lo:hi], order, cats)
			}
		}
		permute(n.ids[lo:hi], order, ids)
	})
}

// dealt says in which bucket each record is.
type dealt struct {
	src   rng.Source
	of    []uint16
	start []int // of the buckets among the records in the new order, and their number at the end
}

// buckets is how many of them n records have, which a uint16 numbers.
func buckets(n int) int { return min(max(1, (n+shuffled-1)/shuffled), 1<<16) }

// deal draws the buckets of n records.
func deal(n, buckets int, src rng.Source, s *mmap.Space) *dealt {
	d := &dealt{src: src, of: mmap.Make[uint16](s, n), start: make([]int, buckets+1)}
	if buckets == 1 {
		d.start[1] = n
		return d
	}
	stream := src.Fork("bucket").Stream()
	blocks := make([]rng.Block, min(n, 1<<12))
	for lo := 0; lo < n; lo += len(blocks) {
		some := blocks[:min(len(blocks), n-lo)]
		stream.Fill(some, uint64(lo))
		for i, b := range some {
			k := rng.Below(b.A, buckets)
			d.of[lo+i] = uint16(k)
			d.start[k+1]++
		}
	}
	for k := range buckets {
		d.start[k+1] += d.start[k]
	}
	return d
}

// each calls f with the place of every bucket and the order of its records, from 0.
func (d *dealt) each(ctx context.Context, f func(lo int, order []int)) error {
	return parallel.Each(ctx, len(d.start)-1, func(k int) error {
		src := d.src
		if len(d.start) > 2 {
			src = src.Fork("order " + strconv.Itoa(k))
		}
		f(d.start[k], src.Rand().Perm(d.start[k+1]-d.start[k]))
		return nil
	})
}

// scatter returns the values bucket by bucket, those of a bucket in their order.
func scatter[T any](d *dealt, values []T, s *mmap.Space) []T {
	out, at := mmap.Make[T](s, len(values)), slices.Clone(d.start)
	for i, v := range values {
		k := d.of[i]
		out[at[k]] = v
		at[k]++
	}
	return out
}

func scatterIDs(d *dealt, t *Table) []RecordID {
	out, at := mmap.Make[RecordID](t.space, t.rows), slices.Clone(d.start)
	for i := range out {
		k := d.of[i]
		out[at[k]] = t.ID(i)
		at[k]++
	}
	return out
}

// permute puts value order[k] at place k. Room, as long as order, may be nil.
func permute[T any](values []T, order []int, room []T) {
	if room == nil {
		room = make([]T, len(order))
	}
	for k, i := range order {
		room[k] = values[i]
	}
	copy(values, room)
}
