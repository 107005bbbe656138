package forests

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// The rules of random small tables are those of the paper's three sets, found record by record and rule by rule. One of
// those that ask for the same sides of the same attributes and cover the same records stands for all, and conditions
// are in the order of the table.
func TestTwin(t *testing.T) {
	shown := 0
	long.Check(t, func(r *rapid.T) {
		tab := protecttest.RandomTable(r)
		l := ForExNew()
		l.MinLeaf, l.Trees = 2, 4
		m := must.Get(l.Fit(t.Context(), tab, rng.Source{}))(r)
		model := m.(*Model)
		all := forexTwin(model.Forest, tab)
		var got []string
		for k := range model.Rules {
			s := model.Rules[k]
			name := fmt.Sprint(text(s.If, s.Then, model.Forest), s.Covered, s.Right, s.Records)
			if all[name] == "" {
				r.Fatalf("%s is not worth showing", name)
			}
			got = append(got, all[name])
			for k := 1; k < len(s.If); k++ {
				if c, d := s.If[k-1], s.If[k]; c.Attr > d.Attr || c.Attr == d.Attr && (c.Op != ">" || d.Op != "<=") {
					r.Fatalf("the conditions of %s are out of order", name)
				}
			}
		}
		want := slices.Compact(slices.Sorted(maps.Values(all)))
		shown += len(want)
		if slices.Sort(got); !slices.Equal(got, want) {
			r.Fatalf("rules\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
	long.Drawn(t, shown > 0, "no table has a rule, so the test shows nothing")
}

// TestOnce: rules with limits between the same values are one; other sides, other records or another class are others.
func TestOnce(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6}
	tab := tabletest.Must(table.NumColumn("x", 1, x), table.NumColumn("y", 1, x))
	rule := func(then int32, limit float64, op string, attr int) Rule {
		return Rule{If: []tree.Cond{{Attr: attr, Op: op, Value: limit}}, Then: then, Strength: Strength{3, 2, 6}}
	}
	rules := []Rule{rule(0, 3.5, "<=", 0), rule(0, 3.2, "<=", 0), rule(0, 4, "<=", 0), rule(0, 3.5, ">", 0),
		rule(0, 3.5, "<=", 1), rule(1, 3.5, "<=", 0), rule(0, 3.9, "<=", 0)}
	want := []Rule{rules[0], rules[2], rules[3], rules[4], rules[5]}
	if got := Once(rules, tab); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, expected %+v", got, want)
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

// forexTwin lists the rules worth showing, with what they ask for and cover.
func forexTwin(f *tree.Forest, t *table.Table) map[string]string {
	type one struct {
		accuracy, coverage, length float64
		text, asks                 string
	}
	out := map[string]string{}
	byClass, seen := map[int32][]one{}, map[string]bool{}
	for _, tr := range f.Trees {
		for _, r := range tr.Rules() {
			covered, right, records := 0, 0, 0
			asks := fmt.Sprint(r.Then)
			for _, c := range slices.SortedFunc(slices.Values(r.If), func(c, d tree.Cond) int {
				return strings.Compare(fmt.Sprint(c.Attr, c.Op), fmt.Sprint(d.Attr, d.Op))
			}) {
				asks += fmt.Sprint(c.Attr, c.Op)
			}
			for i := range t.Rows() {
				asks += fmt.Sprint(meets(t, i, r.If))
			}
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
				float64(covered) / float64(records), float64(len(r.If)), fmt.Sprint(name, covered, right, records), asks})
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
				out[r.text] = r.asks
			}
		}
	}
	return out
}
