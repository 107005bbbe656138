package sensitiverules

import (
	"testing"

	"github.com/dither-data/dither/measure/measuretest"
)

func TestConformance(t *testing.T) {
	measuretest.Family(t, Measures, measuretest.With(map[string]string{
		"sensitive": "city=north=>job=nurse;good=yes=>job=clerk",
	}))
}

func TestConformanceOfTrees(t *testing.T) {
	measuretest.Family(t, Measures, measuretest.With(map[string]string{"rules": "tree"}))
}
