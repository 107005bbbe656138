package classnoise

import (
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

var trials = protecttest.Trials{
	"rpt":  both(func(q protect.Technique) *leafwise.Leaves { return &q.(*RPTTechnique).Leaves }),
	"ppt":  both(func(q protect.Technique) *leafwise.Leaves { return &q.(*PPTTechnique).Leaves }),
	"alpt": both(func(q protect.Technique) *leafwise.Leaves { return &q.(*ALPTTechnique).Leaves }),
}

func both(leaves func(protect.Technique) *leafwise.Leaves) map[string]protecttest.Options {
	return map[string]protecttest.Options{
		"defaults": {},
		"a tree handed over": {Prepare: func(q protect.Technique, t *table.Table) {
			leaves(q).Tree = protecttest.Tree(t)
		}},
	}
}

func TestConformance(t *testing.T) { protecttest.Family(t, Methods, trials) }

func FuzzPlan(f *testing.F) { protecttest.FuzzFamily(f, Methods, nil) }
