package executor

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// runGroups applies a Grouper to a table of several chunks: to batches of whole groups, of a chunk's records or more
// each, in parallel. A batch is gathered with its records in their order, and what it changes is put back, so no more
// than a batch per worker is in memory besides the table. A plan whose records all meet gets the table as it is. Leaf
// is nil unless the plan is a LeafPlan whose leaves are known.
func runGroups(
	ctx context.Context,
	p protect.Grouper,
	leaf []int32,
	t *table.Table,
	src rng.Source,
	opt protect.Options,
	m *meter,
) (*table.Table, error) {
	keys, err := p.Group(t)
	if err != nil {
		return nil, err
	}
	if len(keys) != t.Rows() {
		return nil, fmt.Errorf("the plan names the groups of %d records of %d", len(keys), t.Rows())
	}
	number := make([]int32, len(keys))
	groups := len(tree.Number(keys, number))
	b := batchesOf(number, groups, opt.Chunk, func(int) bool { return false })
	b.mixed = true
	defer m.finish(chunks(p, t.Rows(), opt.Chunk) - b.count())
	if b.count() == 1 {
		defer m.add()
		return applyLeaves(p, leaf, t, src)
	}
	rows := make([]int, t.Rows())
	b.place(func(i, at int) { rows[at] = i })
	made, err := b.collect(ctx, t, p.Changes(), opt, m, func(lo, hi int) (*table.Table, error) {
		var in []int32
		if leaf != nil {
			in = make([]int32, 0, hi-lo)
			for _, i := range rows[lo:hi] {
				in = append(in, leaf[i])
			}
		}
		return applyLeaves(p, in, t.Gather(rows[lo:hi]), src)
	}, func(*table.Table) {})
	if err != nil {
		return nil, err
	}
	return b.back(t, made)
}

// runLeaves is runGroups for a plan that gathers the records of leaves, which are known (Gathers). Nothing but these
// columns is brought together, leaf by leaf, and records and values are walked over in order: a table larger than the
// memory is read once for every column.
func runLeaves(
	ctx context.Context,
	p protect.LeafPlan,
	with []int32,
	columns []string,
	leaf []int32,
	t *table.Table,
	src rng.Source,
	opt protect.Options,
	m *meter,
) (*table.Table, error) {
	b := batchesOf(leaf, len(with), opt.Chunk, func(l int) bool { return int(with[l]) < l })
	defer m.finish(chunks(p, t.Rows(), opt.Chunk) - b.count())
	if b.count() == 1 && t.Space() == nil {
		defer m.add()
		return p.ApplyLeaves(t, leaf, src)
	}
	s := t.Space()
	in := mmap.Make[int32](s, t.Rows())
	defer mmap.Free(s, in)
	ids := mmap.Make[table.RecordID](s, t.Rows())
	defer mmap.Free(s, ids)
	b.place(func(i, at int) { in[at], ids[at] = leaf[i], t.ID(i) })
	met, free, err := b.together(t, columns)
	if err != nil {
		return nil, err
	}
	defer free()
	made, err := b.collect(ctx, t, p.Changes(), opt, m, func(lo, hi int) (*table.Table, error) {
		return p.ApplyLeaves(met.Slice(lo, hi).Identified(ids[lo:hi]).In(s), in[lo:hi], src)
	}, func(part *table.Table) { giveBack(part, p.Changes()) })
	if err != nil {
		return nil, err
	}
	return b.back(t, made)
}

// applyLeaves applies a plan, or a LeafPlan whose leaves are known.
func applyLeaves(p protect.Plan, leaf []int32, t *table.Table, src rng.Source) (*table.Table, error) {
	if leaf != nil {
		return p.(protect.LeafPlan).ApplyLeaves(t, leaf, src)
	}
	return p.Apply(t, src)
}

// batches divides the records into batches of whole groups: the groups in their order, as many as make up a chunk.
// Records stand group by group in a batch, or in their own order.
type batches struct {
	of    []int32 // group of every record
	first []int   // of every group among the records when they stand group by group
	batch []int   // of every group
	start []int   // of every batch among the records when they stand batch by batch, and their number at the end
	mixed bool    // records keep their order in a batch
}

