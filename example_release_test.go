package dither_test

import (
	"context"

	"github.com/dither-data/dither"
	"github.com/dither-data/dither/policy"
)

// release reads records about people, perturbs them, judges the release, and writes it if it may go out.
func release(ctx context.Context, in, out string) error {
	patients, err := dither.Open(ctx, dither.File(in), &policy.Policy{Class: "readmitted"})
	if err != nil {
		return err
	}
	r, err := dither.Protect(ctx, patients) // a *dither.Withheld says what is broken, and what to do about it
	if err != nil {
		return err
	}
	_, err = dither.Write(ctx, r, out)
	return err
}
