package pram

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"uniform":   nil,
		"ordinal":   {"decay": "0.3", "keep": "0.4", "except": "city"},
		"invariant": {"invariant": "true", "alpha": "0.9", "keep": "0.3"},
		"crossed":   {"cross": "size+city", "keep": "0.3", "matrices": "sex=0.8 0.2/0.3 0.7"},
		"both":      {"cross": "size+city", "invariant": "true", "matrices": "size+city=0.1"},
		"class":     {"role": "class", "keep": "0.5"},
	} {
		t.Run(name, func(t *testing.T) {
			protecttest.Run(t, Method, protecttest.Options{Set: set, Joint: set["cross"] != ""})
		})
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"cross": "sex+size"}})
}
