package study_test

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/attributedisclosure"
	"github.com/dither-data/dither/measure/linkage"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

// Two techniques are compared on a table: what is a tree worth that is learned from the release? The table released as
// it is comes first.
func ExampleCompare() {
	t := study.WithoutIdentifiers(generate.CR(600, rng.New([32]byte{1})))
	settings := func(m protect.Method) study.Setting {
		grid, err := study.Grid(m, nil)
		if err != nil {
			panic(err)
		}
		return grid[0]
	}
	c, err := study.Compare(context.Background(), study.CompareRequest{
		Data:     []study.DataSet{{Name: "credit", Table: t}},
		Settings: []study.Setting{settings(framework.Framework), settings(framework.RandomFramework)},
		Measures: []study.Spec{{Measure: prediction.Accuracy}},
		Folds:    2, Repeats: 1, Seed: rng.SeedOf([32]byte{2}),
	})
	if err != nil {
		panic(err)
	}
	for k, s := range c.Settings {
		fmt.Printf("%s: %.1f %% of the hold-out\n", s.Name, c.Summary(0, k, 0, "").Mean)
	}
	// Output:
	// original: 95.7 % of the hold-out
	// framework: 94.0 % of the hold-out
	// randomframework: 66.7 % of the hold-out
}

// An intruder who knows the sex, the region and about the age of a patient looks for the record, and for the diagnosis.
func ExampleAttacks() {
	ctx := context.Background()
	p, err := study.Protect(
		ctx,
		study.Request{
			KeepOrder: true,
			Table:     generate.Patients(500, rng.New([32]byte{1})),
			Method:    framework.Framework,
			Seed:      rng.SeedOf([32]byte{2}),
		},
	)
	if err != nil {
		panic(err)
	}
	neighbour := intruder.Intruder{
		Name:   "the neighbour",
		Knows:  []string{"age", "sex", "region"},
		Within: map[string]float64{"age": 2},
		Secret: []string{"diagnosis"},
	}
	release := &measure.Release{Original: p.Original, Released: p.Released, Paired: true}
	specs := study.Against([]study.Spec{{Measure: linkage.Linkage}, {Measure: attributedisclosure.AttributeInference}},
		[]intruder.Intruder{neighbour})
	measured, err := study.Evaluate(ctx, release, specs, rng.New([32]byte{3}), nil)
	if err != nil {
		panic(err)
	}
	for _, a := range study.Attacks(&study.Outcome{Original: p.Original, Released: p.Released, Measures: measured}, 3) {
		for _, s := range a.Sentences {
			fmt.Printf("%s: %s\n", s.Measure, s.Says)
		}
	}
	// Output:
	// linkage: Of 500 records, 6.7 (1.3 %) are linked to their record: their own record is the nearest; guessing would find 1.
	// attributeinference: From the nearest records it guesses diagnosis right for 26.4 % of 500 records; guessing the commonest value is right for 23.6 %.
}
