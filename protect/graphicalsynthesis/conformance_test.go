package graphicalsynthesis

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for _, m := range Methods {
		t.Run(m.Name, func(t *testing.T) {
			opt := protecttest.Options{Joint: true, Gaps: true}
			if m.Name != "bayesiannetwork" {
				opt.Set = map[string]string{"public": "true", "domains": "observed", "bins": "5"}
			}
			protecttest.Run(t, m, opt)
			if m.Name == "mst" {
				opt.Set = map[string]string{"public": "true", "domains": "bought", "bins": "5", "epsilon": "50", "delta": "0.01"}
				protecttest.Run(t, m, opt)
			}
		})
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Methods[0], protecttest.Options{Joint: true, Gaps: true,
		Set: map[string]string{"public": "true", "domains": "observed"}})
}
