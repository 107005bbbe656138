package main

import "github.com/dither-data/dither/measure/clusterings"

var clusterComparisons = map[string]answer{
	"misclassification": on(func(in struct {
		Before, After []int32
		K             int
	}) (any, error) {
		c, err := clusterings.Compare(in.Before, in.After, in.K)
		if err != nil {
			return nil, err
		}
		return object{"sizes": c.Sizes, "matched": c.Matched, "points": c.Points}, nil
	}),
}
