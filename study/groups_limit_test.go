package study

import (
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
)

// A limit on groups of records, such as k, is held against intruders whom limits bind, no matter who set it: a
// threshold of a policy and a file of limits have one answer. A threshold on anything else holds against everybody.
func TestLimitsOnGroupsLeaveOutWhoKnowsEverything(t *testing.T) {
	k := 5.0
	for _, declared := range []bool{false, true} {
		for _, groups := range []bool{false, true} {
			of := func(who string, score float64) Measured {
				return Measured{Card: card.Card{Name: "kanonymity"}, Facts: measure.Facts{Groups: groups}, Intruder: who,
					Value: measure.Value{Score: score, Lo: score, Hi: score}}
			}
			o := &Outcome{Measures: []Measured{of("quasi", 5), of("all", 1)}}
			v := Judge(o, Evidence{Binding: []string{"quasi"}, Limits: &limit.Set{Name: "house",
				Limits: []limit.Limit{{Measure: "kanonymity", Min: &k, Declared: declared}}}})
			want := Meets
			switch {
			case groups:
			case declared:
				want = Withheld
			default:
				want = WithCare
			}
			if v.State != want {
				t.Errorf("declared %v, groups %v: %s, want %s: %+v", declared, groups, v.State, want, v.Reasons)
			}
		}
	}
}
