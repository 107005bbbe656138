package leafnoise_test

import (
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/leafnoise"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

var trials = protecttest.Trials{"linfapt": both, "linnapt": both}

var both = map[string]protecttest.Options{
	"defaults":                  {},
	"uniform noise with a mean": {Set: map[string]string{"noise": "uniform", "mean": "-12.5", "spread": "20"}},
	"Laplace noise":             {Set: map[string]string{"noise": "laplace", "spread": "8"}},
	"a mean alone":              {Set: map[string]string{"mean": "50"}},
	"a tree handed over": {Prepare: func(q protect.Technique, t *table.Table) {
		q.(*leafnoise.Technique).Tree = protecttest.Tree(t)
	}},
}

func TestConformance(t *testing.T) { protecttest.Family(t, leafnoise.Methods, trials) }

func FuzzPlan(f *testing.F) { protecttest.FuzzFamily(f, leafnoise.Methods, nil) }
