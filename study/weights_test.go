package study

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study/studytest"
	"github.com/dither-data/dither/table"
)

// TestRoundWeights: at least so many units share a weight, the total is that of the original to a step, a household has
// one weight, and what withheld the release no longer does.
func TestRoundWeights(t *testing.T) {
	tab, household := weighted(101)
	m := must.Get(catalog.Method("sadp"))(t)
	w := tab.Find("weight")
	for _, least := range []int{0, 2, 5, 101} {
		p := must.Get(Protect(t.Context(),
			Request{KeepOrder: true, Table: tab, Method: m, Seed: rng.SeedOf([32]byte{1}), RoundWeights: least}))(t)
		is := p.Released.Num(p.Released.Find("weight"))
		was, now, holders := 0., 0., map[float64]map[int32]bool{}
		for i, v := range is {
			was, now = was+tab.Num(w)[i], now+v
			if holders[v] == nil {
				holders[v] = map[int32]bool{}
			}
			holders[v][household[i]] = true
		}
		for v, homes := range holders {
			if len(homes) < least {
				t.Errorf("round-weights %d: %v is that of %d households", least, v, len(homes))
			}
		}
		if n := len(holders); least > 0 && n != 101/least {
			t.Errorf("round-weights %d: %d weights, so they are coarser than they need be", least, n)
		}
		if step := tab.Attr(w).Step; math.Abs(now-was) > step*float64(len(is)) {
			t.Errorf("round-weights %d: the total is %v, was %v", least, now, was)
		} else if least > 0 && least < 101 && math.Abs(now-was) > step*20 {
			t.Errorf("round-weights %d: errors of rounding add up to %v", least, now-was)
		}
		if n := studytest.Differ(p.Released.Column(p.Released.Find("weight")), household); n > 0 {
			t.Errorf("round-weights %d: %d households have several weights", least, n)
		}
		changes := slices.DeleteFunc(slices.Clone(p.Changes), func(c Change) bool { return c.Column != "weight" })
		if kind := changes[0].Action.Kind; (kind == Rounded) != (least > 0) {
			t.Errorf("round-weights %d: the weight was %s", least, kind)
		}
		v := Judge(&Outcome{Original: p.Matched, Released: p.Released, Homes: household, Changes: changes},
			Evidence{Limits: &limit.Set{Name: "some"}, Telling: []Identifying{}})
		for _, d := range v.Demands {
			if d.Measure == limit.UnitKey && (d.Standing == Broke) != (least == 0) {
				t.Errorf("round-weights %d: %v, %s", least, d.Standing, d.said)
			}
		}
	}
	for _, least := range []int{-1, 1, 102} {
		if _, err := Protect(t.Context(),
			Request{Table: tab, Method: m, Seed: rng.SeedOf([32]byte{1}), RoundWeights: least}); err == nil {
			t.Errorf("round-weights %d of 101 households: no error", least)
		}
	}
	none := tab.Select(1, 2, 3, 4, 5, 6, 7, 8, 9)
	if _, err := Protect(t.Context(),
		Request{Table: none, Method: m, Seed: rng.SeedOf([32]byte{1}), RoundWeights: 5}); err == nil {
		t.Error("no weight: no error")
	}
}

// TestSharedWeights: where weights differ in every record, records share them; what is missing stays so.
func TestSharedWeights(t *testing.T) {
	c := table.NumColumn("w", 1, []float64{5, 1, math.NaN(), 2, 9, 7, 3})
	got := must.Get(shared(&c, nil, 2))(t)
	sum := 0.
	for i, v := range got {
		if (v != v) != (i == 2) {
			t.Errorf("record %d: %v", i, v)
		}
		if v == v {
			sum += v
		}
	}
	if sum < 26 || sum > 28 || got[1] != got[3] || got[0] != got[6] || got[4] != got[5] {
		t.Errorf("%v, in all %v", got, sum)
	}
}
