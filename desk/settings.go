package desk

import (
	"fmt"
	"maps"
	"slices"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/text/yamlfile"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
)

// settingsOf returns the parameters of measures that a policy gives, by the names of the catalogue. The error has its
// place in the file where the file says what is wrong.
func settingsOf(pol *policy.Policy) (map[string]map[string]string, error) {
	out := map[string]map[string]string{}
	given := pol.MeasureSettings()
	for _, name := range slices.Sorted(maps.Keys(given)) {
		m, err := catalog.Measure(name)
		if err == nil {
			if out[m.Name] == nil {
				out[m.Name] = map[string]string{}
			}
			maps.Copy(out[m.Name], given[name])
			if err = judge.Settle(m.New().Params(), out[m.Name]); err != nil {
				err = fmt.Errorf("%s: %w", name, err)
			}
		}
		if err != nil {
			return nil, pol.Place(yamlfile.Pointer("/measures", name), usage(err))
		}
	}
	return out, nil
}

// measures are the measures that are asked for, with their parameters. The caller sets those of measures that are
// taken; what a policy file sets of others is for another time.
func (p *posed) measures() ([]study.Spec, error) {
	said := map[string]string{}
	for name, set := range p.q.Said.MeasureSettings() {
		for par, value := range set {
			said[name+"."+par] = value
		}
	}
	specs, err := judge.SpecsOf(p.as.measures, said)
	if err != nil {
		return nil, err
	}
	all, err := settingsOf(p.in.pol)
	for k := range specs {
		set := maps.Clone(all[specs[k].Measure.Name])
		if set == nil {
			set = map[string]string{}
		}
		maps.Copy(set, specs[k].Set)
		specs[k].Set = set
	}
	return specs, err
}
