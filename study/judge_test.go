package study

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/accuracy"
	"github.com/dither-data/dither/measure/bias"
	"github.com/dither-data/dither/table"
)

// assault is a detail that tells its attack.
type assault measure.Attack

func (a assault) Attack() measure.Attack { return measure.Attack(a) }

// figured is a measured share with bounds.
func figured(name, who string, score, lo, hi float64) Measured {
	return Measured{Card: card.Card{Name: name, Title: name}, Side: measure.Risk, Intruder: who, Value: measure.Value{Score: score, Lo: lo, Hi: hi}}
}

func bounds(measure string, least, most float64, declared bool) limit.Limit {
	l := limit.Limit{Measure: measure, Source: "test", Declared: declared}
	if least == least {
		l.Min = &least
	}
	if most == most {
		l.Max = &most
	}
	return l
}

// TestJudgeMeasures: a limit holds against every intruder whom it binds, by the pessimistic end; what was not measured does not keep it.
func TestJudgeMeasures(t *testing.T) {
	nan := math.NaN()
	failed := figured("found", "a", 0, 0, 0)
	failed.Err = "no pairs"
	skipped := failed
	skipped.Skip = true
	way := bounds("found", nan, 0.09, false)
	way.IfAny = true
	at9, atLeast := bounds("found", nan, 0.09, false), bounds("found", 0.5, nan, true)
	for _, c := range []struct {
		name    string
		limits  []limit.Limit
		binding []string
		ms      []Measured
		partial bool
		want    string
	}{
		{"no limits", nil, nil, []Measured{figured("found", "a", 1, 1, 1)}, false, "meets the limits"},
		{"met", []limit.Limit{at9}, nil, []Measured{figured("found", "a", 0.01, 0, 0.09)}, false, "meets the limits: met"},
		{"broken", []limit.Limit{at9}, nil, []Measured{figured("found", "a", 0.2, 0.1, 0.3)}, false, "withheld: broken: found is 0.2, expected at most 0.09 (intruder: a)"},
		{"unproven", []limit.Limit{at9}, nil, []Measured{figured("found", "a", 0.05, 0.01, 0.1)}, false,
			"withheld: unproven: found is 0.05 and may be 0.1, expected at most 0.09 (intruder: a): its interval holds the limit; more records must be measured"},
		{"higher is better", []limit.Limit{atLeast}, nil, []Measured{figured("found", "", 0.6, 0.4, 0.7)}, false,
			"withheld: unproven: found is 0.6 and may be 0.4, expected at least 0.5: its interval holds the limit; more records must be measured"},
		{"the second", []limit.Limit{at9}, nil, []Measured{figured("found", "a", 0, 0, 0), figured("found", "b", 1, 1, 1)}, false,
			"withheld: broken met: found is 1, expected at most 0.09 (intruder: b)"},
		{"one who does not bind", []limit.Limit{at9}, []string{"a"}, []Measured{figured("found", "a", 0, 0, 0), figured("found", "b", 1, 1, 1)}, false,
			"release with care: met: found is 1, expected at most 0.09 (intruder: b)"},
		{"one who does not bind, by a policy", []limit.Limit{bounds("found", nan, 0.09, true)}, []string{"a"}, []Measured{figured("found", "a", 0, 0, 0), figured("found", "b", 1, 1, 1)}, false,
			"withheld: broken met: found is 1, expected at most 0.09 (intruder: b)"},
		{"failed", []limit.Limit{at9}, nil, []Measured{failed}, false, "withheld: broken: found has no score, expected at most 0.09 (intruder: a): no pairs"},
		{"no number", []limit.Limit{at9}, nil, []Measured{figured("found", "", nan, nan, nan)}, false, "withheld: broken: found has no score, expected at most 0.09: it has no score"},
		{"no bounds", []limit.Limit{at9}, nil, []Measured{figured("found", "", 0, nan, nan)}, false,
			"withheld: unproven: found is 0, expected at most 0.09 (its bounds are not known): its interval holds the limit; more records must be measured"},
		{"not taken", []limit.Limit{at9}, nil, nil, false, "withheld: broken: found has no score, expected at most 0.09: it was not measured"},
		{"not asked for", []limit.Limit{at9}, nil, nil, true, "release with care: found was not measured, so the limit on it was not judged"},
		{"not asked for among others", []limit.Limit{at9, bounds("bias", nan, 0, true)}, nil, []Measured{figured("bias", "", 1, 1, 1)}, true,
			"withheld: broken: bias is 1, expected at most 0"},
		{"another way, broken", []limit.Limit{way}, nil, []Measured{figured("found", "a", 0.2, 0.1, 0.3)}, false, "withheld: broken: found is 0.2, expected at most 0.09 (intruder: a)"},
		{"another way, too few people to tell", []limit.Limit{way}, nil, []Measured{figured("found", "a", 0.05, 0.01, 0.1)}, false, "meets the limits"},
		{"another way that does not apply", []limit.Limit{way}, nil, []Measured{skipped}, false, "meets the limits"},
		{"another way, not asked for", []limit.Limit{way}, nil, nil, true, "meets the limits"},
		{"another way that failed", []limit.Limit{way}, nil, []Measured{failed}, false, "withheld: broken: found has no score, expected at most 0.09 (intruder: a): no pairs"},
	} {
		v := Judge(&Outcome{Measures: c.ms}, Evidence{Limits: &limit.Set{Name: "test", Limits: c.limits}, Binding: c.binding, Partial: c.partial})
		got := string(v.State)
		var parts []string
		for _, d := range v.Demands {
			parts = append(parts, string(d.Standing))
		}
		if parts != nil {
			got += ": " + strings.Join(parts, " ")
		}
		for _, r := range v.Reasons {
			if r.State == v.State {
				got += ": " + r.Text
			}
		}
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestJudgeColumns: a column that tells withholds, an accepted one asks for care, and the reason names no value.
func TestJudgeColumns(t *testing.T) {
	for _, c := range []struct{ accept, state, gate string }{
		{"", "withheld", "gate: withheld: columns of free text: notes (long)"},
		{"text=notes", "release with care", "gate: release with care: the custodian accepted columns of free text (accepted: notes)"},
		{"text=other", "withheld", "gate: withheld: columns of free text: notes (long)"},
	} {
		s := must(limit.Preset("none"))(t)
		most := 0.0
		s.Put(limit.Limit{Measure: limit.Text, Max: &most})
		if c.accept != "" {
			if err := s.Accept(c.accept); err != nil {
				t.Fatal(err)
			}
		}
		v := Judge(&Outcome{}, Evidence{Limits: s, Telling: []Telling{{limit.Text, "notes", "long"}, {limit.Birth, "born", "days"}}})
		if string(v.State) != c.state || v.Gate() != c.gate {
			t.Errorf("%s: %s; %s", c.accept, v.State, v.Gate())
		}
		if v.Demands[0].Accepted != (c.accept == "text=notes") || v.State == Withheld && !strings.Contains(v.Reasons[0].Remedy, "--role notes=identifier") {
			t.Errorf("%+v", v)
		}
	}
}

// TestJudgeLookups: who can be looked up withholds above the limit, and where nobody could be tried the limit is not kept.
func TestJudgeLookups(t *testing.T) {
	s := &limit.Set{Name: "x", Limits: []limit.Limit{bounds(limit.Lookup, math.NaN(), 0.01, false)}}
	for _, c := range []struct {
		who  []Lookups
		want State
	}{
		{[]Lookups{{Intruder: "a", Found: 1, Tried: 100, People: 100, Lo: 0.01, Hi: 0.01}}, Meets},
		{[]Lookups{{Intruder: "a", Found: 2, Tried: 100, People: 100, Lo: 0.02, Hi: 0.02}}, Withheld},
		{[]Lookups{{Intruder: "a", Found: 0, Tried: 100, People: 1000, Lo: 0, Hi: 0.0295}}, Withheld},
		{[]Lookups{{Intruder: "a"}, {Intruder: "b", Found: 9, Tried: 10, Lo: 0.9, Hi: 0.9}}, WithCare},
		{nil, Withheld},
	} {
		if v := Judge(&Outcome{}, Evidence{Limits: s, Binding: []string{"a"}, Lookups: c.who}); v.State != c.want {
			t.Errorf("%+v: %s", c.who, v.Gate())
		}
	}
	unproven := Judge(&Outcome{}, Evidence{Limits: s, Lookups: []Lookups{{Intruder: "a", Tried: 100, People: 1000, Hi: 0.0295}}})
	if why := unproven.Demands[0].Why; !strings.Contains(why, "at least 199 more people") {
		t.Errorf("0 of 299 prove 1 %%: %s", why)
	}
}

// TestJudgeSentence: the worst intruder whom the limits bind, with bounds and what it was of the original; all attacks in order.
func TestJudgeSentence(t *testing.T) {
	before := 0.994
	m := func(name, who, secret string, share, hi float64) Measured {
		x := figured(name, who, share, 0, hi)
		x.Value.Detail = assault{Secret: secret, Share: share, Lo: 0.021, Hi: hi, Tried: 500, Before: &before}
		return x
	}
	o := &Outcome{Measures: []Measured{m("learned", "all", "wage", 0.5, 0.6), m("found", "knows a", "", 0.03, 0.045), m("found", "all", "", 0.2, 0.25)}}
	v := Judge(o, Evidence{Limits: &limit.Set{}, Binding: []string{"knows a"}})
	if want := "Of 100 people, 3 are found by an intruder who knows a (2.1 to 4.5; 95 % bounds, 500 people tried); in the original it was 99."; v.Sentence != want {
		t.Errorf("%s", v.Sentence)
	}
	var order []string
	for _, a := range v.Worst {
		order = append(order, fmt.Sprint(a.Intruder, a.Secret))
	}
	if got := strings.Join(order, ","); got != "all,knows a,allwage" {
		t.Errorf("%s", got)
	}
}

// TestJudgeUntouched: records that are as they were in every column are counted.
func TestJudgeUntouched(t *testing.T) {
	a := must(table.New(table.NumColumn("v", 1, []float64{1, 2, 3}), table.NumColumn("w", 1, []float64{1, 2, 3})))(t)
	b := must(table.New(table.NumColumn("v", 1, []float64{1, 2, 9}), table.NumColumn("w", 1, []float64{1, 9, 3})))(t)
	v := Judge(&Outcome{Original: a, Released: b, Changes: []Change{{Column: "v", Changed: 0.3}}}, Evidence{Limits: &limit.Set{}})
	if v.State != WithCare || v.Reasons[0].Text != "1 of 3 records are released untouched in every column" {
		t.Errorf("%s", v.Gate())
	}
}

// TestFitness: what a release is good for goes by cut-offs, an interval that straddles one says nothing, and a tree without a test is told.
func TestFitness(t *testing.T) {
	of := func(name string, v measure.Value) Measured { return Measured{Card: card.Card{Name: name}, Value: v} }
	rules := func(lo, hi float64) Measured {
		return of("treesimilarity", measure.Value{Score: (lo + hi) / 2, Lo: lo, Hi: hi})
	}
	tree := func(leaves int, loss float64) Measured {
		return of("accuracy", measure.Value{Detail: accuracy.Detail{OriginalOriginal: 90, ReleasedOriginal: 90 - loss, OriginalHoldout: math.NaN(), ReleasedHoldout: math.NaN(), LeavesOriginal: leaves}})
	}
	moved := bias.Detail{Names: []string{"a", "b"}, MeanOriginal: []float64{0, 0}, MeanReleased: []float64{0.01, 0.5}, SDOriginal: []float64{1, 1}, LargestCorrDiff: 0.3}
	failed := rules(100, 100)
	failed.Err = errors.ErrUnsupported.Error()
	for _, c := range []struct {
		ms        []Measured
		good, not string
	}{
		{nil, "", ""},
		{[]Measured{failed}, "", ""},
		{[]Measured{rules(85, 90)}, "decision rules on the class", ""},
		{[]Measured{rules(75, 90)}, "", ""},
		{[]Measured{rules(20, 40)}, "", "decision rules on the class"},
		{[]Measured{tree(4, 1), rules(20, 40)}, "predicting the class", "decision rules on the class"},
		{[]Measured{tree(4, 3)}, "", ""},
		{[]Measured{tree(1, 0), rules(100, 100)}, "", "decision rules on the class: no rule predicts the class in the original, so figures about rules say nothing"},
		{[]Measured{of("bias", measure.Value{Detail: moved})}, "", "means of b|correlations"},
		{[]Measured{of("misclassification", measure.Value{Score: 0.05, Lo: 0.05, Hi: 0.05})}, "clustering", ""},
		{[]Measured{of("misclassification", measure.Value{Score: 0.25, Lo: 0.2, Hi: 0.3})}, "", ""},
	} {
		v := Judge(&Outcome{Measures: c.ms}, Evidence{Limits: &limit.Set{}})
		if good, not := strings.Join(v.GoodFor, "|"), strings.Join(v.NotFor, "|"); good != c.good || not != c.not {
			t.Errorf("good for %q, not for %q, want %q and %q", good, not, c.good, c.not)
		}
	}
}
