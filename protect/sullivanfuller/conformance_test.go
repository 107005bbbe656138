package sullivanfuller

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"default":    {},
		"categories": {"categories": "perturb"},
		"middle":     {"ties": "middle", "noise": "0.5"},
		"loud":       {"categories": "perturb", "noise": "100"},
	} {
		t.Run(name, func(t *testing.T) { protecttest.Run(t, Method, protecttest.Options{Joint: true, Set: set}) })
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"ties": "middle", "noise": "100"}})
}
