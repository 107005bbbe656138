package kmanonymise

import (
	"errors"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// promised counts all sets of up to m items of every column that is protected.
func promised(p protect.Plan, _, release *table.Table) error {
	q := p.(*Plan)
	for _, j := range q.Columns {
		if len(release.Sets(j).Unknown.All()) > 0 {
			return errors.New("an item is in doubt")
		}
		for _, n := range counts(release.Sets(j), q.M) {
			if n < q.K {
				return errors.New("a set of known items is in fewer than k records")
			}
		}
	}
	return nil
}

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"defaults": nil, "global": {"columns": "purchases", "suppress": "global", "m": "3", "k": "12"},
		"local": {"m": "4", "k": "9"},
	} {
		t.Run(name, func(t *testing.T) {
			protecttest.Run(t, Method,
				protecttest.Options{Set: set, Baskets: true, Drawless: true, Suppresses: true, Holds: promised, Alike: having})
		})
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Baskets: true, Drawless: true, Suppresses: true, Holds: promised})
}
