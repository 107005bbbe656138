package agrawalsrikant

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"normal": nil, "uniform": {"noise": "uniform", "privacy": "100"}, "classes": {"noise": "classes", "privacy": "20"},
	} {
		t.Run(name, func(t *testing.T) {
			protecttest.Run(t, Method, protecttest.Options{Set: set, Drawless: set["noise"] == "classes"})
		})
	}
}

func FuzzPlan(f *testing.F) { protecttest.FuzzPlan(f, Method, protecttest.Options{}) }
