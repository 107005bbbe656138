package study

import (
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// Violations is the measure of what became of the relations between columns.
const Violations = "constraintviolations"

// implied withholds a release in which other columns tell what was suppressed, generalised or changed: such a value is
// released. It holds beside whatever limits were asked for, unless one of them is on the measure, and not where none
// are asked for by name.
func (j *judging) implied() {
	m, l := Find(j.Measures, limit.Implied), limit.LeastImplied()
	if m == nil || m.Value.Score <= *l.Max || j.e.Limits.Name == limit.None || j.e.Limits.Find(l.Measure) != nil {
		return
	}
	d := ofMeasure(&l, m)
	d.Usual = true
	j.v.Demands = append(j.v.Demands, d)
	j.v.Gate.Limits++
	j.v.Gate.Failed++
}

// impliedBy says of a demand on what is implied which columns tell what.
func (d *Demand) impliedBy(m *Measured) {
	if says, ok := m.Value.Detail.(interface{ List() message.Sentence }); ok && d.Value != nil && *d.Value > 0 {
		d.said = message.Say("demand.implied").Part("n", d.number(*d.Value, d.factor())).
			Part("people", measure.Subject(d.people)).Part("list", says.List().Among(m.Words))
	}
}

// BrokenRelations says how many records of the release break which relations that hold in the original; it is empty
// where none does, or nobody looked.
func (o *Outcome) BrokenRelations() message.Sentence {
	m := Find(o.Measures, Violations)
	if m == nil || m.Value.Score == 0 {
		return message.Sentence{}
	}
	if says, ok := m.Value.Detail.(interface{ Sentence() message.Sentence }); ok {
		return says.Sentence().Among(m.Words)
	}
	return message.Sentence{}
}
