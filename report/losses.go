package report

import (
	"slices"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study"
)

// lossesOf writes what the measures that have a figure of every column say of one.
func lossesOf(o *study.Outcome, name string) []message.Sentence {
	var taken []*study.Measured
	for k := range o.Measures {
		if m := &o.Measures[k]; m.Column.Says != nil && m.Err.Empty() {
			taken = append(taken, m)
		}
	}
	slices.SortStableFunc(taken, func(a, b *study.Measured) int { return a.Column.Place.Compare(b.Column.Place) })
	var out []message.Sentence
	for _, m := range taken {
		score, ok := ofColumn(&m.Value, name)
		if !ok {
			continue
		}
		out = append(out, m.Column.Says(document.Loss(score, m.Unit)))
	}
	return out
}

// ofColumn returns the figure of a column: what the detail says or else the part of its name.
func ofColumn(v *measure.Value, name string) (float64, bool) {
	if d, ok := v.Detail.(measure.ByColumn); ok {
		return d.Column(name)
	}
	k := slices.IndexFunc(v.Parts, func(p measure.Part) bool { return p.Key == measure.OfColumn && p.Of == name })
	if k < 0 {
		return 0, false
	}
	return v.Parts[k].Score, true
}
