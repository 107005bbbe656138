package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/internal/stats/drift"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/table"
)

// gate are the bounds by which a limit counts as met or broken, and how far a table is from the one of a plan.
var gate = map[string]answer{
	"clopper_pearson": on(clopperPearson),
	"psi":             on(stability),
	"drift_summary":   on(driftSummary),
}

func stability(in struct {
	Expected, Actual []float64
	Floor            float64
}) (any, error) {
	e, a, per, psi := drift.Index(in.Expected, in.Actual, in.Floor)
	return map[string]any{
		"shares_expected": e,
		"shares_actual":   a,
		"per_bin":         per,
		"psi":             psi,
		"state":           drift.StateOf(psi),
	}, nil
}

func driftSummary(in driftCase) (any, error) {
	if in.Floor != drift.Floor {
		return nil, fmt.Errorf("the floor is %v, and that of a baseline %v", in.Floor, drift.Floor)
	}
	base, cols := drift.Baseline{}, []table.Column{}
	for _, a := range in.Attributes {
		base.Columns = append(
			base.Columns,
			drift.Column{Name: a.Name, Min: a.Min, Max: a.Max, Cuts: a.Cuts, Values: a.Values, Counts: a.Plan},
		)
		if a.Type == "numeric" {
			cols = append(cols, in.numbers(a.Name))
		} else {
			cols = append(cols, in.categories(a.Name))
		}
	}
	t, err := table.New(cols...)
	if err != nil {
		return nil, err
	}
	r, err := base.Compare(t)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	for k, s := range r.Columns {
		one := map[string]any{"missing_share": s.Missing, "counts": s.Counts, "psi": s.PSI, "state": s.State}
		if base.Columns[k].Numeric() {
			one["out_of_range_share"] = s.Outside
		} else {
			one["new_categories"] = append([]string{}, s.New...)
		}
		out[s.Name] = one
	}
	return out, nil
}

// driftCase is a baseline and a table to compare with it.
type driftCase struct {
	Attributes []struct {
		Name, Type string
		Min, Max   float64
		Cuts       []float64
		Values     []string
		Plan       []int
	}
	Floor   float64
	Records []map[string]any
}

// numbers is a numeric column of the records; what is no number is missing.
func (in *driftCase) numbers(name string) table.Column {
	col := table.NumColumn(name, 1, nil)
	for _, r := range in.Records {
		v, ok := r[name].(float64)
		if !ok {
			v = math.NaN()
		}
		col.Num = append(col.Num, v)
	}
	return col
}

// categories is a categorical column of the records, its labels in the order of their first record; what is no text is
// missing.
func (in *driftCase) categories(name string) table.Column {
	col := table.CatColumn(name, nil, nil)
	for _, r := range in.Records {
		code := int32(-1)
		if v, ok := r[name].(string); ok {
			k := slices.Index(col.Labels, v)
			if k < 0 {
				k, col.Labels = len(col.Labels), append(col.Labels, v)
			}
			code = int32(k)
		}
		col.Cat = append(col.Cat, code)
	}
	return col
}

func clopperPearson(in struct{ X, N, Level, Limit float64 }) (any, error) {
	lo, hi := confidence.ClopperPearson(in.X, in.N, in.Level)
	low, high := confidence.ClopperPearson(in.X, in.N, (1+in.Level)/2)
	decision := "unproven"
	switch met, broken := limit.Keeps(lo, hi, nil, &in.Limit); {
	case met:
		decision = "pass"
	case broken:
		decision = "fail"
	}
	return map[string]any{"upper": hi, "lower": lo, "two_sided": []float64{low, high}, "decision": decision,
		"more_if_none_succeed": confidence.MoreIfNoneSucceed(in.X, in.N, in.Level, in.Limit)}, nil
}
