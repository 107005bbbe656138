package measure_test

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/anonymity"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// A measure looks at a release and gives a figure with its parts. Here: in how small a group does somebody stand who is
// looked up by sex and region?
func ExampleMeter() {
	sex := table.CatColumn("sex", []string{"f", "m"}, []int32{0, 0, 0, 1, 1})
	region := table.CatColumn("region", []string{"north", "south"}, []int32{0, 0, 1, 1, 1})
	sex.Role, region.Role = table.Quasi, table.Quasi
	t, err := table.New(sex, region)
	if err != nil {
		panic(err)
	}

	meter := anonymity.KAnonymity.New()
	if err := meter.Params().Apply(map[string]string{"k": "2"}); err != nil {
		panic(err)
	}
	release := &measure.Release{Original: t, Released: t, Paired: true}
	value, err := measure.Take(context.Background(), meter, release, rng.New([32]byte{1}))
	if err != nil {
		panic(err)
	}
	fmt.Printf("k is %v\n", value.Score)
	for _, p := range value.Parts {
		fmt.Printf("%s: %.3g\n", p.Name, p.Score)
	}
	// Output:
	// k is 1
	// share of records in classes below 2: 0.2
	// share of records that are alone: 0.2
	// classes: 3
	// average size of a class: 1.67
}
