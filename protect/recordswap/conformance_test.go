package recordswap

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"defaults":        {},
		"several columns": {"swap": "city,hours", "keys": "age,sex", "similar": "sex,size", "rate": "0.4", "k": "5"},
		"random":          {"swap": "city", "k": "1", "rate": "1"},
	} {
		t.Run(name, func(t *testing.T) {
			protecttest.Run(t, Method, protecttest.Options{Set: set, Joint: name == "several columns"})
		})
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"swap": "city,age", "similar": "sex", "rate": "1"}})
}
