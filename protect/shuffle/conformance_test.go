package shuffle

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	protecttest.Run(t, Method, protecttest.Options{Joint: true})
	protecttest.Run(t, Method, protecttest.Options{Joint: true, Set: map[string]string{"security": "0.6"}})
	protecttest.Run(t, Method, protecttest.Options{Joint: true, Set: map[string]string{"given": "city,risk,weight"}})
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"security": "0.5", "except": "age"}})
}
