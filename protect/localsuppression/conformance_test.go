package localsuppression

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"defaults": {},
		"value":    {"keys": "age,city,sex,size", "k": "4", "importance": "sex=5,age=0.5"},
		"any":      {"keys": "age,city,sex,size", "missing": "any", "importance": "age=2"},
	} {
		t.Run(name, func(t *testing.T) {
			protecttest.Run(t, Method, protecttest.Options{Set: set, Suppresses: true, Drawless: true})
		})
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"keys": "age,sex,city"}, Suppresses: true})
}
