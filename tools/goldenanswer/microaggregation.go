package main

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/internal/mining/microaggregation"
)

var microaggregationGroups = map[string]answer{
	"mdav": on(func(in struct {
		Rows [][]float64
		K    int
	}) (any, error) {
		var points []float64
		dims := 0
		for i, row := range in.Rows {
			if dims = len(in.Rows[0]); len(row) != dims {
				return nil, fmt.Errorf("row %d has %d values, expected %d", i+1, len(row), dims)
			}
			points = append(points, row...)
		}
		group, groups, err := microaggregation.MixedMDAV(
			context.Background(),
			points,
			make([]microaggregation.Kind, dims),
			nil,
			in.K,
		)
		if err != nil {
			return nil, err
		}
		records, ends := microaggregation.Members(group, groups)
		members, perturbed := make([][]int32, groups), make([][]float64, len(in.Rows))
		lo := int32(0)
		for g, hi := range ends {
			members[g] = records[lo:hi]
			mean := microaggregation.Centre(points, make([]microaggregation.Kind, dims), members[g])
			for _, i := range members[g] {
				perturbed[i] = mean
			}
			lo = hi
		}
		sse, sst := microaggregation.Loss(points, make([]microaggregation.Kind, dims), group, groups)
		return object{"groups": members, "perturbed": perturbed, "sse": sse, "sst": sst, "loss": sse / sst}, nil
	}),
}
