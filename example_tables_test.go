package dither_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/dither-data/dither"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/rng"
)

// Two tables of the same patients, which go out together: small cells are left out, and others so that nobody computes
// them. Beside the records themselves the tables are withheld.
func ExampleTabulate() {
	ctx := context.Background()
	patients, err := dither.Open(ctx, dither.Memory("patients", generate.Patients(150, rng.New([32]byte{1}))), nil)
	if err != nil {
		panic(err)
	}
	q := policy.Tables{By: []policy.Words{{"region", "diagnosis"}, {"region", "sex"}}}
	t, err := dither.Tabulate(ctx, patients, q)
	if err != nil {
		panic(err)
	}
	var out strings.Builder
	if err := t.CSV(&out); err != nil {
		panic(err)
	}
	fmt.Println(t.Verdict().State, strings.Count(out.String(), "suppressed") > 0)

	_, err = dither.Tabulate(ctx, patients, q, dither.Beside(patients))
	var withheld *dither.Withheld
	fmt.Println(errors.As(err, &withheld))
	// Output:
	// meets the limits true
	// true
}
