package report

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/rulepreservation"
	"github.com/dither-data/dither/study"
)

// showing is a sample with rules worth showing.
func showing(t testing.TB, d rulepreservation.RulesWorthDetail) *study.Outcome {
	t.Helper()
	o, m := sample(t, 200, 2, 1, same), &rulepreservation.RulesWorth
	o.Measures = append(o.Measures, study.Measured{Card: m.Card, Facts: m.Facts, Side: m.Side, Better: m.Better,
		Unit: m.Unit, Value: measure.Value{Score: 0.25, Lo: 0.25, Hi: 0.25, Detail: &d, Notes: d.Alerts()}})
	return o
}

// TestShowingSection tells the rules with an alert, and nothing of them to the public.
func TestShowingSection(t *testing.T) {
	o := showing(
		t,
		rulepreservation.RulesWorthDetail{Kept: 1, Lost: 3, New: 2, Hidden: 1, Sensitive: 1, About: []string{"SECRETCOLUMN"},
			Grades: rulepreservation.Grades{Medium: 1},
			Listed: 1, Alike: 7, Shown: []rulepreservation.RulesWorthRule{
				{State: rulepreservation.RulesWorthKept, If: []string{"KEPTAGE > 3", "b = x"}, Then: "KEPTCLASS", Listed: true,
					Before: rulepreservation.RulesWorthStrength{Accuracy: .913, Coverage: .25, Records: 50},
					After:  rulepreservation.RulesWorthStrength{Accuracy: .877, Coverage: .25, Records: 50}},
				{State: rulepreservation.Hidden, If: []string{"HIDDENAGE > 3"}, Then: "HIDDENCLASS",
					Sensitive: []string{"SECRETCOLUMN"}, Grade: rulepreservation.High,
					Before: rulepreservation.RulesWorthStrength{Accuracy: .9, Coverage: .1, Records: 3}},
			}},
	)
	doc, public := render(t, o, Options{}), render(t, o, Options{Public: true})
	for _, want := range []string{"Rules worth showing",
		"1 of 4 rules are kept, 3 lost; 2 are new. 1 more is hidden, as it was to be.",
		"Sensitive: 1 of 1 rule kept is about something sensitive, SECRETCOLUMN, and believed of everybody who meets the " +
			"conditions: 1 medium (tells it from " +
			"other columns).", "SECRETCOLUMN: high",
		"Sensitive: 1 rule that is kept tells what was to be hidden.", "KEPTAGE &gt; 3, b = x", "KEPTCLASS",
		"right 91.3 %, covers 25 %", "right 87.7 %", "holds for nobody", "The 2 strongest",
		"7 rules that cover nearly the same records"} {
		if !strings.Contains(doc, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	for _, leak := range []string{"KEPTAGE", "KEPTCLASS", "HIDDEN", "SECRETCOLUMN", "91.3", "2 strongest"} {
		if strings.Contains(public, leak) {
			t.Errorf("the public report holds %q", leak)
		}
	}
	if doc := render(t, showing(t, rulepreservation.RulesWorthDetail{Kept: 4}), Options{}); strings.Contains(doc,
		"Sensitive:") {
		t.Error("there is an alert where nothing is sensitive")
	}
}
