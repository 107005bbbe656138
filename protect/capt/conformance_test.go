package capt

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) { protecttest.Run(t, Method, protecttest.Options{}) }

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method,
		protecttest.Options{Set: map[string]string{"siblings": "proportional", "minLeaf": "20"}})
}
