package zhuliu

import (
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
)

func TestConformance(t *testing.T) {
	protecttest.Family(t, []protect.Method{Method}, protecttest.Trials{Method.Name: {
		"uniform":   {Set: map[string]string{"family": "uniform", "privacy": "40", "gamma": "3"}},
		"whichever": {}, // is best; the search takes long
	}})
}

func FuzzPlan(f *testing.F) { protecttest.FuzzPlan(f, Method, protecttest.Options{}) }
