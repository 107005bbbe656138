// Package executor applies a plan to the records of a table as instructed: chunk by chunk, in whole groups where
// records must meet, each step of a composite to the original. It draws from the source that it is given and from
// nothing else, so two calls with one source draw the same noise whatever the plan and the table are, and anyone who
// has both releases solves them for the original. What goes out is made by package protect/execute, which gives each
// release noise of its own; this package is for what stands below it: composites, the conformance suite, shards of a
// table, and experiments of papers.
package executor

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// meter counts the chunks that are done, in all steps of a plan.
type meter struct {
	mu          sync.Mutex
	done, total int
	tell        func(done, total int)
}

func (m *meter) add() {
	if m == nil || m.tell == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done++
	m.tell(m.done, m.total)
}

// finish adds n chunks.
func (m *meter) finish(n int) {
	for range n {
		m.add()
	}
}

// chunks returns the number of chunks that the plan is applied to, in all steps together.
func chunks(p protect.Plan, rows, size int) int {
	if c, ok := p.(protect.Composite); ok {
		n := 0
		for _, s := range c.Steps() {
			n += chunks(s, rows, size)
		}
		return n
	}
	return max(1, (rows+size-1)/size)
}

// Run applies a plan to a table. The table must conform to the plan's schema. Chunks are worked on in parallel, those
// of a protect.Grouper made of whole groups. The result does not depend on the options. A plan that draws new records
// (protect.Synthesiser) never sees the table: it draws blank records of its own.
func Run(
	ctx context.Context,
	p protect.Plan,
	t *table.Table,
	src rng.Source,
	opt protect.Options,
) (*table.Table, error) {
	if opt.Chunk <= 0 {
		opt.Chunk = 1 << 16
	}
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	if s, ok := p.(protect.Synthesiser); ok && s.Synthetic() {
		var err error
		if t, err = s.Blank(src); err != nil {
			return nil, err
		}
	}
	return execute(ctx, p, t, src, opt, &meter{total: chunks(p, t.Rows(), opt.Chunk), tell: opt.Progress})
}

func execute(
	ctx context.Context,
	p protect.Plan,
	t *table.Table,
	src rng.Source,
	opt protect.Options,
	m *meter,
) (*table.Table, error) {
	if c, ok := p.(protect.Composite); ok {
		return compose(ctx, c, t, src, opt, m)
	}
	if _, _, ok := protect.Gathers(p); ok {
		leaf, err := route(ctx, p.(protect.LeafPlan), t, opt)
		if err != nil {
			return nil, err
		}
		defer mmap.Free(t.Space(), leaf)
		return run(ctx, p, leaf, t, src, opt, m)
	}
	return run(ctx, p, nil, t, src, opt, m)
}

// run applies one plan; a leaf plan whose leaves are known takes them in leaf, which is nil otherwise.
func run(
	ctx context.Context,
	p protect.Plan,
	leaf []int32,
	t *table.Table,
	src rng.Source,
	opt protect.Options,
	m *meter,
) (*table.Table, error) {
	n := chunks(p, t.Rows(), opt.Chunk)
	if g, ok := p.(protect.Grouper); ok && (n > 1 || t.Space() != nil) {
		if with, columns, ok := protect.Gathers(p); ok && leaf != nil {
			return runLeaves(ctx, p.(protect.LeafPlan), with, columns, leaf, t, src, opt, m)
		}
		return runGroups(ctx, g, leaf, t, src, opt, m)
	}
	if n == 1 && t.Space() == nil {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		defer m.add()
		return applyLeaves(p, leaf, t, src)
	}
	made, err := collect(t, p.Changes(), n)
	if err != nil {
		return nil, err
	}
	err = chunked(ctx, t.Rows(), opt, m, func(k, lo, hi int) error {
		var in []int32
		if leaf != nil {
			in = leaf[lo:hi]
		}
		part, err := applyLeaves(p, in, t.Slice(lo, hi), src)
		if err != nil {
			return err
		}
		return made.put(k, lo, hi-lo, part)
	})
	if err != nil {
		return nil, err
	}
	return made.table()
}

// take returns base with the named columns of from.
func take(base, from *table.Table, names []string) (*table.Table, error) {
	return replace(base, names, func(j int) (table.Column, error) { return from.Column(j), nil })
}

// replace returns t with other values in the named columns.
func replace(t *table.Table, names []string, column func(j int) (table.Column, error)) (*table.Table, error) {
	at := make(map[string]int, t.Width())
	for j := range t.Width() {
		at[t.Attr(j).Name] = j
	}
	cols := t.Columns()
	for _, n := range names {
		j, ok := at[n]
		if !ok {
			return nil, fmt.Errorf("the plan changes column %q, which is not in the table", n)
		}
		var err error
		if cols[j], err = column(j); err != nil {
			return nil, fmt.Errorf("the plan's parts do not fit together: %w", err)
		}
		if cols[j].Name != n {
			return nil, fmt.Errorf("the plan changes column %q but does not return it", n)
		}
	}
	return t.WithColumns(cols)
}

// chunked calls work for every chunk k of the records, lo..hi-1, in parallel, and adds each to the meter, which may be
// nil. It returns the error of the first chunk that has one.
func chunked(ctx context.Context, rows int, opt protect.Options, m *meter, work func(k, lo, hi int) error) error {
	return spread(ctx, (rows+opt.Chunk-1)/opt.Chunk, opt.Workers, m, func(k int) error {
		lo := k * opt.Chunk
		return work(k, lo, min(lo+opt.Chunk, rows))
	})
}

// spread calls work for every k below n, in parallel, and adds each to the meter, which may be nil. It returns the
// error of the lowest k that has one.
func spread(ctx context.Context, n, workers int, m *meter, work func(k int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(workers, n) {
		wg.Go(func() {
			for ctx.Err() == nil {
				k := int(next.Add(1)) - 1
				if k >= n {
					return
				}
				errs[k] = work(k)
				m.add()
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
