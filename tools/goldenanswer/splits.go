package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/table"
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
		classes, names := coded(in.Labels)
		cuts, err := cuts(in.Values, classes, names)
		if err != nil {
			return nil, err
		}
		if len(cuts) == 0 {
			return nil, errors.New("the values have no cut")
		}
		cut, best := 0.0, criterion.Split{Gain: -1}
		for _, c := range cuts {
			if s := halves(in.Values, classes, len(names), c.Cut); s.Gain > best.Gain+1e-12 {
				cut, best = c.Cut, s
			}
		}
		out := splitOut(best)
		out["threshold"] = cut
		return out, nil
	}),
}

func splitOut(s criterion.Split) object {
	return object{"gain": s.Gain, "split_info": s.Info, "gain_ratio": s.GainRatio}
}

// cuts returns the cuts that SysFor chooses among, ascending: those that C4.5's learner rates.
func cuts(values []float64, classes []int32, names []string) ([]c45.Rated, error) {
	class := table.CatColumn("class", names, classes)
	class.Role = table.Class
	t, err := table.New(table.NumColumn("value", 0, values), class)
	if err != nil {
		return nil, err
	}
	l := c45.New()
	l.MinLeaf = 1
	d, err := l.Code(context.Background(), t, 1)
	if err != nil {
		return nil, err
	}
	var out []c45.Rated
	d.All().Rate(func(_ int, tests []c45.Rated) { out = slices.Clone(tests) })
	return out, nil
}

// halves returns the measures of a cut.
func halves(values []float64, classes []int32, names int, cut float64) criterion.Split {
	sides := [][]float64{make([]float64, names), make([]float64, names)}
	for i, v := range values {
		side := 0
		if v > cut {
			side = 1
		}
		if c := classes[i]; c >= 0 {
			sides[side][c]++
		}
	}
	return criterion.Of(sides)
}
