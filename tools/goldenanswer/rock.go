package main

import (
	"fmt"

	"github.com/dither-data/dither/internal/mining/jaccard"
)

var rockFigures = map[string]answer{
	"rock_sim": on(func(in struct{ R1, R2 []string }) (any, error) {
		if len(in.R1) != len(in.R2) {
			return nil, fmt.Errorf("the records have %d and %d values", len(in.R1), len(in.R2))
		}
		a, b := make([]int32, len(in.R1)), make([]int32, len(in.R2))
		for j, v := range in.R2 {
			if v != in.R1[j] {
				b[j] = 1
			}
		}
		return object{"sim": jaccard.Similarity(a, b)}, nil
	}),
}
