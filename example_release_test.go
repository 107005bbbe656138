package dither_test

import (
	"context"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/execute"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

// release reads records about people, perturbs them by the Framework of Islam 2007, and writes a release.
func release(ctx context.Context, in, out, class string, seed rng.Seed) error {
	t, info, err := format.Read(ctx, in, format.Options{})
	if err != nil {
		return err
	}
	kinds, err := profile.Of(ctx, t)
	if err != nil {
		return err
	}
	t, _, err = profile.Roles(t, kinds, class, nil)
	if err != nil {
		return err
	}
	t = study.WithoutIdentifiers(t)

	src := rng.New(seed) // rng.Fresh() makes a seed; whoever has it can undo the noise
	plan, err := protect.Fit(ctx, framework.New(), t, src.Fork("fit"))
	if err != nil {
		return err
	}
	released, err := execute.Plan(ctx, plan, t, src, execute.Options{}) // in a random order; study.Judge says whether it may go out
	if err != nil {
		return err
	}
	_, err = format.Write(ctx, out, released.Table, info.Like(format.Options{}))
	return err
}
