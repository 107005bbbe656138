package kanonymise

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	few := "age,city,sex,size,hours"
	for name, set := range map[string]map[string]string{
		"lattice": {"columns": few},
		"diversity": {"columns": few, "l": "2", "diversity": "entropy", "t": "0.5", "sensitive": "score,risk",
			"suppression": "0.2"},
		"precision": {"columns": few, "loss": "precision", "suppression": "0.1", "k": "3"},
		"local":     {"columns": few, "local": "true", "suppression": "0.1", "l": "2", "sensitive": "risk"},
		"genetic":   {"columns": few, "search": "genetic", "iterations": "200", "population": "20", "suppression": "0.2"},
		"purity": {"columns": few, "search": "genetic", "iterations": "200", "population": "20", "loss": "cm", "l": "2",
			"sensitive": "risk", "suppression": "0.2"},
		"mondrian": {"search": "mondrian", "suppression": "0.1"},
		"regions":  {"search": "mondrian", "columns": few, "l": "2", "sensitive": "risk", "t": "0.4"},
	} {
		t.Run(name, func(t *testing.T) {
			protecttest.Run(t, Method, protecttest.Options{Set: set, Suppresses: true, Drawless: true, Holds: large})
		})
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(
		f,
		Method,
		protecttest.Options{
			Set:        map[string]string{"suppression": "0.9", "l": "2", "sensitive": "risk"},
			Suppresses: true,
			Holds:      large,
		},
	)
}
