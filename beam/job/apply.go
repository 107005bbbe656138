package job

import (
	"context"
	"fmt"
	"io"

	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// Apply applies the plan to a shard, writes its release under the shard's name, and counts what certificate and
// measures need. Cost: that of the technique.
func Apply(ctx context.Context, folder string, shard int) error {
	q, m, method, p, err := planned(folder)
	if err != nil {
		return err
	}
	t, err := m.shard(folder, valuesFile(shard), p.Schema(), shard)
	if err != nil {
		return err
	}
	released, err := q.released(ctx, folder, m, p, t, shard)
	if err != nil {
		return fmt.Errorf("%s: %s: %w", q.Shards[shard], method, err)
	}
	if released.Rows() != t.Rows() {
		return fmt.Errorf("%s releases other records than it is given: apply the plan on one machine", method)
	}
	c, err := counted(ctx, p, t, released)
	if err != nil {
		return err
	}
	cols := make([]table.Column, len(m.Names))
	for k, name := range m.Names {
		j := released.Find(name)
		if j < 0 {
			return fmt.Errorf("the plan loses column %q", name)
		}
		cols[k] = released.Compact(j)
	}
	out, err := table.New(cols...)
	if err != nil {
		return err
	}
	name := store.Base(q.Shards[shard])
	if err := putRelease(ctx, folder, name, func(w io.Writer) error {
		return format.WriteTo(ctx, w, name, out, m.Info.Like(format.Options{}))
	}); err != nil {
		return err
	}
	if len(q.Measures) > 0 {
		if err := keep(folder, releasedFile(shard), released.Columns()); err != nil {
			return err
		}
	}
	return write(folder, countsFile(shard), c)
}

// released is what the plan releases of a shard. What was dealt where records had to meet stands in the place of the
// steps that dealt it.
func (q *Job) released(
	ctx context.Context,
	folder string,
	m *merged,
	p protect.Plan,
	t *table.Table,
	shard int,
) (*table.Table, error) {
	key, err := noiseKey(folder, p)
	if err != nil {
		return nil, err
	}
	src, err := q.source()
	if err != nil {
		return nil, err
	}
	step := 0
	apart := without(p, src, func(e meeting) protect.Plan {
		back, failed := e.back(folder, m, step, shard)
		if failed != nil {
			err = failed
		}
		step++
		return back
	})
	if err != nil {
		return nil, err
	}
	return executor.Run(ctx, apart, t, src.Fork("apply").Fork(key), protect.Options{})
}
