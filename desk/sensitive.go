package desk

import (
	"maps"
	"os"
	"strings"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
)

// hidden is the parameter of techniques that hide patterns, and of the measures of what they did, that lists them.
const hidden = "sensitive"

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
func (l *Loaded) hide(s *Source, declared param.Set, set map[string]string) (taken bool, err error) {
	if !declared.Has(hidden) {
		return false, nil
	}
	if _, own := set[hidden]; !own && l.Sensitive != "" {
		set[hidden] = l.Sensitive
	}
	if set[hidden] == "" || declared.Apply(set) != nil { // what is wrong with other parameters is said with their name
		return true, nil
	}
	intervals := 0
	for _, v := range declared.Values() {
		if n, ok := v.Value.(int); ok && v.Name == "intervals" {
			intervals = n
		}
	}
	c, err := basket.New(l.Table, basket.Options{Intervals: intervals})
	if err == nil {
		_, err = c.Patterns(set[hidden])
	}
	if err != nil {
		return true, &Usage{hidden, s.Sensitive, err}
	}
	return true, nil
}

// hideFrom hands the list to all measures that take one, and says whether any does.
func (l *Loaded) hideFrom(s *Source, specs []study.Spec) (taken bool, err error) {
	for k := range specs {
		if specs[k].Set == nil {
			specs[k].Set = map[string]string{}
		}
		one, err := l.hide(s, specs[k].Measure.New().Params(), specs[k].Set)
		if taken = taken || one; err != nil {
			return taken, err
		}
	}
	return taken, nil
}

// hideAll returns the parameters that are for all techniques and measures of a comparison with the list among them, where one of these takes it.
func (l *Loaded) hideAll(s *Source, r *study.CompareRequest, shared map[string]string) (map[string]string, error) {
	var takers []param.Set
	for _, one := range r.Settings {
		takers = append(takers, one.Method.New().Params())
	}
	for _, one := range r.Measures {
		takers = append(takers, one.Measure.New().Params())
	}
	out := maps.Clone(shared)
	for _, declared := range takers {
		set := maps.Clone(shared)
		maps.DeleteFunc(set, func(name, _ string) bool { return !declared.Has(name) })
		if _, err := l.hide(s, declared, set); err != nil {
			return nil, err
		}
		if set[hidden] != "" {
			out[hidden] = set[hidden]
		}
	}
	return out, nil
}
