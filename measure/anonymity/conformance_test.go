package anonymity

import (
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
)

func TestConformance(t *testing.T) {
	trials := measuretest.Trials{
		"kmanonymity": {
			"defaults": {measuretest.AnyIdentical(), measuretest.Given(func(r *measure.Release) {
				r.Original, r.Released, r.Holdout = sold(r.Original), sold(r.Released), sold(r.Holdout)
			})},
		},
		// how many of the suite's people are special uniques is not known beforehand
		"suda":       {"defaults": {measuretest.AnyIdentical()}},
		"uniqueness": {"defaults": nil},
	}
	for _, m := range Measures {
		if trials[m.Name] == nil {
			trials[m.Name] = map[string][]measuretest.Option{"defaults": {measuretest.Lacking()}}
		}
	}
	measuretest.FamilyTrials(t, Measures, trials)
}
