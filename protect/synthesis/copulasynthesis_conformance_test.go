package synthesis

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestCopulaConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{"new records": nil, "of many each": {"common": "20"}} {
		t.Run(name, func(t *testing.T) {
			protecttest.Run(t, Copula, protecttest.Options{Set: set, Joint: true, Gaps: true})
		})
	}
}

func FuzzCopulaPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Copula, protecttest.Options{Joint: true, Gaps: true})
}
