package study

import (
	"fmt"
	"strings"

	"github.com/dither-data/dither/internal/drift"
	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
)

// This file judges a table to which a plan is applied by how far it is from the one that the plan was made of.

// drifted judges the limits on drift; there is nothing to judge where no plan was applied, or one that does not know what its table was like.
func (j *judging) drifted(l *limit.Limit) {
	if j.Drift == nil {
		return
	}
	d := bare(l)
	if l.Measure == limit.Drift {
		name, f := j.Drift.Worst()
		d.Unit = measure.In(measure.Ratio, "index")
		d.figures(f.PSI, f.PSI, f.PSI)
		d.said = "the table is not like the one that the plan was made of: its index of drift is " + indexOf(name, f, d.beside(f.PSI, 2, 1))
	} else {
		name, most := outsideOf(j.Drift)
		d.Unit = measure.In(measure.Share, "of the values")
		d.figures(most, most, most)
		share := numeral.Percent(most)
		if d.Standing != Met { // so many digits as tell it from the limit
			share = d.beside(100*most, 1, 100) + " %"
		}
		d.said = fmt.Sprintf("%s of the values of %s are outside the range of the plan", share, name)
	}
	j.v.Demands = append(j.v.Demands, d)
}

// indexOf is an index, written as it is, in words. It says what chance makes of it where that is not little.
func indexOf(name string, f drift.Figure, written string) string {
	s := written + " in "
	if name == "" {
		s += "the leaves"
	} else {
		s += name
	}
	if f.Chance > f.PSI/4 {
		s += fmt.Sprintf(" (chance alone reaches %.2f in so few records)", f.Chance)
	}
	return s
}

// outsideOf is the column of which the largest share of the values is outside the range of the plan.
func outsideOf(r *drift.Report) (name string, most float64) {
	name = "every number"
	for k := range r.Columns {
		if s := &r.Columns[k]; s.Outside > most {
			name, most = s.Name, s.Outside
		}
	}
	return name, most
}

// driftCare are the reasons to look at what stays under the limits.
func (j *judging) driftCare() {
	if j.Drift == nil {
		return
	}
	var watch []string
	for k := range j.Drift.Columns {
		if s := &j.Drift.Columns[k]; s.State == drift.Watch && s.PSI > s.Chance {
			watch = append(watch, indexOf(s.Name, s.Figure, fmt.Sprintf("%.2f", s.PSI)))
		}
	}
	if watch != nil {
		j.v.Reasons = append(j.v.Reasons, Reason{State: WithCare, Text: "the table is somewhat unlike the one that the plan was made of: its index of drift is " + strings.Join(watch, ", "),
			Remedy: "Look at these columns, or let a new plan be made (without --plan)."})
	}
}

// DriftNote says in a sentence how far a table is from the one that a plan was made of.
func DriftNote(r *drift.Report) string {
	name, f := r.Worst()
	_, most := outsideOf(r)
	return fmt.Sprintf("against the %s records that the plan was made of, the largest index of drift is %s; %s of the values of any number are outside its range, at most",
		numeral.Count(float64(r.Planned)), indexOf(name, f, fmt.Sprintf("%.2f", f.PSI)), numeral.Percent(most))
}
