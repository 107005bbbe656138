package extframework

import (
	"os"
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

// The variants take four times as long as the defaults, most of it for the laws of their noise, so they are held to the suite in a long
// test; their twins, moments and correlations are checked in each.
func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"defaults": nil,
		"egadp":    {"technique": "egadp", "small": "noise", "influential": "paper", "minLeaf": "5"},
		"gadp":     {"technique": "gadp", "outside": "redraw", "classTechnique": "ppt", "minLeaf": "8"},
	} {
		if set != nil && os.Getenv("DITHER_LONG") == "" {
			continue
		}
		t.Run(name, func(t *testing.T) { protecttest.Run(t, Method, protecttest.Options{Joint: true, Set: set}) })
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"classTechnique": "ppt", "except": "age"}})
}
