package synthesis_test

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/synthesis"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"new records":        nil,
		"in the given order": {"order": "given", "leaf": "5"},
		"some columns":       {"except": "age,size"},
	} {
		t.Run(name, func(t *testing.T) {
			protecttest.Run(t, synthesis.CART, protecttest.Options{Set: set, Joint: true, Gaps: true})
		})
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, synthesis.CART, protecttest.Options{Joint: true, Gaps: true})
}
