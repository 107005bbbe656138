package romm

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) { protecttest.Run(t, Method, protecttest.Options{Joint: true}) }

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method,
		protecttest.Options{Set: map[string]string{"given": "risk", "lambda": "0.5", "except": "age"}})
}

func TestConformanceWithOthers(t *testing.T) {
	protecttest.Run(
		t,
		Method,
		protecttest.Options{Joint: true, Set: map[string]string{"lambda": "0.05", "except": "age,hours", "outside": "clip"}},
	)
	protecttest.Run(t, Method, protecttest.Options{Joint: true, Set: map[string]string{"given": "sex,risk,weight"}})
}
