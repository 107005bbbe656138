package rulepreservation

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/mine/forests"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// patients is 400 records of which the ward tells the class nearly, and the age does in one ward.
func patients(t *testing.T, roles map[string]table.Role) *table.Table {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	age, ward, class := make([]float64, 400), make([]int32, 400), make([]int32, 400)
	for i := range age {
		age[i], ward[i] = float64(20+r.IntN(60)), int32(r.IntN(3))
		switch {
		case ward[i] == 0, ward[i] == 1 && age[i] > 50:
			class[i] = 1
		}
		if r.IntN(20) == 0 {
			class[i] = 1 - class[i]
		}
	}
	cols := []table.Column{table.NumColumn("age", 1, age),
		table.CatColumn("ward", []string{"east", "north", "west"}, ward),
		table.CatColumn("ill", []string{"no", "yes"}, class)}
	cols[2].Role = table.Class
	for k := range cols {
		cols[k].Role |= roles[cols[k].Name]
	}
	out := must.Get(table.New(cols...))(t)
	return out
}

// turned is a release in which the wards east and west are exchanged.
func turned(t *table.Table) *table.Table {
	ward := slices.Clone(t.Cat(1))
	for i, c := range ward {
		ward[i] = 2 - c
	}
	return t.WithCat(1, ward)
}

func worthTake(t *testing.T, original, released *table.Table, sensitive string) (measure.Value, *RulesWorthDetail) {
	t.Helper()
	m := RulesWorth.New().(*RulesWorthMeter)
	m.Sensitive = sensitive
	v, err := m.Measure(t.Context(), &measure.Release{Original: original, Released: released, Paired: true}, rng.Source{})
	must.NoError(t, err)
	return v, v.Detail.(*RulesWorthDetail)
}

// states counts the shown rules that name a category by state.
func states(d *RulesWorthDetail, condition, then string) map[RulesWorthState]int {
	out := map[RulesWorthState]int{}
	for _, r := range d.Shown {
		if slices.Contains(r.If, condition) && r.Then == then {
			out[r.State]++
		}
	}
	return out
}

// Where the wards are exchanged the rules of the original no longer hold, and those of the release mislead.
func TestStates(t *testing.T) {
	original := patients(t, nil)
	v, d := worthTake(t, original, original, "")
	if v.Score != 1 || d.Kept == 0 || d.Lost+d.New+d.Hidden > 0 || states(d, "ward = east", "yes")[RulesWorthKept] != 1 {
		t.Errorf("the original itself: score %v, %+v", v.Score, d)
	}
	v, d = worthTake(t, original, turned(original), "")
	if states(d, "ward = east", "yes")[RulesWorthLost] != 1 || states(d, "ward = west", "yes")[RulesWorthNew] != 1 {
		t.Errorf("wards exchanged: %+v", d.Shown)
	}
	if want := float64(d.Kept) / float64(d.Kept+d.Lost); d.Kept+d.Lost == 0 || v.Score != want || d.Hidden != 0 {
		t.Errorf("score %v, expected %v", v.Score, want)
	}
	for _, r := range d.Shown {
		if r.State == RulesWorthLost && (r.Before.Accuracy < 0.8 || r.After.Accuracy > 0.7) {
			t.Errorf("a lost rule is right %v before and %v after", r.Before, r.After)
		}
		if r.State == RulesWorthNew && (r.Before.Accuracy > 0.7 || r.After.Accuracy < 0.8) {
			t.Errorf("a new rule is right %v before and %v after", r.Before, r.After)
		}
	}
}

// A rule that is lost and says what was to be hidden is hidden, and counts for no loss; where it is kept there is an
// alert.
func TestHidden(t *testing.T) {
	original := patients(t, nil)
	for _, list := range []string{"ward=east=>ill=yes", "ward=east"} {
		_, d := worthTake(t, original, turned(original), list)
		if states(d, "ward = east", "yes")[Hidden] != 1 || d.Hidden == 0 || d.Listed != 0 {
			t.Errorf("%s: %+v", list, d)
		}
		v, d := worthTake(t, original, original, list)
		if d.Listed == 0 || d.Hidden != 0 || len(v.Notes) != 1 || v.Notes[0].Key() != "measure.rulesworth.note.listed" {
			t.Errorf("%s is not hidden: %+v, notes %v", list, d, v.Notes)
		}
	}
	_, d := worthTake(t, original, turned(original), "ward=north=>ill=no")
	if states(d, "ward = east", "yes")[RulesWorthLost] != 1 {
		t.Errorf("a rule on another ward is hidden by a list that does not name it: %+v", d)
	}
}

