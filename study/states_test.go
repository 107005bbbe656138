package study

import (
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// This file holds the rules by which a state is decided (docs/verdict.md) once more, as one plain reading of them, and
// compares it with the judge on every combination.

// situation is what a release is judged by, a word for each thing that a rule is about.
type situation struct {
	bound   string // what the limit on found comes to against the one whom it binds
	accept  string // of that limit
	more    string // what one finds who knows more
	yielded bool   // that one is accepted
	spared  bool   // that one knows only declared columns, and k-anonymity over the others is promised
	altered string // what became of the values
	part    bool   // only some measures were asked for
}

// figures against the limit of 9 of 100: the score and its bounds.
var figuresOf = map[string][3]float64{
	"kept": {0.01, 0, 0.05}, "at the limit": {0.09, 0.09, 0.09}, "across": {0.08, 0.05, 0.12},
	"broken": {0.2, 0.1, 0.3},
	"a few":  {0.3, 0.2, 0.4}, "perhaps nearly all": {0.85, 0.8, 0.95}, "nearly all": {1, 0.95, 1},
}

// want is the state, and whether it is only unproven or nothing had to change.
func (s *situation) want() (state State, unproven, unchanged bool) {
	var broken, open, care, unjudged, nothing bool
	most := map[string]float64{"": 0.09, "enough": 0.3, "too little": 0.1}[s.accept]
	f := figuresOf[s.bound]
	accepted := false
	switch s.bound {
	case "not measured":
		open, unjudged, care = !s.part, s.part, s.part
	case "failed":
		open = true
	case "undecided", "does not apply": // a way in besides; a column limit is kept
	default:
		broken, open = f[1] > most, f[1] <= most && f[2] > most
		accepted = s.accept != "" && f[2] > 0.09
	}
	care = care || accepted && !broken && !open
	switch n := figuresOf[s.more]; {
	case s.more == "" || n[2] <= most: // nothing that the limit does not allow
	case s.more == "nearly all" && !s.spared && !s.yielded:
		broken = true
	case s.more == "perhaps nearly all" && !s.spared && !s.yielded:
		open = true
	default:
		care = true
	}
	if s.altered != "changed" {
		nothing = s.altered == "the original" && !broken && !open && !care && !unjudged && s.bound != "undecided"
		broken = broken || !nothing
	}
	switch {
	case broken || open:
		return Withheld, !broken, false
	case unjudged:
		return Unjudged, false, false
	case care:
		return WithCare, false, false
	}
	return Meets, false, nothing
}

// set is the limits of the situation: one on found, and one on columns that is kept.
func (s *situation) set(t *testing.T) *limit.Set {
	l := bounds("found", math.NaN(), 0.09, false)
	l.IfAny = s.bound == "undecided" || s.bound == "does not apply"
	set := &limit.Set{Name: "test", Limits: []limit.Limit{l, bounds(limit.Text, math.NaN(), 0, false)}}
	accept := map[string]string{"enough": "found=0.3", "too little": "found=0.1"}[s.accept]
	for _, a := range []string{accept, map[bool]string{true: "stronger=1"}[s.yielded]} {
		if a != "" {
			must.NoError(t, set.Accept(a))
		}
	}
	return set
}

// outcome is the release of the situation: a quasi-identifier and another column.
func (s *situation) outcome(t *testing.T) *Outcome {
	numbers := func(age, other []float64) *table.Table {
		x := tabletest.Of(t, table.NumColumn("age", 1, age), table.NumColumn("other", 1, other))
		a := *x.Attr(0)
		a.Role = table.Quasi
		return x.WithAttr(0, a)
	}
	o := &Outcome{Original: numbers([]float64{1, 2}, []float64{5, 6})}
	o.Changes = []Change{{Column: "age", Changed: 0}, {Column: "other", Changed: 0}}
	switch s.altered {
	case "changed":
		o.Released, o.Changes[0].Changed = numbers([]float64{3, 4}, []float64{5, 6}), 1
	case "another column":
		o.Released, o.Changes[1].Changed = numbers([]float64{1, 2}, []float64{7, 8}), 1
	case "a record less":
		o.Released = numbers([]float64{1}, []float64{5})
	default:
		o.Released = o.Original
	}
	switch m := figured("found", "bound", math.NaN(), math.NaN(), math.NaN()); s.bound {
	case "not measured":
	case "failed":
		m.Err = message.Text("no pairs")
		o.Measures = append(o.Measures, m)
	case "does not apply":
		m.Err, m.Skip = message.Text("no order"), true
		o.Measures = append(o.Measures, m)
	default:
		f := figuresOf[map[bool]string{true: "across", false: s.bound}[s.bound == "undecided"]]
		o.Measures = append(o.Measures, figured("found", "bound", f[0], f[1], f[2]))
	}
	if f, ok := figuresOf[s.more]; ok {
		o.Measures = append(o.Measures, figured("found", "more", f[0], f[1], f[2]))
	}
	return o
}

// TestStates: the state in every combination of what the rules are about.
func TestStates(t *testing.T) {
	no := []bool{false, true}
	seen := map[State]int{}
	for _, bound := range []string{"kept", "at the limit", "across", "broken", "not measured", "failed", "undecided",
		"does not apply"} {
		for _, accept := range []string{"", "enough", "too little"} {
			for _, more := range []string{"", "kept", "a few", "perhaps nearly all", "nearly all"} {
				for _, altered := range []string{"changed", "the original", "another column", "a record less"} {
					for k := range 8 {
						s := situation{bound, accept, more, no[k&1], no[k>>1&1], altered, no[k>>2]}
						if !s.sensible() {
							continue
						}
						seen[s.check(t)]++
					}
				}
			}
		}
	}
	for _, state := range []State{Withheld, WithCare, Meets, Unjudged} {
		if seen[state] == 0 {
			t.Errorf("no combination is %s", state)
		}
	}
}

// sensible leaves out what the plain reading does not tell: who finds more of a limit that binds nobody.
func (s *situation) sensible() bool {
	besides := s.bound == "undecided" || s.bound == "does not apply"
	alone := s.bound == "not measured" && s.more != "" // then found was measured
	return !alone && !(besides && (s.accept != "" || s.more != "")) && !(s.part && s.bound != "not measured")
}

// check judges one combination, and returns its state.
func (s *situation) check(t *testing.T) State {
	e := Evidence{Limits: s.set(t), Binding: []string{"bound"}, Telling: []Identifying{}, Partial: s.part}
	if s.spared {
		e.Spared = []string{"more"}
	}
	v := Judge(s.outcome(t), e)
	state, unproven, unchanged := s.want()
	if v.State != state || v.Gate.Unshown() != unproven || v.Unchanged != unchanged {
		t.Errorf("%+v: %s, unproven %v, unchanged %v; want %s, %v, %v", *s, v.State, v.Gate.Unshown(), v.Unchanged,
			state, unproven, unchanged)
	}
	for _, r := range v.Reasons {
		if r.State == Withheld && v.State != Withheld {
			t.Errorf("%+v: a release that is %s has a reason to withhold it: %s", *s, v.State, r.Says)
		}
	}
	first := s.spared && !s.yielded && s.more == "nearly all" && v.State == WithCare
	if first && !strings.Contains(v.Reasons[0].Says.String(), "as more finds 100 of 100") {
		t.Errorf("%+v: the one who finds nearly all is not named first: %s", *s, v.Reasons[0].Says)
	}
	return v.State
}
