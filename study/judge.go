package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/confidence"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/policy"
)

// level is that of the one-sided bounds of shares of the people.
const level = 0.95

// Evidence is what a release is judged by beside the measures of its outcome.
type Evidence struct {
	Limits *limit.Set
	// Binding names the intruders against whom every limit must hold; nil for all. What the others can do makes a reason for care at worst. A
	// limit that is declared holds against all of them.
	Binding []string
	Lookups []Lookups // one for every intruder
	Telling []Telling // the columns that say who somebody is, or more of somebody than a table may
	// Partial says that only some measures were asked for: limits on the others are not judged, and the verdict says so.
	Partial bool
}

// Judge says whether a release may go out. Every limit is held against every intruder whom it binds, by the pessimistic end of the figure. Cost: that
// of counting the records that were left untouched, O(records x columns).
func Judge(o *Outcome, e Evidence) *Verdict {
	v := &Verdict{Limits: e.Limits.String(), Unchecked: e.Limits.Unchecked}
	j := judging{o, &e, v}
	for k := range e.Limits.Limits {
		j.demand(&e.Limits.Limits[k])
	}
	j.attacks()
	j.reasons()
	fitness(o, v)
	slices.SortStableFunc(v.Demands, func(a, b Demand) int { return cmp.Compare(a.Standing.severity(), b.Standing.severity()) })
	slices.SortStableFunc(v.Reasons, func(a, b Reason) int { return cmp.Compare(a.State.severity(), b.State.severity()) })
	v.State = Meets
	if len(v.Reasons) > 0 {
		v.State = v.Reasons[0].State
	}
	return v
}

// Broken returns the demands that withhold the release.
func (v *Verdict) Broken() []Demand {
	var out []Demand
	for _, d := range v.Demands {
		if d.Standing != Met {
			out = append(out, d)
		}
	}
	return out
}

// Gate is the last line of every text: what became of the release, and why.
func (v *Verdict) Gate() string {
	switch v.State {
	case Meets:
		return fmt.Sprintf("gate: %s (%s)", Meets, v.Limits)
	case Withheld, WithCare:
	}
	var why []string
	for _, r := range v.Reasons {
		if r.State == v.State {
			why = append(why, r.Text)
		}
	}
	return fmt.Sprintf("gate: %s: %s", v.State, strings.Join(why, "; "))
}

func (s Standing) severity() int { return slices.Index([]Standing{Broke, Unproven, Met}, s) }

func (s State) severity() int { return slices.Index([]State{Withheld, WithCare, Meets}, s) }

// judging is one verdict in the making.
type judging struct {
	*Outcome
	e *Evidence
	v *Verdict
}

// binds reports whether a limit must hold against an intruder.
func (j *judging) binds(l *limit.Limit, who string) bool {
	return l.Declared || who == "" || j.e.Binding == nil || slices.Contains(j.e.Binding, who)
}

// demand judges one limit.
func (j *judging) demand(l *limit.Limit) {
	switch {
	case l.OfColumns():
		j.v.Demands = append(j.v.Demands, columns(l, j.e.Telling))
	case l.Measure == limit.Lookup:
		j.lookups(l)
	default:
		j.measured(l)
	}
}

// measured holds a limit against every intruder of a measure.
func (j *judging) measured(l *limit.Limit) {
	asked := false
	for k := range j.Measures {
		m := &j.Measures[k]
		if m.Name != l.Measure {
			continue
		}
		asked = true
		if l.IfAny && (m.Skip || ofMeasure(l, m).Standing == Unproven) {
			continue
		}
		if j.binds(l, m.Intruder) {
			j.v.Demands = append(j.v.Demands, ofMeasure(l, m))
		} else if d := ofMeasure(l, m); d.Standing != Met && m.Err == "" {
			j.v.Reasons = append(j.v.Reasons, j.reason(WithCare, &d))
		}
	}
	switch {
	case asked:
	case j.e.Partial && l.IfAny:
	case j.e.Partial:
		j.v.Reasons = append(j.v.Reasons, Reason{State: WithCare, Text: l.Measure + " was not measured, so the limit on it was not judged", Remedy: "Leave out the choice of measures."})
	default:
		d := bare(l)
		d.Standing, d.Why = Broke, "it was not measured"
		j.v.Demands = append(j.v.Demands, d)
	}
}

// bare is a demand that nothing is known of.
func bare(l *limit.Limit) Demand {
	d := Demand{Measure: l.Measure, Title: cmp.Or(limit.Titles[l.Measure], l.Measure), Min: l.Min, Max: l.Max, Source: l.Source, Accepted: l.Accepted}
	if l.Measure == limit.Lookup {
		d.Unit = "share of the people"
	}
	return d
}

// ofMeasure judges a measure by a limit.
func ofMeasure(l *limit.Limit, m *Measured) Demand {
	d := bare(l)
	d.Title, d.Unit, d.Against = m.Title, m.Unit, m.Intruder
	score, lo, hi := m.Value.Score, m.Value.Lo, m.Value.Hi
	if m.Err != "" || math.IsNaN(score) {
		d.Standing, d.Why = Broke, cmp.Or(m.Err, "it has no score")
		return d
	}
	if math.IsNaN(lo) || math.IsNaN(hi) {
		lo, hi = math.Inf(-1), math.Inf(1)
	}
	d.figures(score, lo, hi)
	if d.Standing == Unproven {
		d.Why = missing(l, m)
	}
	return d
}

// figures puts the figure with its bounds in and says what becomes of the demand.
func (d *Demand) figures(score, lo, hi float64) {
	switch met, broken := limit.Keeps(lo, hi, d.Min, d.Max); {
	case met:
		d.Standing = Met
	case broken:
		d.Standing = Broke
	default:
		d.Standing = Unproven
	}
	d.Value, d.Lo, d.Hi = finite(score), finite(lo), finite(hi)
}

func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// missing says how many more people must be tried for an unproven demand.
func missing(l *limit.Limit, m *Measured) string {
	a, ok := m.Value.Detail.(measure.Assault)
	if !ok || l.Max == nil {
		return "its interval holds the limit; more records must be measured"
	}
	at := a.Attack()
	if n := confidence.MoreIfNoneSucceed(at.Right, float64(at.Tried), level, *l.Max); n > 0 {
		return fmt.Sprintf("at least %d more people must be tried, and none of them found", n)
	}
	return "more people must be tried"
}

// String is the demand and what became of it, in one line.
func (d *Demand) String() string {
	b := policy.Breach{Threshold: policy.Threshold{Measure: d.Measure, Min: d.Min, Max: d.Max}, Value: d.Value}
	s := b.String()
	if d.Value != nil && d.Standing == Unproven {
		end := d.Hi
		if d.Max == nil || d.Min != nil && d.Lo != nil && *d.Lo < *d.Min {
			end = d.Lo
		}
		if end != nil {
			b.Value = end
			_, worst, _ := strings.Cut(b.String(), " is ")
			worst, _, _ = strings.Cut(worst, ", expected")
			s = strings.Replace(s, ", expected", " and may be "+worst+", expected", 1)
		} else {
			s += " (its bounds are not known)"
		}
	}
	if d.Against != "" {
		s += " (intruder: " + d.Against + ")"
	}
	return s
}
