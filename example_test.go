package dither_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

// release reads records about people, perturbs them by the Framework of Islam 2007, and writes a release.
func release(ctx context.Context, in, out, class string, seed [32]byte) error {
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
	released, err := protect.Execute(ctx, plan, t, src.Fork("apply"), protect.Options{})
	if err != nil {
		return err
	}
	_, err = format.Write(ctx, out, released, info.Like(format.Options{}))
	return err
}

// From a file of records about people to the file of a release.
func Example() {
	folder, err := os.MkdirTemp("", "dither")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	ctx, seed := context.Background(), [32]byte{1}
	in, out := filepath.Join(folder, "patients.csv"), filepath.Join(folder, "release.csv")
	if _, err := format.Write(ctx, in, generate.Patients(500, rng.New(seed)), format.Options{}); err != nil {
		panic(err)
	}

	if err := release(ctx, in, out, "readmitted", seed); err != nil {
		panic(err)
	}

	t, _, err := format.Read(ctx, out, format.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d records of %d columns, the first one %q\n", t.Rows(), t.Width(), t.Attr(0).Name)
	// Output: 500 records of 12 columns, the first one "age"
}
