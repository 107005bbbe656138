package hidingeffects

import (
	"testing"

	"github.com/dither-data/dither/measure/measuretest"
)

var (
	sensitive = measuretest.With(map[string]string{"sensitive": "job=nurse;city=north,good=yes=>job=nurse"})
	rules     = measuretest.With(map[string]string{"sensitive": "city=north=>job=nurse;good=yes=>job=clerk"})
	ofTree    = measuretest.With(map[string]string{"rules": "tree"})
)

func TestConformance(t *testing.T) {
	measuretest.FamilyTrials(t, Measures, measuretest.Trials{
		"hidingfailure":       {"listed": {sensitive, measuretest.Identical(1)}},
		"artifactualpatterns": {"listed": {sensitive}},
		"missescost":          {"listed": {sensitive}},
		"optimum": {"listed": {measuretest.With(map[string]string{
			"sensitive": "job=nurse;city=north,good=yes=>job=nurse", "nodes": "1000",
		})}},
		"jmeasure":       {"listed": {rules}, "of a tree": {ofTree}},
		"levelofprivacy": {"listed": {rules}, "of a tree": {ofTree}},
	})
}
