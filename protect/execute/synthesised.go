package execute

import (
	"context"
	"errors"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/noise/noisekey"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// synthesised is Plan for one that draws new records. They are keyed by the plan and the seed; the table, which says
// nothing that is released, is not in the key. Stages that follow a synthesis perturb what it drew.
func synthesised(ctx context.Context, plan protect.Plan, t *table.Table, src rng.Source, opt Options) (*Release, error) {
	if opt.Recur != nil {
		return nil, errors.New("the records that the technique draws stand for nobody, so nobody recurs in its releases: " +
			"leave out recur, or take another technique")
	}
	key, err := noisekey.Of(plan, t.Slice(0, 0))
	if err != nil {
		return nil, err
	}
	made, err := executor.Run(ctx, plan, t, src.Fork("apply").Fork(key), opt.Options)
	if err != nil {
		return nil, err
	}
	return &Release{Table: made, order: src.Fork("shuffle").Fork(key)}, nil
}
