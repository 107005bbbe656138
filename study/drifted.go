package study

import (
	"github.com/dither-data/dither/internal/stats/drift"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// This file judges a table to which a plan is applied by how far it is from the one that the plan was made of.

// drifted judges the limits on drift; there is nothing to judge where no plan was applied, or one that does not know
// what its table was like.
func (j *judging) drifted(l *limit.Limit) {
	if j.Drift == nil {
		return
	}
	d := bare(l)
	if l.Measure == limit.Drift {
		name, f := j.Drift.Worst()
		d.Unit = measure.In(measure.Ratio, message.Say("unit.index"))
		d.figures(f.PSI, f.PSI, f.PSI)
		d.said = message.Say("drifted.index").Part("index", indexOf(name, f, message.Of(beside(f.PSI, 2, d.sides(1)))))
	} else {
		name, most := outsideOf(j.Drift)
		d.Unit = measure.In(measure.Share, message.Say("unit.ofTheValues"))
		d.figures(most, most, most)
		share := message.Share(most)
		if d.Standing != Met { // so many digits as tell it from the limit
			share = message.Say("demand.percent").Figure("figure", beside(float64(100*most), 1, d.sides(100)))
		}
		d.said = message.Say("drifted.outside").Part("share", share).Part("column", name)
	}
	j.v.Demands = append(j.v.Demands, d)
}

// indexOf is an index of a column, or without a name of the leaves, in words. It says what chance makes of it where
// that is not little.
func indexOf(name string, f drift.Figure, index message.Sentence) message.Sentence {
	of := message.Say("drifted.leaves")
	if name != "" {
		of = message.Name(name)
	}
	if f.Chance > f.PSI/4 {
		return message.Say("drifted.chance").Part("index", index).Part("of", of).Fixed("chance", f.Chance, 2)
	}
	return message.Say("drifted.of").Part("index", index).Part("of", of)
}

// outsideOf is the column of which the largest share of the values is outside the range of the plan.
func outsideOf(r *drift.Report) (name message.Sentence, most float64) {
	name = message.Say("drifted.every")
	for k := range r.Columns {
		if s := &r.Columns[k]; s.Outside > most {
			name, most = message.Name(s.Name), s.Outside
		}
	}
	return name, most
}

// driftCare are the reasons to look at what stays under the limits.
func (j *judging) driftCare() {
	if j.Drift == nil {
		return
	}
	var watch []message.Sentence
	for k := range j.Drift.Columns {
		if s := &j.Drift.Columns[k]; s.State == drift.Watch && s.PSI > s.Chance {
			watch = append(watch, indexOf(s.Name, s.Figure, message.Fixed(s.PSI, 2)))
		}
	}
	if watch != nil {
		j.care(message.Say("drifted.watch").Part("indices", message.Listed(watch)), message.Say("remedy.drift"), nil)
	}
}

// DriftNote says in a sentence how far a table is from the one that a plan was made of.
func DriftNote(r *drift.Report) message.Sentence {
	name, f := r.Worst()
	_, most := outsideOf(r)
	return message.Say("drifted.note").Count("records", r.Planned).
		Part("index", indexOf(name, f, message.Fixed(f.PSI, 2))).Share("outside", most)
}
