package study

import (
	"slices"

	"github.com/dither-data/dither/limit"
)

// stronger judges what those can do whom the limits do not bind, because they know more. It is a matter of care as long
// as they succeed on few people. From the bound of limit.Stronger on it withholds the release, unless that is
// accepted, or the intruder is spared: an owner who declared all columns, and has k-anonymity over those that others
// know, said what others know.
func (j *judging) stronger() {
	l := j.e.Limits.Find(limit.Stronger)
	if l == nil {
		l = limit.OfStronger()
	}
	j.v.Outknown = j.free != nil
	var spared, care []Reason
	var demands []Demand
	for k := range j.free {
		d := &j.free[k]
		over := d.over(l)
		switch {
		case over.Standing == Met && !over.Needed || j.e.Limits.Name == limit.None:
			care = append(care, j.reason(WithCare, d))
		case over.Standing != Met && slices.Contains(j.e.Spared, d.Against):
			spared = append(spared, j.reason(WithCare, d))
		default:
			demands = append(demands, over)
		}
	}
	j.v.Reasons = slices.Concat(spared, j.v.Reasons, care)
	j.v.Demands = append(j.v.Demands, demands...)
	j.v.Gate.count(l, demands, true)
}

// over holds what an intruder does to people against the limit on those who know more. Anything else is met: it is no
// share of the people, or was not measured.
func (d *Demand) over(l *limit.Limit) Demand {
	o := *d
	if o.Standing = Met; d.act() == nil || d.Value == nil || d.Lo == nil || d.Hi == nil {
		return o
	}
	b := bare(l)
	o.Measure, o.of, o.Title, o.Source, o.Min, o.Max, o.was = l.Measure, d.Measure, b.Title, b.Source, l.Min, l.Max, b.was
	o.Accepted, o.Why, o.More, o.Usual = l.Accepted, b.Why, nil, l.Source == limit.House
	o.figures(*d.Value, *d.Lo, *d.Hi)
	if !l.Accepted && o.Standing == Met && *o.Hi >= *l.Max { // the bound itself is one of those on whom it succeeds
		o.Standing = Unproven
		if *o.Lo >= *l.Max {
			o.Standing = Broke
		}
	}
	return o
}
