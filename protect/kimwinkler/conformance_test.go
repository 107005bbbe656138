package kimwinkler

import (
	"testing"

	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"default":        nil,
		"clip, all swap": {"keys": "sex", "outside": fence.OutsideClip, "target": "0", "smallest": "3"},
		"redraw":         {"keys": "size,sex", "outside": fence.OutsideRedraw, "noise": "0.5", "bins": "1"},
		"no totals":      {"totals": "false"},
	} {
		t.Run(name, func(t *testing.T) { protecttest.Run(t, Method, protecttest.Options{Joint: true, Set: set}) })
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method,
		protecttest.Options{Set: map[string]string{"keys": "sex", "smallest": "3", "target": "0"}})
}
