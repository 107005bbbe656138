package dither_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure/kanonymity"
	"github.com/dither-data/dither/measure/precision"
	"github.com/dither-data/dither/protect/kanonymise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

// regions is a hierarchy as a custodian writes it, and as ARX does: a line a value, from the value itself to what stands for all.
const regions = `north;upper half;*
west;upper half;*
centre;lower half;*
south;lower half;*
east;lower half;*
`

// Patients are generalised along a hierarchy of one's own until five look alike; the release is measured, judged and written.
func Example_hierarchies() {
	ctx := context.Background()
	patients := generate.Patients(500, rng.New([32]byte{1}))
	region, err := hierarchy.Parse("region", strings.NewReader(regions))
	if err != nil {
		panic(err)
	}
	set := hierarchy.Set{"region": region}

	p, err := study.Protect(ctx, study.Request{
		Table: patients, Method: kanonymise.Method, Set: map[string]string{"k": "5"}, Hierarchies: set, Seed: rng.SeedOf([32]byte{2}),
	})
	if err != nil {
		panic(err)
	}
	release, err := p.Release(set)
	if err != nil {
		panic(err)
	}
	neighbour := intruder.Intruder{Name: "the neighbour", Knows: []string{"age", "sex", "region"}}
	specs := study.Against([]study.Spec{{Measure: kanonymity.Measure}, {Measure: precision.Measure}}, []intruder.Intruder{neighbour})
	measured, err := study.Evaluate(ctx, release, specs, rng.New([32]byte{3}), nil)
	if err != nil {
		panic(err)
	}
	for _, m := range measured {
		fmt.Printf("%s: %.3g\n", m.Name, m.Value.Score)
	}
	limits, err := limit.Preset("default")
	if err != nil {
		panic(err)
	}
	outcome := &study.Outcome{Original: release.Original, Released: release.Released, Generalised: true, Measures: measured}
	verdict := study.Judge(outcome, study.Evidence{Limits: limits, Partial: true})
	fmt.Println("verdict:", verdict.State)

	var file strings.Builder
	if err := format.WriteTo(ctx, &file, "release.csv", p.Output, format.Options{}); err != nil {
		panic(err)
	}
	head, _, _ := strings.Cut(file.String(), "\n")
	fmt.Println(head)
	// Output:
	// kanonymity: 5
	// precision: 0.8
	// verdict: release with care
	// age,sex,region,admission,diagnosis,smoking,bmi,systolic,glucose,prior_admissions,days,readmitted
}
