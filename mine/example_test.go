package mine_test

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/rng"
)

// A learner is fitted to a table and yields a model. What the model can do is asked for by assertion.
func ExampleLearner() {
	t := generate.CR(2_000, rng.New([32]byte{1}))
	learner := c45.Miner.New()
	if err := learner.Params().Apply(map[string]string{"minLeaf": "100"}); err != nil {
		panic(err)
	}
	model, err := mine.Fit(context.Background(), learner, t, rng.New([32]byte{2}))
	if err != nil {
		panic(err)
	}
	if c, ok := model.(mine.Classifier); ok {
		predicted := make([]int32, t.Rows())
		c.Predict(t, predicted)
		right := 0
		for i, class := range t.Cat(t.Width() - 1) {
			if predicted[i] == class {
				right++
			}
		}
		fmt.Printf("%d of %d classes are predicted\n", right, t.Rows())
	}
	// Output: 1832 of 2000 classes are predicted
}
