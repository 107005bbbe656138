package trial

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect/stages"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/study/search"
)

// Candidates are those that are named, with the parameters that compositions of their names have here, or all:
// techniques that hide patterns where there are some to be hidden. Of a policy with stages they are with these
// (withStages). An unknown name, or parameter, is a *judge.Usage, and so are baselines alone.
func Candidates(names []string, hiding bool, p *policy.Policy) ([]search.Candidate, error) {
	if len(names) == 0 {
		return withStages(search.Candidates(hiding), p, true)
	}
	all := append(search.Candidates(false), search.Candidates(true)...)
	var out []search.Candidate
	for _, name := range names {
		m, err := catalog.Method(strings.TrimSpace(name))
		if err != nil {
			return nil, &judge.Usage{Err: err}
		}
		some := slices.DeleteFunc(slices.Clone(all), func(c search.Candidate) bool { return c.Method.Name != m.Name })
		if len(some) == 0 { // nobody takes it up unasked
			some = []search.Candidate{search.NewCandidate(m, nil)}
		}
		out = append(out, some...)
	}
	if !slices.ContainsFunc(out, func(c search.Candidate) bool { return !c.Method.Baseline }) {
		return nil, &judge.Usage{Field: "method", Value: strings.Join(names, ","),
			Err: errors.New("a baseline is to compare others with, and not for release; name a technique besides")}
	}
	return withStages(out, p, false)
}

// withStages returns candidates with what a policy says of its stages: its composite with what it sets, added where it
// may be and is not among them. The thresholds by which a stage hides patterns are those of every candidate that hides:
// what is to be hidden at 5 % is not hidden by a candidate that goes by 10 %.
func withStages(all []search.Candidate, p *policy.Policy, add bool) ([]search.Candidate, error) {
	if p.Stages == nil {
		return all, nil
	}
	m, err := catalog.Method(p.Technique())
	if err != nil {
		return nil, &judge.Usage{Err: err}
	}
	set, declared := p.Settings(), m.New().Params()
	if err := declared.Apply(set); err != nil {
		return nil, &judge.Usage{Err: err}
	}
	same := func(c search.Candidate) bool { return c.Method.Name == m.Name }
	if add && !slices.ContainsFunc(all, same) {
		all = append(all, search.NewCandidate(m, nil))
	}
	hidden := map[string]string{} // by the name without a stage
	for _, name := range thresholds(declared) {
		if v, given := set[name]; given {
			_, of := stages.Split(name)
			hidden[of] = v
		}
	}
	for k, c := range all {
		own := maps.Clone(c.Set)
		if own == nil {
			own = map[string]string{}
		}
		for _, name := range thresholds(c.Method.New().Params()) {
			if _, of := stages.Split(name); hidden[of] != "" {
				own[name] = hidden[of]
			}
		}
		if same(c) {
			maps.Copy(own, set)
		}
		all[k] = search.NewCandidate(c.Method, own)
		all[k].Name = c.Name
	}
	return all, nil
}

// thresholds are the names of the parameters by which a technique, or its stages, say what is hidden.
func thresholds(declared param.Set) (names []string) {
	for _, list := range declared.Patterns() {
		stage, _ := stages.Split(list)
		for _, p := range declared {
			if at, of := stages.Split(p.Name); at == stage && slices.Contains(judge.Thresholds, of) {
				names = append(names, p.Name)
			}
		}
	}
	return names
}
