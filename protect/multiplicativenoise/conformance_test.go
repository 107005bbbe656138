package multiplicativenoise

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"scheme 1":        {},
		"scheme 1 wide":   {"spread": "0.5", "outside": "redraw"},
		"scheme 2":        {"scheme": "2"},
		"scheme 2 clip":   {"scheme": "2", "c": "0.5", "outside": "clip"},
		"scheme 2 redraw": {"scheme": "2", "c": "1", "outside": "redraw", "keepMean": "false"},
	} {
		t.Run(name, func(t *testing.T) {
			protecttest.Run(t, Method, protecttest.Options{Set: set, Joint: set["scheme"] == "2"})
		})
	}
}

func FuzzPlan(f *testing.F) { protecttest.FuzzPlan(f, Method, protecttest.Options{}) }
