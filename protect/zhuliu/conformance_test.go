package zhuliu

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"best": nil, "uniform": {"family": "uniform", "privacy": "40", "gamma": "3"},
	} {
		t.Run(name, func(t *testing.T) {
			protecttest.Run(t, Method, protecttest.Options{Set: set})
		})
	}
}

func FuzzPlan(f *testing.F) { protecttest.FuzzPlan(f, Method, protecttest.Options{}) }
