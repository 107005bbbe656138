package randomextframework

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"defaults":          nil,
		"gadp without alpt": {"classTechnique": "keep", "outside": "redraw"},
	} {
		t.Run(name, func(t *testing.T) { protecttest.Run(t, Method, protecttest.Options{Joint: true, Set: set}) })
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"outside": "redraw", "except": "age"}})
}
