package extframework

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"defaults": nil,
		"egadp":    {"technique": "egadp", "small": "noise", "influential": "paper", "minLeaf": "5"},
		"gadp":     {"technique": "gadp", "outside": "redraw", "classTechnique": "ppt", "minLeaf": "8"},
	} {
		t.Run(name, func(t *testing.T) { protecttest.Run(t, Method, protecttest.Options{Joint: true, Set: set}) })
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"classTechnique": "ppt", "except": "age"}})
}
