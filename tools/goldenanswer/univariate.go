package main

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/protect/uma"
)

var univariateGroups = map[string]answer{
	"uma": on(func(in struct {
		Values []float64
		K      int
	}) (any, error) {
		if in.K < 1 || len(in.Values) < in.K {
			return nil, fmt.Errorf("there are %d values, expected at least k = %d", len(in.Values), in.K)
		}
		order, ends := uma.Partition(in.Values, in.K, uma.Classic)
		groups, lo := make([][]int32, 0, len(ends)), 0
		perturbed := make([]float64, len(in.Values))
		for _, hi := range ends {
			var members []float64
			for _, i := range order[lo:hi] {
				members = append(members, in.Values[i])
			}
			for _, i := range order[lo:hi] {
				perturbed[i] = stat.Mean(members, nil)
			}
			groups, lo = append(groups, order[lo:hi]), hi
		}
		sse, sst := squares(in.Values, perturbed), squares(in.Values, []float64{stat.Mean(in.Values, nil)})
		return object{"groups": groups, "perturbed": perturbed, "sse": sse, "sst": sst, "loss": sse / sst}, nil
	}),
}

// squares returns the sum of squared differences of values from centres, one each or one for all.
func squares(values, centres []float64) float64 {
	d := append([]float64(nil), values...)
	for i := range d {
		d[i] -= centres[min(i, len(centres)-1)]
	}
	return floats.Dot(d, d)
}
