package study

import (
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// toldOf is a detail that names what is given away, and broken one that names what is broken.
type toldOf struct{ text string }

func (s toldOf) List() message.Sentence     { return message.Text(s.text) }
func (s toldOf) Sentence() message.Sentence { return message.Text(s.text) }

// TestImplied: values that other columns tell of more than one in a hundred people withhold a release beside whatever
// limits were asked for; not where none were, nor where another limit on them is kept.
func TestImplied(t *testing.T) {
	most := 0.5
	for _, c := range []struct {
		name   string
		limits limit.Set
		score  float64
		state  State
	}{
		{"as asked", limit.Set{Name: "own", Limits: []limit.Limit{{Measure: limit.Lookup, Max: &most}}}, 0.02, Withheld},
		{"few", limit.Set{Name: "own", Limits: []limit.Limit{{Measure: "iqm", Max: &most}}}, 0.01, Withheld},
		{"none", limit.Set{Name: limit.None}, 1, Unjudged},
		{"another", limit.Set{Name: "own", Limits: []limit.Limit{{Measure: limit.Implied, Max: &most}}}, 0.4, Meets},
		{"another", limit.Set{Name: "own", Limits: []limit.Limit{{Measure: limit.Implied, Max: &most}}}, 0.6, Withheld},
	} {
		m := Measured{
			Card:  card.Card{Name: limit.Implied, Title: "Values implied"},
			Side:  measure.Risk,
			Unit:  measure.OfPeople("unit.ofPeople"),
			Value: measure.Value{Score: c.score, Lo: c.score, Hi: c.score, Detail: toldOf{"code by code -> text"}},
		}
		v := Judge(&Outcome{Measures: []Measured{m}}, Evidence{Limits: &c.limits})
		at := slices.IndexFunc(v.Demands, func(d Demand) bool { return d.Measure == limit.Implied && d.Standing == Broke })
		if broke := c.score > 0.01 && c.state == Withheld; (at >= 0) != broke || v.State != c.state {
			t.Errorf("%s, %v: %s with %+v", c.name, c.score, v.State, v.Demands)
		} else if broke && !strings.Contains(v.Demands[at].Sentence().String(), "code by code -> text") {
			t.Errorf("it says %q", v.Demands[at].Sentence())
		}
	}
}

// TestFitForUsers: users of a release are told that it is not for relations, and not which ones were found.
func TestFitForUsers(t *testing.T) {
	u := measure.Use{What: message.Text("relations"), Loss: 1, Lo: 1, Hi: 1, Bad: 1, Nothing: message.Text("a = b"),
		Confidential: true}
	o := &Outcome{Measures: []Measured{{Side: measure.Utility, Uses: []measure.Use{u}}}}
	o.Verdict = &Verdict{State: Meets}
	fitness(o, o.Verdict)
	if len(o.Verdict.NotFor) != 1 || !strings.Contains(o.Verdict.NotFor[0].String(), "a = b") {
		t.Errorf("the custodian is told %v", o.Verdict.NotFor)
	}
	p := Published(o)
	if len(p.Verdict.NotFor) != 1 || p.Verdict.NotFor[0].String() != "relations" || p.Measures[0].Uses != nil {
		t.Errorf("users are told %v", p.Verdict.NotFor)
	}
}

// TestBrokenRelations: what is broken is said where something is.
func TestBrokenRelations(t *testing.T) {
	m := Measured{Card: card.Card{Name: Violations}, Value: measure.Value{Detail: toldOf{"two records"}}}
	o := &Outcome{Measures: []Measured{m}}
	if says := o.BrokenRelations(); !says.Empty() {
		t.Errorf("nothing is broken, and it says %q", says)
	}
	o.Measures[0].Value.Score = 0.1
	if says := o.BrokenRelations(); says.String() != "two records" {
		t.Errorf("it says %q", says)
	}
}
