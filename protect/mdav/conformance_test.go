package mdav

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"defaults":    {},
		"categorical": {"categorical": "true", "k": "5"},
		"columns":     {"columns": "income,hours,city,size", "by": "age,income,sex", "grid": "finer"},
		"blocks":      {"block": "50", "except": "age"},
	} {
		t.Run(name, func(t *testing.T) {
			protecttest.Run(t, Method, protecttest.Options{Set: set, Drawless: true, Alike: protecttest.EachColumn})
		})
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"columns": "age,city", "by": "sex,ratio"}})
}
