package mdav

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

var trials = protecttest.Trials{
	"mdav": {
		"defaults":    grouped(nil),
		"categorical": grouped(map[string]string{"categorical": "true", "k": "5"}),
		"columns":     grouped(columns),
		"blocks":      grouped(map[string]string{"block": "50", "except": "age"}),
	},
	"vmdav": {
		"defaults":    grouped(nil),
		"categorical": grouped(map[string]string{"categorical": "true", "k": "5", "gamma": "1.1"}),
		"columns":     grouped(columns),
		"blocks":      grouped(map[string]string{"block": "50", "except": "age"}),
	},
}

var columns = map[string]string{"columns": "income,hours,city,size", "by": "age,income,sex", "grid": "finer"}

func grouped(set map[string]string) protecttest.Options {
	return protecttest.Options{Set: set, Drawless: true, Alike: protecttest.EachColumn}
}

func TestConformance(t *testing.T) { protecttest.Family(t, Methods, trials) }

func FuzzPlan(f *testing.F) { protecttest.FuzzFamily(f, Methods, trials) }
