package study

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// assault is a detail that tells its attack.
type assault measure.Attack

func (a assault) Attack() measure.Attack { return measure.Attack(a) }

// figured is a measured share with bounds.
func figured(name, who string, score, lo, hi float64) Measured {
	m, _ := catalog.Measure(name) // of a name that is none there are no facts
	return Measured{
		Facts:    m.Facts,
		Card:     card.Card{Name: name, Title: name},
		Side:     measure.Risk,
		Intruder: who,
		Of:       table.OfPerson,
		Value:    measure.Value{Score: score, Lo: lo, Hi: hi},
	}
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

// TestJudgeMeasures: a limit holds against every intruder whom it binds, by the pessimistic end; what was not measured
// does not keep it.
func TestJudgeMeasures(t *testing.T) {
	nan := math.NaN()
	failed := figured("found", "a", 0, 0, 0)
	failed.Err = message.Text("no pairs")
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
		{"no limits", nil, nil, []Measured{figured("found", "a", 1, 1, 1)}, false, "not judged"},
		{"met", []limit.Limit{at9}, nil, []Measured{figured("found", "a", 0.01, 0, 0.09)}, false, "meets the limits: met"},
		{"broken", []limit.Limit{at9}, nil, []Measured{figured("found", "a", 0.2, 0.1, 0.3)}, false, "withheld: broken: an " +
			"intruder who is declared as a finds 20 of 100 people (10 to 30); at most 9 are allowed"},
		{"unproven", []limit.Limit{at9}, nil, []Measured{figured("found", "a", 0.05, 0.01, 0.1)}, false,
			"withheld: unproven: an intruder who is declared as a finds 5 of 100 people (1 to 10); at most 9 are allowed: its " +
				"interval reaches across the limit, so nothing shows that the limit is kept"},
		{"higher is better", []limit.Limit{atLeast}, nil, []Measured{figured("found", "", 0.6, 0.4, 0.7)}, false,
			"withheld: unproven: an intruder finds 60 of 100 people (40 to 70); at least 50 are asked for: its interval " +
				"reaches across the limit, so nothing shows that the limit is kept"},
		{"the second", []limit.Limit{at9}, nil, []Measured{figured("found", "a", 0, 0, 0), figured("found", "b", 1, 1, 1)},
			false,
			"withheld: broken met: an intruder who is declared as b finds 100 of 100 people; at most 9 are allowed"},
		{"one who does not bind", []limit.Limit{at9}, []string{"a"},
			[]Measured{figured("found", "a", 0, 0, 0), figured("found", "b", 1, 1, 1)}, false,
			"withheld: broken met: an intruder who is declared as b finds 100 of 100 people; fewer than 90 are allowed"},
		{"one who does not bind, by a policy", []limit.Limit{bounds("found", nan, 0.09, true)}, []string{"a"},
			[]Measured{figured("found", "a", 0, 0, 0), figured("found", "b", 1, 1, 1)}, false,
			"withheld: broken met: an intruder who is declared as b finds 100 of 100 people; at most 9 are allowed"},
		{"failed", []limit.Limit{at9}, nil, []Measured{failed}, false, "withheld: unproven: found was not measured against " +
			"an intruder who is declared as a: no pairs"},
		{"no number", []limit.Limit{at9}, nil, []Measured{figured("found", "", nan, nan, nan)}, false,
			"withheld: unproven: found was not measured: it has no score"},
		{"no bounds", []limit.Limit{at9}, nil, []Measured{figured("found", "", 0, nan, nan)}, false,
			"withheld: unproven: an intruder finds 0 of 100 people; at most 9 are allowed: its bounds are not known, so " +
				"nothing shows that the limit is kept"},
		{"not taken", []limit.Limit{at9}, nil, nil, false, "withheld: unproven: found was not measured: nothing shows that " +
			"the limit on it is kept"},
		{"not asked for", []limit.Limit{at9}, nil, nil, true, "not judged"},
		{"not asked for among others", []limit.Limit{at9, bounds("bias", nan, 0, true)}, nil,
			[]Measured{figured("bias", "", 1, 1, 1)}, true,
			"withheld: broken: bias is 1; at most 0 is allowed"},
		{"another way, broken", []limit.Limit{way}, nil, []Measured{figured("found", "a", 0.2, 0.1, 0.3)}, false,
			"withheld: broken: an intruder who is declared as a finds 20 of 100 people (10 to 30); at most 9 are allowed"},
		{"another way, too few people to tell", []limit.Limit{way}, nil, []Measured{figured("found", "a", 0.05, 0.01, 0.1)},
			false, "not judged"},
		{"another way that does not apply", []limit.Limit{way}, nil, []Measured{skipped}, false, "not judged"},
		{"another way, not asked for", []limit.Limit{way}, nil, nil, true, "not judged"},
		{"another way that failed", []limit.Limit{way}, nil, []Measured{failed}, false, "withheld: unproven: found was not " +
			"measured against an intruder who is declared as a: no pairs"},
	} {
		v := Judge(&Outcome{Measures: c.ms},
			Evidence{Limits: &limit.Set{Name: "test", Limits: c.limits}, Binding: c.binding, Partial: c.partial})
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
				got += ": " + r.Says.String()
			}
		}
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// said is the state of a verdict with its worst reason, or the limits where there is none.
func said(v *Verdict) string {
	if len(v.Reasons) == 0 {
		return string(v.State) + " (" + v.Limits.String() + ")"
	}
	return string(v.State) + ": " + v.Reasons[0].Says.String()
}

