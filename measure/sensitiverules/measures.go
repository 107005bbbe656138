package sensitiverules

import (
	"context"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Measures are the catalogue entries.
var Measures = []measure.Measure{
	entry(jMeasure, measure.Measure{
		Card: card.Card{
			Name:    "jmeasure",
			Title:   "J-measure of rules",
			Aliases: []string{"J-measure", "EP"},
			Summary: "How much of the information in sensitive rules the release withholds.",
			Paper: "Bertino, Nai Fovino & Parasiliti Provenza 2005, equations 3.7 to 3.9; " +
				"Smyth & Goodman 1992",
			Biases: "a rule with a consequent that became rarer than by chance carries information again: J does " +
				"not show the direction",
		},
		Better: measure.Higher,
	}),
	entry(levelOfPrivacy, measure.Measure{
		Card: card.Card{
			Name:    "levelofprivacy",
			Title:   "Level of privacy",
			Aliases: []string{"level of privacy", "LP"},
			Summary: "How far sensitive rules are pushed down: J' after minus before; negative when they are hidden.",
			Paper:   "Bertino, Nai Fovino & Parasiliti Provenza 2005, equations 3.14 and 3.15",
			Biases:  "rules with a frequent antecedent weigh more",
		},
		Better: measure.Lower,
	}),
}

// entry is the entry of a figure of the rules, with what both say.
func entry(of func(f *Found) measure.Value, e measure.Measure) measure.Measure {
	e.Needs = "rules, listed or of a tree"
	e.Preserves = "0 when every rule is as strong as before"
	e.Missing = "no item; an uncertain item counts half"
	e.Cost = "O(items) per rule; for rules of a tree, growing it"
	e.Facts = measure.Facts{Sets: true, About: measure.Secret, Effort: measure.Fast, Counts: measure.Records}
	e.Side, e.Unit = measure.Risk, measure.In(measure.Bits, "bits")
	e.Range = table.Interval{Lo: math.Inf(-1), Hi: math.Inf(1), OpenLo: true, OpenHi: true}
	e.New = func() measure.Meter { return param.Default(&Meter{of: of}) }
	return e
}

// Meter measures one of them.
type Meter struct {
	Options
	of func(f *Found) measure.Value
}

// Measure returns the mean over the rules, with a Detail. It does not apply without rules.
func (m *Meter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	f, err := Of(ctx, r, m.Options)
	if err != nil {
		return measure.Value{}, err
	}
	v := m.of(f)
	v.CountRecords()
	return v, nil
}

// jMeasure is the mean of J before minus after (equation 3.9).
func jMeasure(f *Found) measure.Value {
	d, was, is := f.Judge(Terms.J)
	v := measure.Exact(was-is, []measure.Part{
		{Key: "rules", Name: message.Say("measure.jmeasure.part.rules"), Score: float64(len(d.Rules))},
		{Key: "before", Name: message.Say("measure.jmeasure.part.before"), Score: was},
		{Key: "after", Name: message.Say("measure.jmeasure.part.after"), Score: is},
	}, f.Notes...)
	v.Detail = d
	return v
}

// levelOfPrivacy is the mean of J' after minus before, as equation 3.15 prints it.
func levelOfPrivacy(f *Found) measure.Value {
	d, was, is := f.Judge(Terms.JPrime)
	v := measure.Exact(is-was, []measure.Part{
		{Key: "rules", Name: message.Say("measure.levelofprivacy.part.rules"), Score: float64(len(d.Rules))},
		{Key: "before", Name: message.Say("measure.levelofprivacy.part.before"), Score: was},
		{Key: "after", Name: message.Say("measure.levelofprivacy.part.after"), Score: is},
		{Key: "reversed", Name: message.Say("measure.levelofprivacy.part.reversed"), Score: was - is},
	}, f.Notes...)
	v.Detail = d
	return v
}
