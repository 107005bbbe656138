package desk

import (
	"context"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
)

// take takes measures and shows how far it is.
func (d *Desk) take(ctx context.Context, r *measure.Release, specs []study.Spec, seed rng.Seed) ([]study.Measured, error) {
	return judge.Take(ctx, r, specs, seed, d.begin)
}
