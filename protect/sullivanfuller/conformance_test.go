package sullivanfuller

import (
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	trials := map[string]protecttest.Options{}
	for name, set := range map[string]map[string]string{
		"defaults":   {},
		"categories": {"categories": "perturb"},
		"middle":     {"ties": "middle", "noise": "0.5"},
		"loud":       {"categories": "perturb", "noise": "100"},
	} {
		trials[name] = protecttest.Options{Joint: true, Set: set}
	}
	protecttest.Family(t, []protect.Method{Method}, protecttest.Trials{Method.Name: trials})
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"ties": "middle", "noise": "100"}})
}
