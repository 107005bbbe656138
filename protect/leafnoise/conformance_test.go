package leafnoise

import (
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

var trials = protecttest.Trials{"linfapt": both, "linnapt": both}

var both = map[string]protecttest.Options{
	"defaults": {},
	"a tree handed over": {Prepare: func(q protect.Technique, t *table.Table) {
		q.(*Technique).Tree = protecttest.Tree(t)
	}},
}

func TestConformance(t *testing.T) { protecttest.Family(t, Methods, trials) }

func FuzzPlan(f *testing.F) { protecttest.FuzzFamily(f, Methods, nil) }
