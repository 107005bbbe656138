package hide2b

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"defaults": {"sensitive": "sex=a,city=c;city=b,sex=b=>size=L", "support": "0.02"},
		"values":   {"sensitive": "sex=a,city=c;city=b,sex=b=>size=L", "support": "0.02", "deleted": "value"},
	} {
		t.Run(name, func(t *testing.T) {
			protecttest.Run(t, Method, protecttest.Options{Set: set, Drawless: true, Suppresses: true})
		})
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"sensitive": "sex=a,city=c;city=b,sex=b=>size=L", "support": "0.02"}, Drawless: true, Suppresses: true})
}
