package rulesworth

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/mine/forex"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// The states of the rules of random small releases are those of the definition, counted record by record.
func TestTwin(t *testing.T) {
	seen := map[State]int{}
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
		m := Measure.New().(*Meter)
		m.MinLeaf = 2
		v, err := m.Measure(t.Context(), &measure.Release{Original: original, Released: released}, rng.Source{})
		want := twin(t, m, original, released)
		if errors.Is(err, measure.ErrNotApplicable) && want[Kept]+want[Lost] == 0 {
			return
		} else if err != nil {
			r.Fatal(err)
		}
		d := v.Detail.(*Detail)
		for state, n := range map[State]int{Kept: d.Kept, Lost: d.Lost, New: d.New, Hidden: d.Hidden} {
			seen[state] += n
			if want[state] != n {
				r.Fatalf("%d rules are %s, expected %d", n, state, want[state])
			}
		}
	})
	if seen[Kept] == 0 || seen[Lost] == 0 || seen[New] == 0 {
		t.Errorf("the tables have no rule of some state: %v", seen)
	}
}

// twin counts the rules by state.
func twin(t *testing.T, m *Meter, original, released *table.Table) map[State]int {
	out := map[State]int{}
	rules := func(tab *table.Table) (all, worth []forex.Rule) {
		f, err := m.Grow(t.Context(), tab, tab.WithRole(table.Class))
		if err != nil {
			t.Fatal(err)
		}
		if all, err = forex.Rules(t.Context(), f, tab); err != nil {
			t.Fatal(err)
		}
		return all, forex.Worth(all, forex.Bars(all, len(f.ClassLabels())))
	}
	all, owners := rules(original)
	_, others := rules(released)
	holds := func(r *forex.Rule, tab *table.Table) bool {
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
			out[Kept]++
		} else {
			out[Lost]++
		}
	}
	for _, r := range others {
		if !holds(&r, original) {
			out[New]++
		}
	}
	return out
}
