package study

import (
	"cmp"

	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// Taken is a figure of what is no release of records, such as tables of counts, for a limit to be held against. It is
// counted, not estimated from a sample.
type Taken struct {
	Measure  string  // the name of the limit
	Value    float64 // NaN where nothing could be looked at
	Unit     measure.Unit
	Remedies []message.Sentence // where it breaks the limit
	// Lacking is why a figure that keeps the limit does not show that it is kept: something could not be looked at. Empty
	// where all was.
	Lacking message.Sentence
}

// Weigh judges by figures that were taken. What a limit is on and was not taken is not shown to be kept, unless there
// may be nothing to judge (limit.Limit.IfAny).
func Weigh(limits *limit.Set, taken []Taken) *Verdict {
	v := &Verdict{Limits: limits.Sentence(), Gate: Gate{NotJudged: []string{}, Undecided: []string{}},
		GoodFor: []message.Sentence{}, NotFor: []message.Sentence{}}
	for k := range limits.Limits {
		l, from := &limits.Limits[k], len(v.Demands)
		d, there := weighed(l, taken)
		if there || !l.IfAny {
			d.Usual = limits.Usual(l)
			v.Demands = append(v.Demands, d)
		}
		v.Gate.count(l, v.Demands[from:], true)
		for _, d := range v.Demands[from:] {
			v.reason(&d, taken)
		}
	}
	for _, p := range limits.Unchecked {
		v.Unchecked = append(v.Unchecked, p.Sentence())
	}
	sorting.Stable(v.Demands, func(a, b Demand) int { return cmp.Compare(a.Standing.severity(), b.Standing.severity()) })
	sorting.Stable(v.Reasons, func(a, b Reason) int { return cmp.Compare(a.State.severity(), b.State.severity()) })
	v.State = v.state()
	return v
}

// weighed holds a limit against the figure that was taken for it.
func weighed(l *limit.Limit, taken []Taken) (d Demand, there bool) {
	d = bare(l)
	for _, t := range taken {
		if t.Measure == l.Measure {
			d.Unit = t.Unit
			d.figures(t.Value, t.Value, t.Value)
			switch {
			case t.Lacking.Empty() || d.Standing == Broke:
			case d.Accepted:
				d.Standing, d.Needed = Met, true
			default:
				d.Standing, d.Why = Unproven, t.Lacking
			}
			return d, true
		}
	}
	d.Standing, d.Why = Unproven, message.Say("lacking.shown")
	return d, false
}

// reason says why a demand withholds what is judged, or that it was overridden.
func (v *Verdict) reason(d *Demand, taken []Taken) {
	switch {
	case d.Standing != Met:
		r := Reason{State: Withheld, Says: d.Sentence(), Columns: []string{}}
		if d.Standing == Unproven && !d.Why.Empty() {
			r.Says = d.Why
		}
		for _, t := range taken {
			if t.Measure == d.Measure {
				r.Remedies = t.Remedies
			}
		}
		v.Reasons = append(v.Reasons, r)
	case d.Accepted && d.Needed:
		v.Reasons = append(v.Reasons, Reason{State: WithCare, Says: accepted(d), Remedies: []message.Sentence{},
			Columns: []string{}})
	}
}