// batchesOf makes batches of so many groups, of which one that is joined is in the batch of the one before it.
func batchesOf(of []int32, groups, chunk int, joined func(g int) bool) *batches {
	sizes := make([]int, groups)
	for _, g := range of {
		sizes[g]++
	}
	b := &batches{of: of, first: make([]int, groups), batch: make([]int, groups), start: []int{0}}
	done := 0
	for g, size := range sizes {
		if done-b.start[len(b.start)-1] >= chunk && !joined(g) {
			b.start = append(b.start, done)
		}
		b.first[g], b.batch[g], done = done, len(b.start)-1, done+size
	}
	b.start = append(b.start, done)
	return b
}

func (b *batches) count() int { return len(b.start) - 1 }

// place calls put with every record, in order, and its place when the records stand batch by batch.
func (b *batches) place(put func(i, at int)) {
	if b.mixed {
		at := slices.Clone(b.start)
		for i, g := range b.of {
			k := b.batch[g]
			put(i, at[k])
			at[k]++
		}
		return
	}
	at := slices.Clone(b.first)
	for i, g := range b.of {
		put(i, at[g])
		at[g]++
	}
}

// together returns a table in which the named columns stand batch by batch; the others are as they were. What it
// returns besides gives the room back.
func (b *batches) together(t *table.Table, names []string) (met *table.Table, free func(), err error) {
	cols := t.Columns()
	for _, n := range names {
		j := t.Find(n)
		if j < 0 {
			return nil, nil, fmt.Errorf("the plan changes column %q, which is not in the table", n)
		}
		c := &cols[j]
		was := *c
		switch *c = t.Room(was.Attribute); c.Kind {
		case table.Numeric:
			b.place(func(i, at int) { c.Num[at] = was.Num[i] })
		case table.Categorical:
			b.place(func(i, at int) { c.Cat[at] = was.Cat[i] })
		case table.SetValued:
			return nil, nil, fmt.Errorf("column %q: sets are not brought together by leaves", n)
		}
	}
	met, err = t.WithColumns(cols)
	return met, func() { giveBack(met, names) }, err
}

// giveBack gives the room of columns back that a plan made.
func giveBack(made *table.Table, names []string) {
	for _, n := range names {
		if j := made.Find(n); j >= 0 {
			mmap.Free(made.Space(), made.Num(j))
			mmap.Free(made.Space(), made.Cat(j))
		}
	}
}

// collect applies a plan to every batch, lo..hi-1 of the records that stand batch by batch, in parallel, and takes what
// it changes of each; then the batch is done with.
func (b *batches) collect(
	ctx context.Context,
	t *table.Table,
	names []string,
	opt protect.Options,
	m *meter,
	apply func(lo, hi int) (*table.Table, error),
	done func(*table.Table),
) (*collector, error) {
	made, err := collect(t, names, b.count())
	if err != nil {
		return nil, err
	}
	return made, spread(ctx, b.count(), opt.Workers, m, func(k int) error {
		part, err := apply(b.start[k], b.start[k+1])
		if err != nil {
			return err
		}
		defer done(part)
		return made.put(k, b.start[k], b.start[k+1]-b.start[k], part)
	})
}

// back returns the table with the columns that were made batch by batch, every record in its row again.
func (b *batches) back(t *table.Table, made *collector) (*table.Table, error) {
	cols, err := made.columns()
	if err != nil {
		return nil, err
	}
	all, s := t.Columns(), t.Space()
	for n, c := range cols {
		out := t.Room(c.Attribute)
		switch c.Kind {
		case table.Numeric:
			b.place(func(i, at int) { out.Num[i] = c.Num[at] })
		case table.Categorical:
			b.place(func(i, at int) { out.Cat[i] = c.Cat[at] })
		case table.SetValued:
			rows := make([]int, len(b.of))
			b.place(func(i, at int) { rows[i] = at })
			out = c.Gather(rows)
		}
		mmap.Free(s, c.Num)
		mmap.Free(s, c.Cat)
		all[made.at[n]] = out
	}
	return t.WithColumns(all)
}
