package main

import (
	"errors"
	"strconv"

	"github.com/dither-data/dither/protect/classnoise"
)

// leaf2 is a leaf of two classes.
type leaf2 struct{ M, N int }

var classNoise = map[string]answer{
	"rpt_leaf": on(func(in leaf2) (any, error) {
		if in.M < 0 || in.N < 0 {
			return nil, errors.New("a count is negative")
		}
		law := classnoise.RPTNewLaw(in.M, in.N)
		pmf := map[string]float64{}
		for i, p := range law.P {
			pmf[strconv.Itoa(2*i)] = p
		}
		return object{"pmf": pmf, "mean": law.Mean, "var": law.Variance,
			"released_wrong": object{"minority": law.WrongMinority, "majority": law.WrongMajority}}, nil
	}),
	"ppt_minority_count": on(func(in leaf2) (any, error) {
		law := classnoise.PPTNewLaw(in.M, in.N)
		return object{"trials": law.Trials, "p": law.P, "mean": law.Mean, "var": law.Variance}, nil
	}),
	"class_noise_moments": on(func(in struct{ Leaves []map[string]int }) (any, error) {
		names, leaves := vectors(in.Leaves)
		plan := classnoise.NewPlan(leaves, classnoise.Printed)
		transition := map[string]map[string]float64{}
		for c, row := range plan.Transition() {
			transition[names[c]] = named(names, row)
		}
		printed := 0.0
		for _, counts := range leaves {
			printed += classnoise.Printed(counts)
		}
		mean, variance := plan.Moments()
		return object{
			"e_n_formula": printed,
			"rpt":         sums(leaves, classnoise.RPTMoments),
			"ppt":         sums(leaves, classnoise.PPTMoments),
			"alpt":        object{"p": plan.P, "transition": transition, "changed_mean": mean, "changed_var": variance},
		}, nil
	}),
}

// sums adds mean and variance over independent leaves.
func sums(leaves [][]int, moments func([]int) (mean, variance float64)) object {
	mean, variance := 0.0, 0.0
	for _, counts := range leaves {
		m, v := moments(counts)
		mean, variance = mean+m, variance+v
	}
	return object{"mean": mean, "var": variance}
}
