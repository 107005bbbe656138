package desk

import (
	"context"
	"errors"
	"maps"
	"os"
	"strings"

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
	data, err := os.ReadFile(p.SensitiveFile)
	return string(data), err
}

// hideAll returns the parameters that are for all techniques and measures of a comparison with the list among them,
// where one of these takes it.
func (l *Loaded) hideAll(
	ctx context.Context,
	r *study.CompareRequest,
	common map[string]string,
) (map[string]string, error) {
	var takers []param.Set
	for _, one := range r.Settings {
		takers = append(takers, one.Method.New().Params())
	}
	for _, one := range r.Measures {
		takers = append(takers, one.Measure.New().Params())
	}
	out := maps.Clone(common)
	for _, declared := range takers {
		if _, own := common[judge.Modelled]; !own && l.Model != "" && declared.Has(judge.Modelled) {
			out[judge.Modelled] = l.Model
		}
		set := maps.Clone(common)
		maps.DeleteFunc(set, func(name, _ string) bool { return !declared.Has(name) })
		if _, err := l.Hide(ctx, declared, set); err != nil {
			return nil, err
		}
		switch was := out[judge.Hidden]; {
		case set[judge.Hidden] != "" && was != common[judge.Hidden] && was != set[judge.Hidden]:
			return nil, &Usage{Field: judge.Hidden, Value: l.SensitiveFile, Err: errors.New("a * stands for different " +
				"patterns by the thresholds of what is compared: list them")}
		case set[judge.Hidden] != "":
			out[judge.Hidden] = set[judge.Hidden]
		}
	}
	return out, nil
}
