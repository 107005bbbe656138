package report

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/hidingeffects"
	"github.com/dither-data/dither/measure/rulepreservation"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
)

// ruled is a sample with what became of its rules: three kept, of five lost two drawn, one new, two to be hidden of
// which one is.
func ruled(t testing.TB) *study.Outcome {
	t.Helper()
	strong := func(support, confidence float64) rulepreservation.RuleSurvivalStrength {
		return rulepreservation.RuleSurvivalStrength{Support: support, Confidence: confidence}
	}
	d := rulepreservation.RuleSurvivalDetail{
		Support:    0.1,
		Asked:      0.05,
		Confidence: 0.8,
		Lift:       1.1,
		Items:      3,
		Original:   8,
		Released:   4,
		Kept:       3,
		Lost:       5,
		New:        1,
		StrongestLost: []rulepreservation.RuleSurvivalRule{
			{If: []string{"LOSTBEGINNING", "b=1"}, Then: "LOSTEND", Before: strong(.4, .9), After: strong(0, 0)},
		},
		StrongestNew: []rulepreservation.RuleSurvivalRule{
			{If: []string{"NEWBEGINNING"}, Then: "NEWEND", Before: strong(.05, .5), After: strong(.3, .85)},
		},
		Readings: &rulepreservation.Readings{Pessimistic: 0.123, Optimistic: 0.456},
	}
	for _, s := range []rulepreservation.RuleSurvivalState{
		rulepreservation.RuleSurvivalKept, rulepreservation.RuleSurvivalKept, rulepreservation.RuleSurvivalKept,
		rulepreservation.RuleSurvivalLost, rulepreservation.RuleSurvivalLost, rulepreservation.RuleSurvivalNew,
	} {
		d.Drawn = append(d.Drawn, rulepreservation.Point{State: s, Before: strong(.2, .9), After: strong(.3, .85)})
	}
	h := hidingeffects.HidingFailureDetail{Rules: true, Original: 4, Found: 2, Sensitive: []hidingeffects.Sensitive{
		{
			Rule:    true,
			Pattern: "FOUNDPATTERN=>x",
			Was:     true,
			Is:      true,
			Before:  hidingeffects.Strength{Support: .4, Confidence: .9},
			After:   hidingeffects.Strength{Support: .3, Confidence: .85},
		},
		{
			Rule:    true,
			Pattern: "HIDDENPATTERN=>x",
			Was:     true,
			Before:  hidingeffects.Strength{Support: .5, Confidence: .9},
			After:   hidingeffects.Strength{Support: .2, Confidence: .6},
			Short:   1234,
			Low:     &hidingeffects.Strength{Support: .1, Confidence: .5},
			High:    &hidingeffects.Strength{Support: .31, Confidence: .77},
		}}}
	o := sample(t, 200, 2, 1, same)
	for m, detail := range map[*measure.Measure]any{&rulepreservation.RuleSurvival: d, &hidingeffects.HidingFailure: h,
		&hidingeffects.Optimum: hidingeffects.OptimumDetail{Patterns: 77, Lost: 3, Proved: true}} {
		o.Measures = append(
			o.Measures,
			study.Measured{
				Card:   m.Card,
				Facts:  m.Facts,
				Side:   m.Side,
				Better: m.Better,
				Unit:   m.Unit,
				Value:  measure.Value{Score: 0.3, Lo: 0.3, Hi: 0.3, Detail: detail},
			},
		)
	}
	return o
}

// TestAssociationSection tells what became of the rules, and nothing of them to the public.
func TestAssociationSection(t *testing.T) {
	o := ruled(t)
	doc, public := render(t, o, Options{}), render(t, o, Options{Public: true})
	for _, want := range []string{"Do the association rules survive?", "The original has 8: 3 are in the release, too, " +
		"5 are lost. The release has 1 of its own.",
		"Drawn: 2 of 5, at random", "The 1 strongest of 5 rules that are lost", "The rules that are new",
		"(requested: 5", "12.3", "45.6",
		"LOSTBEGINNING, b=1", "LOSTEND", ">none<", "NEWBEGINNING", "Of 2 rules to be hidden, 1 is still there. 2 " +
			"rules with all items of one of them are as sensitive: 1 can still be found.",
		"FOUNDPATTERN", "still there", "HIDDENPATTERN", "1,234", "31", "depending on the unknown items)",
		"Hidden, as it was to " +
			"be", "Itemsets that may stay: 77; lost by this release: 3; by the optimum: 0, which is proved."} {
		if !strings.Contains(doc, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if n := strings.Count(doc, `class="worse"`); n != 2*2 {
		t.Errorf("%d dots are of lost rules, expected 2 on each map", n)
	}
	for _, leak := range []string{"BEGINNING", "LOSTEND", "NEWEND", "PATTERN", "1,234", "may stay: 77", "rule-map"} {
		if strings.Contains(public, leak) {
			t.Errorf("the public report holds %q", leak)
		}
	}
}

// TestOptimumLeftOut: a report on many records says why it does not tell the optimum.
func TestOptimumLeftOut(t *testing.T) {
	o := ruled(t)
	for k := range o.Measures {
		if m := &o.Measures[k]; m.Name == hidingeffects.Optimum.Name {
			m.Value, m.Err = measure.Value{}, message.Text(
				"left out of a report on more than 5,000 records; dither evaluate takes it")
		}
	}
	if doc := render(t, o, Options{}); !strings.Contains(doc, "must lose was not computed: left out of a report on more "+
		"than 5,000 records; dither evaluate takes it.</p>") {
		t.Error("the section does not say why the optimum is missing")
	}
}

// TestNoAssociations: what was not measured has no section.
func TestNoAssociations(t *testing.T) {
	if doc := render(t, sample(t, 200, 2, 1, same), Options{}); strings.Contains(doc, "association rules survive") {
		t.Error("there is a section on rules that nobody looked for")
	}
}
