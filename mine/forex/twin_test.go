package forex

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// The rules of random small tables are those of the paper's three sets, found record by record and rule by rule.
func TestTwin(t *testing.T) {
	shown := 0
	rapid.Check(t, func(r *rapid.T) {
		tab := protecttest.RandomTable(r)
		l := New()
		l.MinLeaf, l.Trees = 2, 4
		m, err := l.Fit(t.Context(), tab, rng.Source{})
		if err != nil {
			r.Fatal(err)
		}
		model := m.(*Model)
		var got []string
		for k := range model.Rules {
			s := model.Rules[k]
			got = append(got, fmt.Sprint(text(s.If, s.Then, model.Forest), s.Covered, s.Right, s.Records))
		}
		slices.Sort(got)
		want := twin(model.Forest, tab)
		shown += len(want)
		if !slices.Equal(got, want) {
			r.Fatalf("rules\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
	if shown == 0 {
		t.Error("no table has a rule, so the test shows nothing")
	}
}

// text is a rule whose conditions are in one order.
func text(conditions []tree.Cond, then int32, f *tree.Forest) string {
	var all []string
	for k := range conditions {
		all = append(all, string(conditions[k].AppendTo(nil, f.Attrs())))
	}
	slices.Sort(all)
	return fmt.Sprint(strings.Join(all, " and "), " => ", then, " ")
}

// meets reports whether a record has known values that meet all conditions.
func meets(t *table.Table, row int, conditions []tree.Cond) bool {
	for _, c := range conditions {
		switch c.Op {
		case "<=":
			if !(t.Num(c.Attr)[row] <= c.Value) {
				return false
			}
		case ">":
			if !(t.Num(c.Attr)[row] > c.Value) {
				return false
			}
		default:
			if !slices.Contains(c.Codes, t.Cat(c.Attr)[row]) {
				return false
			}
		}
	}
	return true
}

// twin lists the rules worth showing, sorted.
func twin(f *tree.Forest, t *table.Table) (out []string) {
	type one struct {
		accuracy, coverage, length float64
		text                       string
	}
	byClass, seen := map[int32][]one{}, map[string]bool{}
	for _, tr := range f.Trees {
		for _, r := range tr.Rules() {
			covered, right, records := 0, 0, 0
			for i, c := range t.Cat(f.Class()) {
				if c < 0 {
					continue
				}
				records++
				if meets(t, i, r.If) {
					covered++
					if c == r.Then {
						right++
					}
				}
			}
			name := text(r.If, r.Then, f)
			if len(r.If) == 0 || covered == 0 || seen[name] {
				continue
			}
			seen[name] = true
			byClass[r.Then] = append(byClass[r.Then], one{float64(right) / float64(covered),
				float64(covered) / float64(records), float64(len(r.If)), fmt.Sprint(name, covered, right, records)})
		}
	}
	for _, rules := range byClass {
		var mean one
		for _, r := range rules {
			mean.accuracy += r.accuracy
			mean.coverage += r.coverage
			mean.length += r.length
		}
		n := float64(len(rules))
		for _, r := range rules {
			if n*r.accuracy > mean.accuracy-1e-6 && n*r.coverage > mean.coverage-1e-6 && n*r.length < mean.length+1e-6 {
				out = append(out, r.text)
			}
		}
	}
	slices.Sort(out)
	return out
}
