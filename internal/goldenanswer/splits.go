package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/criterion"
)

var splits = map[string]answer{
	"split_measures": on(func(in struct{ Branches []map[string]float64 }) (any, error) {
		_, branches := vectors(in.Branches)
		return splitOut(criterion.Of(branches)), nil
	}),
	"numeric_split": on(func(in struct {
		Values []float64
		Labels []string
	}) (any, error) {
		if len(in.Values) != len(in.Labels) {
			return nil, fmt.Errorf("there are %d labels, expected %d", len(in.Labels), len(in.Values))
		}
		names := slices.Compact(slices.Sorted(slices.Values(in.Labels)))
		classes := make([]int32, len(in.Labels))
		for i, l := range in.Labels {
			classes[i] = int32(slices.Index(names, l))
		}
		cut, s, ok := criterion.BestCut(in.Values, classes)
		if !ok {
			return nil, errors.New("the values have no cut")
		}
		out := splitOut(s)
		out["threshold"] = cut
		return out, nil
	}),
}

func splitOut(s criterion.Split) object {
	return object{"gain": s.Gain, "split_info": s.Info, "gain_ratio": s.GainRatio}
}
