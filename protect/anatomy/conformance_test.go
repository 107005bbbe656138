package anatomy

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

var trials = map[string]protecttest.Options{
	"defaults":  {},
	"of three":  {Set: map[string]string{"column": "city", "l": "3"}},
	"of others": {Set: map[string]string{"column": "size"}},
}

func TestConformance(t *testing.T) {
	for name, opt := range trials {
		t.Run(name, func(t *testing.T) { protecttest.Run(t, Method, opt) })
	}
}

func FuzzPlan(f *testing.F) { protecttest.FuzzPlan(f, Method, protecttest.Options{}) }
