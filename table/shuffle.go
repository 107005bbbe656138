package table

import (
	"context"
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/rng"
)

// shuffled is about how many records are put in order at a time, so that they stay in the near memory.
const shuffled = 1 << 16

// OrderStream is that of the keyed hashes by which records are drawn and put in order, which serves nothing else.
func OrderStream(src rng.Source) rng.Stream { return src.Fork("order").Stream() }

// Order returns the rows in a random order, that of keyed hashes of the records' identities (rng.Order). So it is the
// same order of records in whichever one the table has them. Cost: O(n log n).
func (t *Table) Order(src rng.Source) []int { return t.First(t.rows, src) }

// First returns the k rows that Order has first; all where there are no more. Cost: O(n), and memory for the k rows.
func (t *Table) First(k int, src rng.Source) []int {
	return rng.Order(OrderStream(src), k, t.rows, t.ids, t.first)
}

// Drawn returns k rows drawn without replacement, ascending: those that Order has first. So whether a record is drawn
// depends on the identities of the records alone, never on where they stand. Cost: that of First.
func (t *Table) Drawn(k int, src rng.Source) []int {
	return rng.Sample(OrderStream(src), k, t.rows, t.ids, t.first)
}

// Parts returns by row in which of n consecutive parts of Order the record is; about as many are in each. So parts that
// hold records of several tables, each in Order, are one after the other all of these in Order. Cost: O(rows).
func (t *Table) Parts(n int, src rng.Source) []int32 {
	of := make([]int32, t.rows)
	rng.FirstWords(OrderStream(src), t.rows, t.ids, t.first, func(i int, w uint64) { of[i] = int32(rng.Below(w, n)) })
	return of
}

// Identities returns the smallest identity among the records of each of n units, which say by row whose the record is;
// of nil every record is its own. So units are drawn alike in whichever order the records come. Cost: O(rows).
func (t *Table) Identities(of []int32, n int) []RecordID {
	out, known := make([]RecordID, n), make([]bool, n)
	for i := range t.rows {
		unit := int32(i)
		if of != nil {
			unit = of[i]
		}
		if id := t.ID(i); !known[unit] || id < out[unit] {
			out[unit], known[unit] = id, true
		}
	}
	return out
}

// Shuffled returns the records in a random order, each of the n! alike, with their identities: that of Order.
//
// Every record goes to one of about n / 65,536 buckets by its hash, and the records of a bucket are sorted. So the
// columns are read and written in order, bucket by bucket, and a table larger than the memory is shuffled in two
// passes. Cost: O(n) per column and O(n log n) besides, on all cores; two bytes a record besides the columns.
func (t *Table) Shuffled(ctx context.Context, src rng.Source) (*Table, error) {
	if slices.ContainsFunc(t.cols, func(c Column) bool {
		return !c.Kind.Scalar() || c.NoiseKeys != nil || c.Suppressed != nil || c.Imputed != nil
	}) ||
		t.whose[persons] != nil || t.whose[households] != nil {
		return t.Gather(t.Order(src)), ctx.Err()
	}
	by := OrderStream(src)
	d := t.deal(buckets(t.rows), by)
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
	return &n, parallel.Each(ctx, len(d.start)-1, func(k int) error {
		lo, hi := d.start[k], d.start[k+1]
		order := rng.Order(by, hi-lo, hi-lo, n.ids[lo:hi], 0)
		nums, cats, ids := make([]float64, len(order)), make([]int32, len(order)), make([]RecordID, len(order))
		for j := range n.cols {
			if n.cols[j].Kind == Numeric {
				permute(n.cols[j].Num[lo:hi], order, nums)
			} else {
				permute(n.cols[j].Cat[lo:hi], order, cats)
			}
		}
		permute(n.ids[lo:hi], order, ids)
		return nil
	})
}

// dealt says in which bucket each record is: those of lower hashes are in the first ones.
type dealt struct {
	of    []uint16
	start []int // of the buckets among the records in the new order, and their number at the end
}

// buckets is how many of them n records have, which a uint16 numbers.
func buckets(n int) int { return min(max(1, (n+shuffled-1)/shuffled), 1<<16) }

// deal puts the records into buckets by their hashes.
func (t *Table) deal(buckets int, by rng.Stream) *dealt {
	d := &dealt{of: mmap.Make[uint16](t.space, t.rows), start: make([]int, buckets+1)}
	rng.FirstWords(by, t.rows, t.ids, t.first, func(i int, w uint64) {
		k := rng.Below(w, buckets)
		d.of[i] = uint16(k)
		d.start[k+1]++
	})
	for k := range buckets {
		d.start[k+1] += d.start[k]
	}
	return d
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

// permute puts value order[k] at place k; room is as long as order.
func permute[T any](values []T, order []int, room []T) {
	for k, i := range order {
		room[k] = values[i]
	}
	copy(values, room)
}
