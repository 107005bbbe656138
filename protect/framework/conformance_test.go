package framework

import (
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/protect/protecttest"
)

var trials = protecttest.Trials{
	"extframework": {"defaults": {Joint: true}},
	"randomextframework": {
		"defaults":          {Joint: true},
		"gadp without alpt": {Joint: true, Set: map[string]string{"classTechnique": "keep", "outside": "redraw"}},
	},
}

// The variants of the Extended Framework take four times as long as the defaults, most of it for the noise models, so
// they are held to the suite in a long test; their twins, moments and correlations are checked in each.
func TestConformance(t *testing.T) {
	if !long.Enabled() {
		protecttest.Family(t, Methods, trials)
		return
	}
	trials["extframework"]["egadp"] = protecttest.Options{Joint: true, Set: map[string]string{
		"technique": "egadp", "small": "noise", "influential": "paper", "minLeaf": "5",
	}}
	trials["extframework"]["gadp"] = protecttest.Options{Joint: true, Set: map[string]string{
		"technique": "gadp", "outside": "redraw", "classTechnique": "ppt", "minLeaf": "8",
	}}
	protecttest.Family(t, Methods, trials)
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzFamily(f, Methods, protecttest.Trials{
		"framework":          {"ppt": {Set: map[string]string{"classTechnique": "ppt", "minLeaf": "20"}}},
		"extframework":       {"ppt": {Set: map[string]string{"classTechnique": "ppt", "except": "age"}}},
		"randomextframework": {"redraw": {Set: map[string]string{"outside": "redraw", "except": "age"}}},
	})
}
