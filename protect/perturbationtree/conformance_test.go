package perturbationtree

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"microaggregate":      {"inside": "microaggregate", "leafMax": "60", "blockMax": "30"},
		"microaggregate each": {"inside": "microaggregate", "leafMax": "60", "blockMax": "30", "partition": "each", "grid": "finer"},
		"swap":                {"inside": "swap", "except": "age"},
		"swap median":         {"inside": "swap", "split": "median", "ties": "coin", "leafMax": "20", "leafMin": "3"},
	} {
		t.Run(name, func(t *testing.T) {
			protecttest.Run(t, Method, protecttest.Options{Set: set, Joint: set["partition"] != Each})
		})
	}
	for name, set := range map[string]map[string]string{
		"mean":   {},
		"median": {"split": "median", "ties": "coin", "leafMax": "20", "leafMin": "3", "grid": "finer"},
		"each":   {"partition": "each", "except": "age"},
	} {
		t.Run(name, func(t *testing.T) { protecttest.Run(t, Method, protecttest.Options{Set: set, Drawless: true}) })
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"leafMax": "40", "blockMax": "20"}})
}
