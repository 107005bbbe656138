package judge_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/found"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// visits are 100 people of 8 records each, who agree in year of birth, sex and place, and nobody else does: with a
// column that tells them apart, or without.
func visits(t *testing.T, named bool) *table.Table {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var num [3][]float64
	var who, sex, ill, labels = []int32{}, []int32{}, []int32{}, []string{}
	for p := range 100 {
		labels = append(labels, fmt.Sprintf("P%03d", p))
		year, place, s := 1930+r.IntN(60), 1000+r.IntN(40), r.IntN(2)
		for range 8 {
			for k, v := range []int{year, place, 80 + r.IntN(60)} {
				num[k] = append(num[k], float64(v))
			}
			who, sex, ill = append(who, int32(p)), append(sex, int32(s)), append(ill, int32(r.IntN(2)))
		}
	}
	all := []table.Column{table.NumColumn("birth_year", 1, num[0]), table.NumColumn("postcode", 1, num[1]),
		table.CatColumn("sex", []string{"f", "m"}, sex), table.NumColumn("glucose", 1, num[2]),
		table.CatColumn("ill", []string{"no", "yes"}, ill)}
	if named {
		all = append(all, table.CatColumn("who", labels, who))
	}
	return tabletest.Must(all...)
}

// TestRecordsAlike: where no column tells people apart, a release of the original finds nearly everybody by what their
// records have in common, though their own records hide each of them.
func TestRecordsAlike(t *testing.T) {
	for name, c := range map[string]struct {
		named  bool
		roles  []judge.ColumnRole
		lo, hi float64
	}{
		"nobody is told":  {false, nil, 0.9, 1},
		"a person is":     {true, nil, 0.9, 1},
		"they are others": {true, []judge.ColumnRole{{Column: "who", Role: table.Identifier}}, 0.05, 0.2},
	} {
		s, err := judge.New(t.Context(), visits(t, c.named), &policy.Policy{Class: "ill"}, judge.Declared{Roles: c.roles})
		must.NoError(t, err)
		anonymous := must.Get(s.Anonymous())(t)
		r := &measure.Release{Original: anonymous, Released: anonymous, Paired: true}
		knows := intruder.Intruder{Name: "who knows three", Knows: []string{"birth_year", "postcode", "sex"}}
		played := must.Get(s.People(r, []intruder.Intruder{knows}))(t)
		for _, b := range r.Besides {
			if by := r.By(b.By); b.By != "" {
				if _, n := by.People(); n < 95 || n > 100 { // few agree by chance
					t.Errorf("%s: %d people by %s", name, n, b.By)
				}
			}
		}
		specs := study.Against([]study.Spec{{Measure: found.Measure}}, played)
		got, err := study.Evaluate(t.Context(), r, specs, rng.New([32]byte{1}), nil)
		if err != nil || !got[0].Err.Empty() {
			t.Fatalf("%s: %v, %s", name, err, got[0].Err)
		}
		if v := got[0].Value.Score; v < c.lo || v > c.hi {
			t.Errorf("%s: %.3f of the people are found, expected %v to %v", name, v, c.lo, c.hi)
		}
	}
}

// TestOtherUnits: a plan knows which columns told whose a record is, and says so where others do.
func TestOtherUnits(t *testing.T) {
	s := must.Get(judge.New(t.Context(), visits(t, true), &policy.Policy{Class: "ill"}, judge.Declared{}))(t)
	if u := s.Units(); *u != (protect.Units{Person: "who"}) {
		t.Errorf("the units are %+v", *u)
	}
	for _, c := range []struct {
		was  *protect.Units
		says string
	}{
		{nil, ""},
		{&protect.Units{Person: "who"}, ""},
		{&protect.Units{}, `no column was the person when the plan was made, and "who" is here: fit the plan again if the ` +
			`table has changed (if not: --role who=identifier)`},
		{&protect.Units{Person: "nr"}, `"nr" was the person when the plan was made, and "who" is here: --role nr=person ` +
			`if it still is, else fit the plan again`},
		{&protect.Units{Person: "who", Household: "home"}, `"home" was the household when the plan was made, and here ` +
			`there is none: --role home=household if it still is`},
	} {
		got := ""
		for _, says := range s.OtherUnits(c.was) {
			got += says.String()
		}
		if got != c.says {
			t.Errorf("of a plan by %+v: %q, expected %q", c.was, got, c.says)
		}
	}
}
