package dither_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/rng"
)

// From a file of records about people to the file of a release.
func Example() {
	folder, err := os.MkdirTemp("", "dither")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	ctx, seed := context.Background(), rng.SeedOf([32]byte{1})
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