// TestJudgeColumns: a column that tells withholds, an accepted one asks for care, and the reason names no value.
func TestJudgeColumns(t *testing.T) {
	for _, c := range []struct{ accept, state, gate string }{
		{"", "withheld", "withheld: the release has columns of free text: notes (long)"},
		{"text=notes", "release with care", "release with care: the custodian accepted columns of free text (accepted: " +
			"notes)"},
		{"text=other", "withheld", "withheld: the release has columns of free text: notes (long)"},
	} {
		s := must.Get(limit.Preset("none"))(t)
		most := 0.0
		s.Put(limit.Limit{Measure: limit.Text, Max: &most})
		if c.accept != "" {
			must.NoError(t, s.Accept(c.accept))
		}
		v := Judge(
			&Outcome{},
			Evidence{
				Limits:  s,
				Telling: []Identifying{{limit.Text, "notes", message.Text("long")}, {limit.Birth, "born", message.Text("days")}},
			},
		)
		if string(v.State) != c.state || said(v) != c.gate {
			t.Errorf("%s: %s; %s", c.accept, v.State, said(v))
		}
		if v.Demands[0].Accepted != (c.accept == "text=notes") ||
			v.State == Withheld && !strings.Contains(v.Reasons[0].Remedy().String(), "--role notes=identifier") {
			t.Errorf("%+v", v)
		}
	}
}

// hider is a plan that hides patterns, and layers one of steps.
type hider struct {
	protect.Plan
	listed, found int
	err           error
}

func (h hider) Found(*table.Table) (listed, found int, err error) { return h.listed, h.found, h.err }

type layers struct {
	protect.Plan
	steps []protect.Plan
}

func (l layers) Steps() []protect.Plan { return l.steps }

// sequence is a plan whose steps follow one another.
type sequence struct {
	protect.Plan
	stages []protect.Plan
}

func (s sequence) Inner() []protect.Plan { return s.stages }
func (sequence) Sequential()             {}

