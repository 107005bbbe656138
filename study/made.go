package study

import (
	"context"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/execute"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Made is a plan that was applied to a table elsewhere, part by part, as in shards on a cluster. Where Request.Plan is
// nil it was fitted to the table, too.
type Made struct {
	Plan     protect.Plan
	Released *table.Table // what it releases, in the order of the table
}

// executed applies a plan, unless that was done elsewhere.
func (q *Request) executed(ctx context.Context, p protect.Plan, t *table.Table, src rng.Source, opt execute.Options) (
	*execute.Release, error) {
	if q.Made != nil {
		return execute.Together(p, t, q.Made.Released, src)
	}
	return execute.Plan(ctx, p, t, src, opt)
}
