package randomisedresponse

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

var trials = protecttest.Trials{
	"warner": {
		"all":       {},
		"the class": {Set: map[string]string{"columns": "city,risk,size", "except": "size", "p": "0.3"}},
	},
	"mrr": {
		"defaults": {},
		"theta":    {Set: map[string]string{"theta": "0.2"}},
		"groups":   {Set: map[string]string{"groups": "sex=0.6"}},
	},
	"pram": {
		"uniform":   {},
		"ordinal":   {Set: map[string]string{"decay": "0.3", "keep": "0.4", "except": "city"}},
		"invariant": {Set: map[string]string{"invariant": "true", "alpha": "0.9", "keep": "0.3"}},
		"crossed": {Joint: true, Set: map[string]string{
			"cross": "size+city", "keep": "0.3", "matrices": "sex=0.8 0.2/0.3 0.7",
		}},
		"both": {Joint: true, Set: map[string]string{
			"cross": "size+city", "invariant": "true", "matrices": "size+city=0.1",
		}},
		"class": {Set: map[string]string{"role": "class", "keep": "0.5"}},
	},
	"frapp": {
		"all":    {Joint: true, Set: map[string]string{"gamma": "1000"}},
		"spread": {Joint: true, Set: map[string]string{"gamma": "50", "spread": "0.5", "columns": "city, sex"}},
	},
}

func TestConformance(t *testing.T) { protecttest.Family(t, Methods, trials) }

func FuzzPlan(f *testing.F) { protecttest.FuzzFamily(f, Methods, trials) }
