package rulepreservation

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/mine/forests"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// The states of the rules of random small releases are those of the definition, counted record by record.
func TestRulesWorthTwin(t *testing.T) {
	seen := map[RulesWorthState]int{}
	long.Check(t, func(r *rapid.T) {
		original := protecttest.RandomTable(r)
		order := make([]int, original.Rows())
		for i := range order {
			order[i] = rapid.IntRange(0, len(order)-1).Draw(r, "released record")
		}
		class := original.WithRole(table.Class)
		released := original.WithCat(class, original.Gather(order).Cat(class))
		if released.Cat(class)[0] < 0 {
			released = original
		}
		m := RulesWorth.New().(*RulesWorthMeter)
		m.MinLeaf = 2
		v, err := m.Measure(t.Context(), &measure.Release{Original: original, Released: released}, rng.Source{})
		want := worthTwin(t, m, original, released)
		if errors.Is(err, measure.ErrNotApplicable) && want[RulesWorthKept]+want[RulesWorthLost] == 0 {
			return
		} else if err != nil {
			r.Fatal(err)
		}
		d := v.Detail.(*RulesWorthDetail)
		for state, n := range map[RulesWorthState]int{
			RulesWorthKept: d.Kept, RulesWorthLost: d.Lost, RulesWorthNew: d.New, Hidden: d.Hidden,
		} {
			seen[state] += n
			if want[state] != n {
				r.Fatalf("%d rules are %s, expected %d", n, state, want[state])
			}
		}
	})
	long.Drawn(t, seen[RulesWorthKept] > 0 && seen[RulesWorthLost] > 0 && seen[RulesWorthNew] > 0,
		"the tables have no rule of some state: %v", seen)
}

// worthTwin counts the rules by state.
func worthTwin(t *testing.T, m *RulesWorthMeter, original, released *table.Table) map[RulesWorthState]int {
	out := map[RulesWorthState]int{}
	rules := func(tab *table.Table) (all, worth []forests.Rule) {
		f, err := m.Grow(t.Context(), tab, tab.WithRole(table.Class))
		must.NoError(t, err)
		if all, err = forests.Rules(t.Context(), f, tab); err != nil {
			t.Fatal(err)
		}
		return all, forests.Worth(all, forests.Bars(all, len(f.ClassLabels())))
	}
	all, owners := rules(original)
	_, others := rules(released)
	holds := func(r *forests.Rule, tab *table.Table) bool {
		accuracy, coverage, n := 0.0, 0.0, 0.0
		for _, o := range all {
			if o.Then == r.Then {
				accuracy, coverage, n = accuracy+o.Accuracy(), coverage+o.Coverage(), n+1
			}
		}
		covered, right, records := 0.0, 0.0, 0.0
		for i, c := range tab.Cat(tab.WithRole(table.Class)) {
			if c < 0 {
				continue
			}
			records++
			if r.Covers(tab, i) {
				covered++
				if c == r.Then {
					right++
				}
			}
		}
		if covered == 0 {
			return false
		}
		return n > 0 && right/covered > accuracy/n-1e-7 && covered/records > coverage/n-1e-7 ||
			right/covered >= r.Accuracy()-0.05 && covered/records >= 0.8*r.Coverage()
	}
	for _, r := range owners {
		if holds(&r, released) {
			out[RulesWorthKept]++
		} else {
			out[RulesWorthLost]++
		}
	}
	for _, r := range others {
		if !holds(&r, original) {
			out[RulesWorthNew]++
		}
	}
	return out
}
