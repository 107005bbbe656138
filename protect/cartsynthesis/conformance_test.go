package cartsynthesis_test

import (
	"testing"

	"github.com/dither-data/dither/protect/cartsynthesis"
	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"new records":        nil,
		"in the given order": {"order": "given", "leaf": "5"},
		"some columns":       {"except": "age,size"},
	} {
		t.Run(name, func(t *testing.T) {
			protecttest.Run(t, cartsynthesis.Method, protecttest.Options{Set: set, Joint: true, Gaps: true})
		})
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, cartsynthesis.Method, protecttest.Options{Joint: true, Gaps: true})
}
