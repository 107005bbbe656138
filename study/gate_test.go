package study

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
)

// TestGate: a limit counts once, by its worst intruder whom it binds; what was not asked for is not judged, and what
// there is nothing to judge by does not count.
func TestGate(t *testing.T) {
	nan := math.NaN()
	at9, half := bounds("found", nan, 0.09, false), bounds("accuracy", 0.5, nan, true)
	way := bounds("roworder", nan, 0.09, false)
	way.IfAny = true
	text, work := bounds(limit.Text, nan, 0, false), bounds(limit.Seconds, nan, 10, false)
	good, open, bad := figured(
		"found",
		"a",
		0.01,
		0,
		0.09,
	), figured("found", "b", 0.05, 0.01, 0.1), figured("found", "c", 0.2, 0.1, 0.3)
	small := figured("roworder", "a", 0.05, 0.01, 0.1)
	skipped := small
	skipped.Err, skipped.Skip = message.Text("no order"), true
	for _, c := range []struct {
		name    string
		limits  []limit.Limit
		binding []string
		ms      []Measured
		partial bool
		want    string
		state   State
	}{
		{"nothing asked", nil, nil, []Measured{bad}, false, "verdict: NOT JUDGED (no limit to judge by)", Unjudged},
		{"passes", []limit.Limit{at9, text}, nil, []Measured{good}, false,
			"verdict: MEETS THE LIMITS (2 of 2 limits kept)", Meets},
		{"one limit", []limit.Limit{at9}, nil, []Measured{good}, false,
			"verdict: MEETS THE LIMITS (1 of 1 limit kept)", Meets},
		{"unproven", []limit.Limit{at9, text}, nil, []Measured{good, open}, false,
			"verdict: WITHHELD (1 of 2 limits unproven)",
			Withheld},
		{"broken beats unproven", []limit.Limit{at9, half, text}, nil,
			[]Measured{good, open, figured("accuracy", "", 0.4, 0.4, 0.4)}, false,
			"verdict: WITHHELD (1 of 3 limits broken)", Withheld},
		{"the worst of several intruders", []limit.Limit{at9, text}, nil, []Measured{good, open, bad}, false,
			"verdict: WITHHELD (1 of 2 limits broken)", Withheld},
		{"those who bind", []limit.Limit{at9, text}, []string{"a"}, []Measured{good, open, bad}, false,
			"verdict: RELEASE WITH CARE (2 of 2 limits kept)", WithCare},
		{"not taken", []limit.Limit{at9, text}, nil, nil, false, "verdict: WITHHELD (1 of 2 limits unproven)", Withheld},
		{"not asked for", []limit.Limit{at9, half, way, text}, nil, []Measured{good}, true,
			"verdict: NOT JUDGED (2 of 4 limits kept; 2 not judged)", Unjudged},
		{"what must be shown broken not asked for", []limit.Limit{at9, way, text}, nil, []Measured{good}, true,
			"verdict: NOT JUDGED (2 of 3 limits kept; 1 not judged)", Unjudged},
		{"broken, and another not asked for", []limit.Limit{at9, half, text}, nil, []Measured{bad}, true,
			"verdict: WITHHELD (1 of 3 limits broken; 1 not judged)", Withheld},
		{"nothing of it asked for", []limit.Limit{at9, half}, nil, nil, true,
			"verdict: NOT JUDGED (none of 2 limits judged)", Unjudged},
		{"nobody looked up where only some were asked for", []limit.Limit{bounds(limit.Lookup, nan, 0.01, false), text}, nil,
			nil, true, "verdict: NOT JUDGED (1 of 2 limits kept; 1 not judged)", Unjudged},
		{"nothing but what must be shown broken, not asked for", []limit.Limit{way}, nil, nil, true,
			"verdict: NOT JUDGED (none of 1 limit judged)", Unjudged},
		{"nothing but how the technique works", []limit.Limit{work}, nil, []Measured{good}, false,
			"verdict: NOT JUDGED (none of 1 limit judged)", Unjudged},
		{"how the technique works besides", []limit.Limit{at9, work}, nil, []Measured{good}, false,
			"verdict: MEETS THE LIMITS (1 of 2 limits kept; 1 not judged)", Meets},
		{"another way, too few to tell", []limit.Limit{at9, way}, nil, []Measured{good, small}, false,
			"verdict: MEETS THE LIMITS (1 of 1 limit kept)", Meets},
		{"another way that does not apply", []limit.Limit{at9, way}, nil, []Measured{good, skipped}, false,
			"verdict: MEETS THE LIMITS (1 of 1 limit kept)", Meets},
	} {
		v := Judge(
			&Outcome{Measures: c.ms},
			Evidence{
				Limits:  &limit.Set{Name: "test", Limits: c.limits},
				Telling: []Identifying{},
				Binding: c.binding,
				Partial: c.partial,
			},
		)
		g := v.Gate
		if line := v.Line().String(); line != c.want || v.State != c.state {
			t.Errorf("%s: %s, %s; expected %s, %s", c.name, line, v.State, c.want, c.state)
		}
		if g.Passed+g.Failed+g.Unproven+len(g.NotJudged) != g.Limits {
			t.Errorf("%s: the counts do not add up: %+v", c.name, g)
		}
		if (g.Failed > 0 || g.Unproven > 0) != (v.State == Withheld) {
			t.Errorf("%s: %+v of a release that is %s", c.name, g, v.State)
		}
		if undecided := strings.Join(g.Undecided, " "); (undecided == "roworder") != (c.name == "another way, too few to "+
			"tell") {
			t.Errorf("%s: undecided: %s", c.name, undecided)
		}
	}
}

// TestMoreInDocument: programs read how many more people decide.
func TestMoreInDocument(t *testing.T) {
	m := figured("found", "a", 0.075, 0.0617, 0.0902)
	m.Value.Detail = assault{Right: 75, Tried: 1000, People: 9000}
	v := Judge(&Outcome{Measures: []Measured{m}},
		Evidence{Limits: &limit.Set{Limits: []limit.Limit{bounds("found", math.NaN(), 0.09, false)}}})
	d, err := json.Marshal(v)
	if err != nil || !strings.Contains(string(d), `"more":{"ifNone":2,"atThisRate":`) ||
		!strings.Contains(string(d), `"kept":true,"most":3500}`) {
		t.Errorf("%s, %v", d, err)
	}
	if r := v.Reasons[0]; !strings.Contains(r.Remedy().String(), "est more of them (--set found.people=") {
		t.Errorf("%s", r.Remedy())
	}
	if !strings.Contains(string(d), `"state":"withheld","gate":{"limits":1,"passed":0,"failed":0,"unproven":1,`) {
		t.Errorf("%s", d)
	}
}
