package dither_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/dither-data/dither"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/rng"
)

// From a file of records about people to the file of a release.
func Example() {
	folder, err := os.MkdirTemp("", "dither")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	ctx := context.Background()
	in, out := filepath.Join(folder, "patients.csv"), filepath.Join(folder, "release.csv")
	if _, err := format.Write(ctx, in, generate.Patients(500, rng.New([32]byte{1})), format.Options{}); err != nil {
		panic(err)
	}

	if err := release(ctx, in, out); err != nil {
		panic(err)
	}

	t, _, err := format.Read(ctx, out, format.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d records of %d columns, the first one %q\n", t.Rows(), t.Width(), t.Attr(0).Name)
	// Output: 500 records of 12 columns, the first one "age"
}

// regions is a hierarchy as a custodian writes it, and as ARX does: a line a value, from the value itself to what
// stands for all.
const regions = `north;upper half;*
west;upper half;*
centre;lower half;*
south;lower half;*
east;lower half;*
`

// Patients are generalised along a hierarchy of one's own until five look alike. Generalised alone they are still found
// too often, so the release is withheld: the error says why, and nothing can be written.
func Example_hierarchies() {
	ctx := context.Background()
	region, err := hierarchy.Parse("region", strings.NewReader(regions))
	if err != nil {
		panic(err)
	}
	pol := &policy.Policy{
		Class:     "readmitted",
		Method:    policy.Method{Name: "kanonymise", Set: map[string]policy.Text{"k": "5"}},
		Intruders: []intruder.Intruder{{Name: "the neighbour", Knows: []string{"age", "sex", "region", "diagnosis"}}},
	}
	patients, err := dither.Open(ctx, dither.Memory("patients", generate.Patients(500, rng.New([32]byte{1}))), pol)
	if err != nil {
		panic(err)
	}
	r, err := dither.Protect(ctx, patients, dither.Hierarchies(hierarchy.Set{"region": region}),
		dither.Seed(rng.SeedOf([32]byte{2})))
	var withheld *dither.Withheld
	if !errors.As(err, &withheld) {
		panic(err)
	}
	fmt.Println("verdict:", withheld.Verdict.State)
	_, err = dither.Write(ctx, r, "release.csv")
	fmt.Println("refused:", errors.As(err, &withheld))
	// Output:
	// verdict: withheld
	// refused: true
}
