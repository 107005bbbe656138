package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/mining/association"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/hidingeffects"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// hidden are the measures of what was hidden.
var hidden = map[string]answer{
	"hiding_measures": on(func(in struct{ Before, After, Restrictive []string }) (any, error) {
		// A pattern becomes an item that a table has once, so that the measures see just these patterns.
		one := func(patterns []string) [][]string { return [][]string{patterns} }
		return hidingMeasures(
			one(in.Before),
			one(in.After),
			in.Restrictive,
			map[string]string{"support": "1", "items": "1", "supersets": "count"},
		)
	}),
	"hiding_from_transactions": on(func(in struct {
		Before, After [][]string
		MinCount      int     `json:"min_count"`
		Confidence    float64 `json:"min_conf"`
		Restrictive   []string
	}) (any, error) {
		return hidingMeasures(
			in.Before,
			in.After,
			in.Restrictive,
			map[string]string{"support": fmt.Sprint(in.MinCount), "confidence": fmt.Sprint(in.Confidence), "supersets": "count"},
		)
	}),
	"dissimilarity": on(func(in struct{ Before, After [][]string }) (any, error) {
		v, err := taken(hidingeffects.Dissimilarity, in.Before, in.After, nil)
		return object{"diss": v.Score}, err
	}),
	"level_of_privacy": on(func(in struct{ Before, After struct{ A, B, X float64 } }) (any, error) {
		b, a := in.Before, in.After
		was, is := association.Prime(b.A, b.B, b.X)/math.Ln2, association.Prime(a.A, a.B, a.X)/math.Ln2
		return object{"j_prime_before": was, "j_prime_after": is, "level": is - was,
			"ep": (b.B*association.Divergence(b.X, b.A) - a.B*association.Divergence(a.X, a.A)) / math.Ln2}, nil
	}),
}

// hidingMeasures takes the three measures.
func hidingMeasures(before, after [][]string, restrictive []string, set map[string]string) (any, error) {
	set["sensitive"] = strings.Join(restrictive, ";")
	out := object{}
	for name, m := range map[string]measure.Measure{"hiding_failure": hidingeffects.HidingFailure,
		"misses_cost": hidingeffects.MissesCost, "artifactual": hidingeffects.ArtifactualPatterns} {
		v, err := taken(m, before, after, set)
		if err != nil {
			return nil, err
		}
		out[name] = v.Score
	}
	return out, nil
}

// taken takes a measure of transactions of names.
func taken(m measure.Measure, before, after [][]string, set map[string]string) (measure.Value, error) {
	names := slices.Concat(slices.Concat(before...), slices.Concat(after...))
	slices.Sort(names)
	names = slices.Compact(names)
	tabled := func(rows [][]string) (*table.Table, error) {
		sets := make([][]int32, len(rows))
		for i, row := range rows {
			sets[i] = []int32{}
			for _, n := range row {
				k, _ := slices.BinarySearch(names, n)
				sets[i] = append(sets[i], int32(k))
			}
		}
		return table.New(table.SetColumn("items", names, table.SetsOf(sets, nil)))
	}
	was, err := tabled(before)
	if err != nil {
		return measure.Value{}, err
	}
	is, err := tabled(after)
	if err != nil {
		return measure.Value{}, err
	}
	meter := m.New()
	if err := meter.Params().Apply(set); err != nil {
		return measure.Value{}, err
	}
	return meter.Measure(context.Background(), &measure.Release{Original: was, Released: is}, rng.Source{})
}
