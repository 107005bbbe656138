package main

import (
	"maps"
	"slices"

	"github.com/dither-data/dither/internal/stats/mannwhitney"
	"github.com/dither-data/dither/internal/stats/quantile"
)

var rankTests = map[string]answer{
	"quartiles": on(func(in struct{ Values []float64 }) (any, error) {
		s := quantile.Of(in.Values)
		return object{"q1": s.Q1, "median": s.Median, "q3": s.Q3}, nil
	}),
	"mann_whitney": on(func(in struct{ X, Y []float64 }) (any, error) {
		r := mannwhitney.Test(in.X, in.Y, false)
		return object{"u": r.U, "z": r.Z, "p": r.P}, nil
	}),
	"rank_groups": on(func(in struct {
		Samples map[string][]float64
		Higher  bool `json:"higher_is_better"`
		Alpha   float64
	}) (any, error) {
		var samples [][]float64
		names := slices.Sorted(maps.Keys(in.Samples)) // treatments of equal median keep this order
		for _, n := range names {
			samples = append(samples, in.Samples[n])
		}
		out := object{}
		for i, rank := range mannwhitney.Ranks(samples, in.Higher, in.Alpha) {
			out[names[i]] = rank
		}
		return out, nil
	}),
}
