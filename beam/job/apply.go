package job

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// Apply applies the plan to a shard, writes its release under the shard's name, and counts what certificate and measures need. Cost: that of the technique.
func Apply(ctx context.Context, folder string, shard int) error {
	q, m, method, p, err := begun(folder)
	if err != nil {
		return err
	}
	key, err := noiseKey(folder, p)
	if err != nil {
		return err
	}
	src, err := q.source()
	if err != nil {
		return err
	}
	t, names, err := q.load(ctx, m, p.Schema(), shard)
	if err != nil {
		return err
	}
	released, err := protect.Execute(ctx, p, t, src.Fork("apply").Fork(key), protect.Options{})
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
	cols := make([]table.Column, len(names))
	for k, name := range names {
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
	if _, err := format.Write(ctx, filepath.Join(folder, release, filepath.Base(q.Shards[shard])), out, m.Info.Like(format.Options{})); err != nil {
		return err
	}
	return write(folder, countsFile(shard), c)
}
