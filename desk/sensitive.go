package desk

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/itemset"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
)

// hidden is the parameter of techniques that hide patterns, and of the measures of what they did, that lists them.
const hidden = "sensitive"

// handed are the parameters by which techniques and measures say what is hidden.
var handed = []string{hidden, "support", "confidence", "intervals"}

// sensitive returns the itemsets and rules that are to be hidden: those of the file, or else the policy's.
func (s *Source) sensitive(p *policy.Policy) (string, error) {
	if s.Sensitive == "" {
		return strings.Join(texts(p.Sensitive), "\n"), nil
	}
	data, err := os.ReadFile(s.Sensitive)
	return string(data), err
}

// hide hands the list of what is sensitive to a technique, or to a measure, that takes one and was not given another, and says whether one does. A list that does not
// fit the table is an error that names its line.
func (l *Loaded) hide(ctx context.Context, s *Source, declared param.Set, set map[string]string) (taken bool, err error) {
	if !declared.Has(hidden) {
		return false, nil
	}
	if _, own := set[hidden]; !own && l.Sensitive != "" {
		set[hidden] = l.Sensitive
	}
	if set[hidden] == "" || declared.Apply(set) != nil { // what is wrong with other parameters is said with their name
		return true, nil
	}
	if err := l.expand(ctx, declared, set); err != nil {
		return true, &Usage{hidden, s.Sensitive, err}
	}
	return true, nil
}

// expand puts in the place of * what it stands for by the thresholds of the technique, or measure.
func (l *Loaded) expand(ctx context.Context, declared param.Set, set map[string]string) error {
	own := map[string]any{}
	for _, v := range declared.Values() {
		own[v.Name] = v.Value
	}
	intervals, _ := own["intervals"].(int)
	c, err := basket.New(l.Table, basket.Options{Intervals: intervals})
	if err != nil {
		return err
	}
	if c.HasAny(set[hidden]) {
		support, counts := own["support"].(float64)
		confidence, weighs := own["confidence"].(float64)
		if !counts || !weighs && strings.Contains(set[hidden], "=>") {
			return errors.New("a * stands for what is frequent, or strong, and there is no threshold that says what is: list the patterns, or take hide1b or hide2a")
		}
		key := fmt.Sprint(intervals, support, confidence, set[hidden])
		if _, known := l.expanded[key]; !known {
			t, err := c.Code(l.Table)
			if err != nil {
				return err
			}
			list, err := c.Expand(ctx, set[hidden], t, itemset.Least(support, t.Len()), confidence)
			if err != nil {
				return err
			}
			if l.expanded == nil {
				l.expanded = map[string]string{}
			}
			l.expanded[key] = list
		}
		set[hidden] = l.expanded[key]
	}
	_, err = c.Patterns(set[hidden])
	return err
}

// hideFrom hands the list to all measures that take one, and says whether any does. Of a technique that hid patterns they take the list and the thresholds, as far as they were not
// given others; its parameters may be nil.
func (l *Loaded) hideFrom(ctx context.Context, s *Source, specs []study.Spec, technique []param.Value) (taken bool, err error) {
	hides := slices.ContainsFunc(technique, func(v param.Value) bool { return v.Name == hidden && v.Value != "" })
	for k := range specs {
		if specs[k].Set == nil {
			specs[k].Set = map[string]string{}
		}
		declared := specs[k].Measure.New().Params()
		for _, v := range technique {
			if _, own := specs[k].Set[v.Name]; hides && !own && slices.Contains(handed, v.Name) && declared.Has(hidden) && declared.Has(v.Name) {
				specs[k].Set[v.Name] = fmt.Sprint(v.Value)
			}
		}
		one, err := l.hide(ctx, s, declared, specs[k].Set)
		if taken = taken || one; err != nil {
			return taken, err
		}
	}
	return taken, nil
}

// hideAll returns the parameters that are for all techniques and measures of a comparison with the list among them, where one of these takes it.
func (l *Loaded) hideAll(ctx context.Context, s *Source, r *study.CompareRequest, common map[string]string) (map[string]string, error) {
	var takers []param.Set
	for _, one := range r.Settings {
		takers = append(takers, one.Method.New().Params())
	}
	for _, one := range r.Measures {
		takers = append(takers, one.Measure.New().Params())
	}
	out := maps.Clone(common)
	for _, declared := range takers {
		if _, own := common[modelled]; !own && l.Model != "" && declared.Has(modelled) {
			out[modelled] = l.Model
		}
		set := maps.Clone(common)
		maps.DeleteFunc(set, func(name, _ string) bool { return !declared.Has(name) })
		if _, err := l.hide(ctx, s, declared, set); err != nil {
			return nil, err
		}
		switch was := out[hidden]; {
		case set[hidden] != "" && was != common[hidden] && was != set[hidden]:
			return nil, &Usage{hidden, s.Sensitive, errors.New("a * stands for different patterns by the thresholds of what is compared: list them")}
		case set[hidden] != "":
			out[hidden] = set[hidden]
		}
	}
	return out, nil
}
