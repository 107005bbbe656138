package transition_test

import (
	"fmt"

	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/table"
)

// A table of two attributes that PRAM released is turned back into an unbiased estimate of the original one.
func ExampleEstimateTable() {
	sex, smokes := transition.Uniform(2, 0.8), transition.Uniform(2, 0.9)
	original := [][]float64{{300, 100}, {200, 400}}
	released := transition.ExpectedTable(sex, original, smokes) // what a release has in expectation
	estimated, err := transition.EstimateTable(sex, released, smokes)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("released  %.0f\nestimated %.0f\n", released, estimated)
	// Output:
	// released  [[268 172] [232 328]]
	// estimated [[300 100] [200 400]]
}

// The share of the records that have two values is estimated from a release of multivariate randomised response.
func ExampleConjunction() {
	answers := []string{"no", "yes"}
	released, err := table.New( // three of four records were sent as they are, one with both answers turned
		table.CatColumn("smokes", answers, []int32{1, 1, 1, 0, 0, 0, 0, 0}),
		table.CatColumn("drinks", answers, []int32{1, 1, 1, 0, 1, 1, 1, 1}))
	if err != nil {
		fmt.Println(err)
		return
	}
	groups, err := transition.Groups(released, []string{"smokes+drinks=0.75"}, 0, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	share := transition.Conjunction(released, groups, []transition.Value{{Column: 0, Code: 1}, {Column: 1, Code: 1}})
	fmt.Printf("released %.3f, estimated %.3f\n", 3.0/8, share.Share)
	// Output: released 0.375, estimated 0.500
}
