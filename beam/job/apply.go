package job

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// Apply applies the plan to a shard, sends its records to the parts of the release, and counts what certificate and
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
	for _, name := range m.Names {
		if released.Find(name) < 0 {
			return fmt.Errorf("the plan loses column %q", name)
		}
	}
	if err := q.send(folder, released, p, shard); err != nil {
		return err
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
