package publicnoise

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

var trials = protecttest.Trials{
	"agrawalsrikant": {
		"normal":  {},
		"uniform": {Set: map[string]string{"noise": "uniform", "privacy": "100"}},
		"classes": {Set: map[string]string{"noise": "classes", "privacy": "20"}, Drawless: true},
	},
	"epsilongaussian": {
		"default": {},
		"wide":    {Set: map[string]string{"epsilon": "60", "sigma": "20"}},
		"plain":   {Set: map[string]string{"epsilon": "0"}},
	},
}

func TestConformance(t *testing.T) { protecttest.Family(t, Methods, trials) }

func FuzzPlan(f *testing.F) { protecttest.FuzzFamily(f, Methods, trials) }
