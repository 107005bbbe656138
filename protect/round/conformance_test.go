package round

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"nearest": {"how": "nearest"},
		"random":  {"how": "random"},
		"given":   {"how": "random", "bases": "age=50,income=1000,temperature=0.3,ratio=0.25"},
		"base":    {"base": "10", "except": "score"},
	} {
		t.Run(name, func(t *testing.T) {
			protecttest.Run(t, Method, protecttest.Options{Set: set, Drawless: set["how"] != "random"})
		})
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"bases": "age=50,ratio=0.25"}})
}