// TestPatternsOf: what any step of any layer was to hide is counted.
func TestPatternsOf(t *testing.T) {
	plain, lost := struct{ protect.Plan }{}, errors.New("a column is not there")
	for _, c := range []struct {
		plan protect.Plan
		want *Patterns
	}{
		{plain, nil},
		{hider{listed: 3, found: 1}, &Patterns{3, 1, nil, true}},
		{layers{steps: []protect.Plan{plain, layers{steps: []protect.Plan{plain}}}}, nil},
		{layers{steps: []protect.Plan{plain, layers{steps: []protect.Plan{hider{listed: 3, found: 1}}},
			hider{listed: 2, found: 2}}}, &Patterns{5, 3, nil, false}},
		{sequence{stages: []protect.Plan{plain, hider{listed: 2, found: 1}}}, &Patterns{2, 1, nil, false}},
		{layers{steps: []protect.Plan{hider{listed: 3}, hider{listed: 2, err: lost}}}, &Patterns{5, 0, lost, true}},
	} {
		got := PatternsOf(c.plan, nil)
		if (got == nil) != (c.want == nil) ||
			got != nil && (got.Listed != c.want.Listed || got.Found != c.want.Found || !errors.Is(got.Err, c.want.Err) ||
				got.Alone != c.want.Alone) {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
}

// TestJudgePatterns: what was to be hidden and is not withholds the release, unless so many were accepted; there is
// nothing to judge where nothing was to be hidden.
func TestJudgePatterns(t *testing.T) {
	for _, c := range []struct {
		patterns            *Patterns
		accept, gate, first string
	}{
		{nil, "", "not judged (default)", ""},
		{&Patterns{Listed: 50}, "", "meets the limits (default)", ""},
		{&Patterns{Listed: 50, Found: 22}, "", "withheld: 22 of 50 sensitive patterns can still be found; none may be",
			"22 of 50 sensitive patterns can still be found."},
		{&Patterns{Listed: 50, Found: 22}, "patterns=22", "release with care: 22 of 50 sensitive patterns can still be " +
			"found; at most 22 is allowed, which the custodian accepted in place of 0", "22 of"},
		{&Patterns{Listed: 50, Found: 22}, "patterns=21", "withheld: 22 of 50 sensitive patterns can still be found; at " +
			"most 21 is allowed", "22 of"},
		{&Patterns{Listed: 1, Found: 1}, "", "withheld: the sensitive pattern can still be found; none may be",
			"The sensitive pattern can still be found."},
		{&Patterns{Listed: 1, Err: errors.New("column is not there")}, "", "withheld: whether the sensitive patterns are " +
			"hidden could not be counted: column is not there", "Whether"},
	} {
		s := must.Get(limit.Preset("default"))(t)
		s.Limits = slices.DeleteFunc(s.Limits, func(l limit.Limit) bool { return l.Measure != limit.Patterns })
		s.Source = ""
		if c.accept != "" {
			must.NoError(t, s.Accept(c.accept))
		}
		o := Outcome{
			Patterns: c.patterns,
			Original: tabletest.Of(t, table.NumColumn("x", 1, []float64{1, 2})),
			Released: tabletest.Of(t, table.NumColumn("x", 1, []float64{2, 1})),
		}
		v := Judge(&o, Evidence{Limits: s})
		if said(v) != c.gate {
			t.Errorf("%+v: %s, want %s", c.patterns, said(v), c.gate)
		}
		if v.State == Withheld && c.patterns.Err == nil &&
			!strings.Contains(v.Reasons[0].Remedy().String(), "(--accept patterns="+exact(float64(c.patterns.Found))+")") {
			t.Errorf("the remedy is %s", v.Reasons[0].Remedy())
		}
		if first := Limits(&o)[0].Text.String(); !strings.HasPrefix(first, c.first) {
			t.Errorf("the first that is not protected: %s", first)
		}
	}
}

// TestRemedies: what is advised helps: nothing stronger where nobody could be tried, and no blanking of what was
// blanked.
func TestRemedies(t *testing.T) {
	lookup, found := bounds(limit.Lookup, math.NaN(), 0.01, false), bounds("found", math.NaN(), 0.09, false)
	failed := figured("found", "a", 0, 0, 0)
	failed.Err = message.Text("the rows are not paired")
	tried := []Lookups{{Intruder: "a", Found: 2, Tried: 100, People: 100, Lo: 0.02, Hi: 0.02}}
	for _, c := range []struct {
		name      string
		l         limit.Limit
		e         Evidence
		has, lack string
	}{
		{"unpaired", found, Evidence{Unpaired: true}, "--plan FILE", "stronger"},
		{"unpaired", found, Evidence{Unpaired: true}, "--paired", "--accept"},
		{"unpaired look-ups", lookup, Evidence{Unpaired: true}, "--paired", "--blank-lookups"},
		{"paired", found, Evidence{}, "Have it measured", "--paired"},
		{"look-ups", lookup, Evidence{Lookups: tried}, "--blank-lookups", "--paired"},
		{"blanked look-ups", lookup, Evidence{Lookups: tried, Blanked: true}, "hoose another technique", "--blank-lookups"},
	} {
		c.e.Limits = &limit.Set{Limits: []limit.Limit{c.l}}
		v := Judge(&Outcome{Measures: []Measured{failed}}, c.e)
		if got := v.Reasons[0].Remedy().String(); !strings.Contains(got, c.has) || strings.Contains(got, c.lack) {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// TestRemediesByKind: what did not change a table, what takes too long and what has drifted are told different things.
func TestRemediesByKind(t *testing.T) {
	value := 2.0
	for name, key := range map[string]string{limit.Altered: "remedy.alter", limit.Seconds: "remedy.machine",
		limit.Drift: "remedy.newPlan", limit.Patterns: "remedy.hide"} {
		j := &judging{Outcome: &Outcome{}, e: &Evidence{}, v: &Verdict{}}
		do, _ := j.remedies(WithCare, &Demand{Measure: name, Value: &value})
		if len(do) == 0 || do[0].String() != message.Say(key).String() {
			t.Errorf("%s: %v, expected %s", name, do, key)
		}
	}
}

// TestJudgeLookups: who can be looked up withholds above the limit, and where nobody could be tried the limit is not
// kept.
func TestJudgeLookups(t *testing.T) {
	s := &limit.Set{Name: "x", Limits: []limit.Limit{bounds(limit.Lookup, math.NaN(), 0.01, false)}}
	for _, c := range []struct {
		who  []Lookups
		want State
	}{
		{[]Lookups{{Intruder: "a", Found: 1, Tried: 100, People: 100, Lo: 0.01, Hi: 0.01}}, Meets},
		{[]Lookups{{Intruder: "a", Found: 2, Tried: 100, People: 100, Lo: 0.02, Hi: 0.02}}, Withheld},
		{[]Lookups{{Intruder: "a", Found: 0, Tried: 100, People: 1000, Lo: 0, Hi: 0.0295}}, Withheld},
		{[]Lookups{{Intruder: "a"}, {Intruder: "b", Found: 8, Tried: 10, Lo: 0.8, Hi: 0.8}}, WithCare},
		{[]Lookups{{Intruder: "a"}, {Intruder: "b", Found: 9, Tried: 10, Lo: 0.9, Hi: 0.9}}, Withheld},
		{nil, Withheld},
	} {
		if v := Judge(&Outcome{}, Evidence{Limits: s, Binding: []string{"a"}, Lookups: c.who}); v.State != c.want {
			t.Errorf("%+v: %s", c.who, said(v))
		}
	}
	unproven := Judge(&Outcome{},
		Evidence{Limits: s, Lookups: []Lookups{{Intruder: "a", Tried: 100, People: 1000, Hi: 0.0295}}})
	if why := unproven.Demands[0].Why; !strings.Contains(why.String(), "at least 199 more must be tried") {
		t.Errorf("0 of 299 prove 1 %%: %s", why)
	}
}

// TestJudgeSentence: the worst intruder whom the limits bind, with bounds and what it was of the original; all attacks
// in order.
func TestJudgeSentence(t *testing.T) {
	before := 0.994
	m := func(name, who, secret string, share, hi float64) Measured {
		x := figured(name, who, share, 0, hi)
		x.Described = who == "knows a"
		x.Value.Detail = assault{Secret: secret, Share: share, Lo: 0.021, Hi: hi, Tried: 500, Before: &before}
		return x
	}
	o := &Outcome{
		Measures: []Measured{
			m("learned", "all", "wage", 0.5, 0.6),
			m("found", "knows a", "", 0.03, 0.045),
			m("found", "all", "", 0.2, 0.25),
		},
	}
	v := Judge(o, Evidence{Limits: &limit.Set{}, Binding: []string{"knows a"}})
	if want := "Of 100 people, 3 are found by an intruder who knows a (2.1 to 4.5; 95 % bounds, 500 people tried); in " +
		"the original it was 99."; v.Sentence.String() != want {
		t.Errorf("%s", v.Sentence)
	}
	o.Measures[1].Described = false // so a policy named the intruder, in the same words
	if v = Judge(o, Evidence{Limits: &limit.Set{}, Binding: []string{"knows a"}}); !strings.Contains(
		v.Sentence.String(), "who is declared as knows a (") {
		t.Errorf("a name that was declared: %s", v.Sentence)
	}
	var order []string
	for _, a := range v.Worst {
		order = append(order, fmt.Sprint(a.Intruder, a.Secret))
	}
	if got := strings.Join(order, ","); got != "all,knows a,allwage" {
		t.Errorf("%s", got)
	}
}

// TestJudgeUntouched: records that are as they were in every column, and not by chance, are a matter of care.
func TestJudgeUntouched(t *testing.T) {
	a := must.Get(table.New(table.NumColumn("v", 1, []float64{1, 2, 3}), table.NumColumn("w", 1, []float64{1, 2, 3})))(t)
	b := must.Get(table.New(table.NumColumn("v", 1, []float64{1, 2, 9}), table.NumColumn("w", 1, []float64{1, 9, 3})))(t)
	v := Judge(
		&Outcome{Original: a, Released: b, Changes: []Change{{Column: "v", Changed: 0.3}}},
		Evidence{
			Limits:    &limit.Set{Limits: []limit.Limit{bounds(limit.Text, math.NaN(), 0, false)}},
			Telling:   []Identifying{},
			LeftAlone: 1,
		},
	)
	if v.State != WithCare || v.Reasons[0].Says.String() != "1 of 3 records is released untouched in every column" {
		t.Errorf("%s", said(v))
	}
}

// TestWords: figures are rounded to what their bounds allow and never across the limit, with the column whose loss
// helps most and the value to accept.
func TestWords(t *testing.T) {
	coarse := 0.03
	lacks := func(c *float64) assault {
		return assault{
			Tried:   100,
			People:  200,
			Right:   11,
			Without: []measure.Without{{Column: "home zip", Dropped: 0.021, Coarse: c}},
		}
	}
	m := func(name string, score, lo, hi float64, unit measure.Unit, detail any) Measured {
		x := figured(name, "knows age", score, lo, hi)
		x.Title, x.Unit, x.Value.Detail, x.Described = "Title", unit, detail, true
		return x
	}
	for _, c := range []struct {
		m            Measured
		most         float64
		text, remedy string
	}{
		{m("found", 0.10894, 0.0901, 0.131, measure.Unit{}, lacks(nil)), 0.09, "an intruder who knows age finds 11 of 100 " +
			"people (9.01 to 13); at most 9 are allowed",
			"Drop home zip (--role 'home zip=identifier'): without home zip it would be 2.1, or choose another technique, " +
				"or accept it (--accept found=0.14)."},
		{m("found", 0.2, 0.1, 0.3, measure.Unit{}, lacks(&coarse)), 0.09, "an intruder who knows age finds 20 of 100 " +
			"people (10 to 30); at most 9 are allowed",
			"Coarsen home zip to a few classes: it would then be 3 (without home zip, 2), or choose another technique, " +
				"or accept it (--accept found=0.3)."},
		{m("learned", 0.2, 0.1, 0.3, measure.In(measure.Share, message.Say("unit.beyondControl")), assault{Secret: "wage"}),
			0.01,
			"an intruder who knows age learns wage of 20 more of 100 people than if they were not in the release (10 to 30); " +
				"at most 1 is allowed", ""},
		{m("other", 1.0/12, 1.0/13, 0.4945123, measure.In(measure.Bits, message.Say("unit.bits")), nil), 0.01,
			"Title is 0.08 bits (0.08 to 0.49), against an intruder who knows age; at most 0.01 is allowed", ""},
		{m("other", 12345.678, 12345.678, 12345.678, measure.Unit{}, nil), 12345.6, "Title is 12,346, against an intruder " +
			"who knows age; at most 12,345.6 is allowed", ""},
		{m("other", 1.0/12, 1.0/13, 0.4945123, measure.In(measure.Share, message.Text("of records")), nil), 0.07,
			"Title is 8 % (8 to 49), against an intruder who knows age; at most 7 % is allowed", ""},
	} {
		v := Judge(&Outcome{Measures: []Measured{c.m}},
			Evidence{Limits: &limit.Set{Limits: []limit.Limit{bounds(c.m.Name, math.NaN(), c.most, false)}}})
		if r := v.Reasons[0]; r.Says.String() != c.text || c.remedy != "" && r.Remedy().String() != c.remedy {
			t.Errorf("got  %s\n     %s\nwant %s\n     %s", r.Says, r.Remedy(), c.text, c.remedy)
		}
	}
}

// TestJudgeInstead: where the risk in the population does not apply, the people found are held against its limit; they
// are never fewer, so they show that it is kept and never that it is broken.
func TestJudgeInstead(t *testing.T) {
	skipped := figured("populationrisk", "a", math.NaN(), 0, 0)
	skipped.Err, skipped.Skip = message.Text("does not apply to noise"), true
	failed := skipped
	failed.Skip = false
	found, much := figured("found", "a", 0, 0, 0.009), figured("found", "a", 0.4, 0.3, 0.5)
	other := figured("found", "b", 0, 0, 0)
	for name, c := range map[string]struct {
		ms      []Measured
		partial bool
		state   State
		why     string
	}{
		"it applies": {[]Measured{figured("populationrisk", "a", 0.5, 0.5, 0.5), found}, false, Withheld,
			"populationrisk is"},
		"kept":          {[]Measured{skipped, found}, false, Meets, ""},
		"not shown":     {[]Measured{skipped, much}, false, Withheld, "a finds 40 of 100"},
		"of another":    {[]Measured{skipped, other}, false, Withheld, "was not measured"},
		"failed":        {[]Measured{failed, found}, false, Withheld, "was not measured"},
		"not asked for": {[]Measured{skipped}, true, Unjudged, "was not judged"},
		"could not": {[]Measured{skipped, {Card: card.Card{Name: "found"}, Intruder: "a", Skip: true}}, true, Withheld,
			""},
		"nobody asks it": {[]Measured{skipped}, false, Withheld, "was not measured"},
	} {
		v := Judge(&Outcome{Measures: c.ms}, Evidence{Partial: c.partial,
			Limits: &limit.Set{Limits: []limit.Limit{bounds("populationrisk", math.NaN(), 0.01, false)}}})
		if v.State != c.state || v.State == Withheld && v.Gate.Unshown() == (name == "it applies") ||
			c.why != "" && !strings.Contains(v.Reasons[0].Says.String(), c.why) {
			t.Errorf("%s: %+v: %s", name, v.Gate, said(v))
		}
	}
}
