package desk

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/study/reading"
)

// sensitiveOf returns the itemsets and rules that are to be hidden, in lines: those of the file that the policy names,
// or its own.
func sensitiveOf(p *policy.Policy) (string, error) {
	if p.SensitiveFile == "" {
		return strings.Join(reading.Texts(p.Sensitive), "\n"), nil
	}
	data, err := wholefile.Read(p.SensitiveFile)
	return string(data), err
}

// hideAll returns the list for all techniques and measures of a comparison that take one, with what a * in it stands
// for; empty where none does. common are the parameters that are for all.
func (l *Loaded) hideAll(
	ctx context.Context,
	r *study.CompareRequest,
	common map[string]string,
) (list string, err error) {
	var takers []param.Set
	for _, one := range r.Settings {
		takers = append(takers, one.Method.New().Params())
	}
	for _, one := range r.Measures {
		takers = append(takers, one.Measure.New().Params())
	}
	for _, declared := range takers {
		set := maps.Clone(common)
		maps.DeleteFunc(set, func(name, _ string) bool { return !declared.Has(name) })
		if _, err := l.Hide(ctx, declared, set); err != nil {
			return "", err
		}
		for _, name := range declared.Patterns() {
			if common[name] != "" || set[name] == "" {
				continue
			}
			if list != "" && list != set[name] {
				return "", &Usage{Field: judge.Hidden, Value: l.SensitiveFile, Err: errors.New("a * stands for different " +
					"patterns by the thresholds of what is compared: list them")}
			}
			list = set[name]
		}
	}
	return list, nil
}

// weighAll returns the parameters that are for all techniques and measures of a comparison with the quality model among
// them, where a measure takes it.
func (l *Loaded) weighAll(r *study.CompareRequest, common map[string]string) map[string]string {
	takes := func(s study.Spec) bool { return s.Measure.New().Params().Has(judge.Modelled) }
	if _, own := common[judge.Modelled]; own || l.Model == "" || !slices.ContainsFunc(r.Measures, takes) {
		return common
	}
	out := maps.Clone(common)
	out[judge.Modelled] = l.Model
	return out
}
