// Package levelofprivacy measures how far rules are pushed down: the mean of J' after minus J' before, as equation 3.15 prints it, so that it is negative where they
// are hidden; the reversed sign stands beside it. J' is b (log2(x/a) - log2((1-x)/(1-a))), which grows with the confidence x of a rule whose end has the share a, and whose
// beginning the share b, of the records.
//
// Rules are those that are listed (parameter sensitive), or with rules=tree the classification rules of a C4.5 tree of the original, whose records are routed through the
// same tree in both tables. Shares of 0 and 1 are taken half a record from there, and a note says so.
//
// It needs rules and columns that give items; without rules it does not apply. Records need not be paired.
//
// Missing values: no item; in a tree, as C4.5 treats them; a record without a class is left out. An item that may be there counts half.
//
// Cost: O(items) for each rule; for those of a tree that of growing it, which measures share.
//
// Reference: E. Bertino, I. Nai Fovino and L. Parasiliti Provenza 2005, equations 3.14 and 3.15; P. Smyth and R. Goodman 1992 for the J-measure.
package levelofprivacy

import (
	"context"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/sensitiverules"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Measure is the catalogue entry.
var Measure = measure.Measure{
	Card: card.Card{
		Name:      "levelofprivacy",
		Title:     "Level of privacy",
		Aliases:   []string{"level of privacy", "LP"},
		Summary:   "How far sensitive rules are pushed down: J' after minus before; negative where they are hidden.",
		Paper:     "Bertino, Nai Fovino & Parasiliti Provenza 2005, equations 3.14 and 3.15",
		Needs:     "rules, listed or of a tree",
		Preserves: "0 when every rule is as strong as before",
		Biases:    "a rule of a common beginning weighs more",
		Missing:   "no item; an item that may be there counts half",
		Cost:      "O(items) for each rule; for rules of a tree, growing it",
	},
	Facts: measure.Facts{
		Sets:   true,
		About:  measure.Secret,
		Effort: measure.Fast,
		Counts: measure.Records,
	},
	Side:   measure.Risk,
	Better: measure.Lower,
	Range:  table.Interval{Lo: math.Inf(-1), Hi: math.Inf(1), OpenLo: true, OpenHi: true},
	Unit:   measure.In(measure.Bits, "bits"),
	New:    func() measure.Meter { return param.Default(&Meter{}) },
}

// Detail is the rules with the information of each.
type Detail = sensitiverules.Detail

// Meter measures it.
type Meter struct{ sensitiverules.Options }

// Measure returns the mean over the rules, with a sensitiverules.Detail. It does not apply without rules.
func (m *Meter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	f, err := sensitiverules.Of(ctx, r, m.Options)
	if err != nil {
		return measure.Value{}, err
	}
	d, was, is := f.Judge(sensitiverules.Terms.JPrime)
	v := measure.Exact(is-was, []measure.Part{{Key: "rules", Name: message.Say("measure.levelofprivacy.part.rules"), Score: float64(len(d.Rules))}, {Key: "before", Name: message.Say("measure.levelofprivacy.part.before"), Score: was}, {Key: "after", Name: message.Say("measure.levelofprivacy.part.after"), Score: is},
		{Key: "reversed", Name: message.Say("measure.levelofprivacy.part.reversed"), Score: was - is}}, f.Notes...)
	v.CountRecords()
	v.Detail = d
	return v, nil
}