// What is sensitive is by role, not by name: "ill" is when it is confidential, in the end of a rule, and so is a column
// in the beginning. A rule that is lost gives no alert.
func TestAlert(t *testing.T) {
	for column, roles := range map[string]map[string]table.Role{
		"":     nil,
		"ill":  {"ill": table.Confidential},
		"ward": {"ward": table.Confidential},
	} {
		original := patients(t, roles)
		v, d := worthTake(t, original, original, "")
		about := slices.Contains(d.About, column)
		if (column != "") != about || about != (d.Sensitive > 0) || about != (len(v.Notes) == 1) {
			t.Errorf("%q is confidential: %+v, notes %v", column, d, v.Notes)
		}
		for _, r := range d.Shown {
			if column == "ill" && !slices.Equal(r.Sensitive, []string{"ill"}) {
				t.Errorf("the rule on %v is about %v", r.If, r.Sensitive)
			}
		}
	}
	original := patients(t, map[string]table.Role{"ward": table.Confidential})
	_, d := worthTake(t, original, turned(original), "")
	kept, lost := 0, 0
	for _, r := range d.Shown {
		switch {
		case len(r.Sensitive) == 0:
		case r.State == RulesWorthKept:
			kept++
		case r.State == RulesWorthLost:
			lost++
		}
	}
	if d.Sensitive != kept || lost == 0 {
		t.Errorf("an alert on %d rules; about the ward are %d kept and %d lost", d.Sensitive, kept, lost)
	}
}

// TestGrades: highest is a rule that tells what is confidential from a quasi-identifier, lowest one that asks for what
// is confidential; of the same rules, by their roles alone.
func TestGrades(t *testing.T) {
	for want, roles := range map[Grade]map[string]table.Role{
		High:   {"ill": table.Confidential, "ward": table.Quasi},
		Medium: {"ill": table.Confidential},
		Low:    {"ward": table.Confidential},
		"":     {"ward": table.Quasi},
	} {
		original := patients(t, roles)
		v, d := worthTake(t, original, original, "")
		n := map[Grade]int{}
		for _, r := range d.Shown {
			on := func(text string) bool { return strings.HasPrefix(text, "ward") }
			if slices.ContainsFunc(r.If, on) && r.Grade != want {
				t.Errorf("%v: the rule on %v is %q, expected %q", roles, r.If, r.Grade, want)
			}
			n[r.Grade]++
		}
		counted := map[Grade]int{High: d.Grades.High, Medium: d.Grades.Medium, Low: d.Grades.Low}[want]
		if want != "" && (counted == 0 || len(v.Notes) != 1 || !strings.Contains(v.Notes[0].String(), string(want)+" (")) {
			t.Errorf("%v: %+v, notes %v, shown %v", roles, d.Grades, v.Notes, n)
		}
	}
}

// Of a large forest no more than ten rules are shown, the strongest first, and none that covers nearly what another
// does.
func TestShown(t *testing.T) {
	tab, _, err := format.Read(t.Context(), dataset.File(t, "adult/adult.csv"), format.Options{})
	must.NoError(t, err)
	tab = tab.Slice(0, 6000)
	at := tab.Find("income")
	a := *tab.Attr(at)
	a.Role = table.Class
	_, d := worthTake(t, tab.WithAttr(at, a), tab.WithAttr(at, a), "")
	if len(d.Shown) == 0 || len(d.Shown) > 10 || d.Alike == 0 || d.Kept <= len(d.Shown) {
		t.Fatalf("%d rules are shown, %d of %d left out as alike", len(d.Shown), d.Alike, d.Kept)
	}
	chance := map[string]float64{}
	for i := range tab.Rows() {
		chance[a.Labels[tab.Cat(at)[i]]] += 1 / float64(tab.Rows())
	}
	last := 1.0
	for _, r := range d.Shown {
		beyond := r.Before.Coverage * (r.Before.Accuracy - chance[r.Then])
		if beyond > last+1e-12 {
			t.Errorf("a rule that is right %v of chance follows one of %v", beyond, last)
		}
		last = beyond
	}
}

// A rule of the release that is right about nobody in the original tells nothing of what was to be hidden there.
func TestTellsOfSomebody(t *testing.T) {
	original := patients(t, nil)
	s := worthSurvey{r: &measure.Release{Original: original}, class: 2, listed: [][]bool{make([]bool, original.Rows())}}
	r := forests.Rule{If: []tree.Cond{{Attr: 0, Op: ">", Value: 1000}}, Then: 1}
	if s.tells(&r) {
		t.Error("a rule on nobody tells what was to be hidden")
	}
}
