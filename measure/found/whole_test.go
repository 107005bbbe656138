package found

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// homes is a release of so many units of four records, whose weight is one for each unit: who knows all records of one
// finds it, which somebody who knows a single record does not.
func homes(units int) *measure.Release { return moved(units, 3) }

// moved is homes with noise of so many standard deviations of 1.
func moved(units int, noise float64) *measure.Release {
	r := rand.New(rand.NewPCG(1, 2))
	ids := map[table.RecordID]int32{}
	var weight, a, other []float64
	for u := range units {
		for range 4 {
			weight, a = append(weight, float64(u)), append(a, float64(r.IntN(50)))
			other = append(other, a[len(a)-1]+math.Round(noise*r.NormFloat64()))
		}
	}
	tab := tabletest.Must(table.NumColumn("w", 1, weight), table.NumColumn("a", 1, a), table.NumColumn("b", 1, a))
	for i := range weight {
		ids[tab.ID(i)] = int32(i / 4)
	}
	return &measure.Release{Original: tab, Released: tab.WithNum(1, other).WithNum(2, other), Paired: true,
		Intruder: &intruder.Intruder{Name: "x", Knows: []string{"a", "b"}, Secret: []string{}},
		Owners:   measure.Owners{Persons: map[string]map[table.RecordID]int32{"home": ids}, Person: "home"}}
}

// TestWholeUnitsWithinBudget: what is left of an attack on whole units without each column is tried where the
// comparisons last for it, and takes about as many as there are at most; else it is said that it was not tried, and no
// list of another attack stands in its place. The figure is that of the same people.
func TestWholeUnitsWithinBudget(t *testing.T) {
	r := homes(300)
	tried := map[bool]int{}
	for _, pairs := range []int{300_000_000, 30_000_000, 3_000_000, 1_000_000, 300_000} {
		m := Measure.New().(*Meter)
		m.Pairs = pairs
		v := must.Get(m.Measure(t.Context(), r, rng.New([32]byte{1})))(t)
		a := v.Detail.(*Detail).Attacked
		if len(a.Groups) == 0 {
			t.Fatalf("of %d pairs whole units are not the best: %+v", pairs, a)
		}
		untried := slices.ContainsFunc(v.Notes, func(n message.Sentence) bool {
			return n.Key() == "measure.found.note.untried"
		})
		if untried == (a.Without != nil) {
			t.Errorf("%d pairs: untried is %v, and left is %+v", pairs, untried, a.Without)
		}
		if !untried && len(a.Without) != len(a.Knows)+len(a.Groups) {
			t.Errorf("%d pairs: %+v without the columns %v and %v", pairs, a.Without, a.Knows, a.Groups)
		}
		tried[!untried]++
	}
	if tried[true] == 0 || tried[false] == 0 {
		t.Errorf("%d budgets last and %d do not: nothing is shown", tried[true], tried[false])
	}
}

// TestNobodyForSure: the share of whom an attack on whole units is sure is that of looking through all groups for
// everybody who is claimed, also where it is not looked for, since no credit is large enough.
func TestNobodyForSure(t *testing.T) {
	ways := map[bool]int{}
	for _, noise := range []float64{0, 1, 4, 8, 12, 16, 24, 40} {
		r := moved(60, noise)
		s := must.Get(Measure.New().(*Meter).study(r, rng.New([32]byte{2}), 2000))(t)
		must.Get(s.attack(t.Context()))(t)
		if s.whole == nil {
			continue
		}
		got := must.Get(s.whole.sure(t.Context()))(t)
		claims, _, err := s.whole.claims(t.Context(), leastSure, true, wholeClaiming)
		must.NoError(t, err)
		if want := claims.Sure(falsehood); got != want {
			t.Errorf("noise of %v: sure of %v, by looking at all groups of %v", noise, got, want)
		}
		ways[s.whole.most < 1-falsehood]++
	}
	if ways[true] == 0 || ways[false] == 0 {
		t.Errorf("%d attacks look for whom they are sure of, and %d need not: nothing is shown", ways[false], ways[true])
	}
}
