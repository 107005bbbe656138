// Package missescost measures how many of the patterns of the original that are not sensitive the release has no longer: misses cost.
//
// Patterns are frequent itemsets, or association rules where one is listed as sensitive, with the same thresholds on both tables. Sensitive are those that are
// listed (parameter sensitive) and, unless asked otherwise, all that have all items of one of them: who knows the larger pattern knows the smaller one. An
// empty denominator gives 0, and a note says so.
//
// It needs columns that give items (package basket), and the list; without one it does not apply. Records need not be paired.
//
// Missing values: no item. Items of the release that may or may not be there give three readings; the score is the middle one, and its bounds are the
// others.
//
// Cost: that of counting all frequent itemsets of both tables: n/64 for each that is tried; the measures of hiding share it.
//
// Departures: The published figure counts the patterns before and after, so that new ones hide losses (alternative mc_counts of the golden cases); here those that are lost are counted.
//
// Reference: S. Oliveira and O. Zaiane 2002; E. Bertino, I. Nai Fovino and L. Parasiliti Provenza 2005, section 2.3.
package missescost

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/hiding"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Measure is the catalogue entry.
var Measure = measure.Measure{
	Card: card.Card{
		Name:      "missescost",
		Title:     "Misses cost",
		Aliases:   []string{"misses cost", "MC"},
		Summary:   "How many of the patterns that are not sensitive are lost.",
		Paper:     "Bertino, Nai Fovino & Parasiliti Provenza 2005, section 2.3; Oliveira & Zaiane 2002",
		Needs:     "a list of sensitive itemsets or rules, and columns that give items",
		Preserves: "0 when all patterns that are not sensitive are kept",
		Biases:    "patterns just above a threshold are lost by one record; long patterns outnumber short ones",
		Missing:   "no item; items that may be there give bounds",
		Cost:      "O(n/64) for every itemset tried",
	},
	Facts:  measure.Facts{Sets: true, About: measure.Worth, Effort: measure.Fast},
	Side:   measure.Utility,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Ratio, "of the other patterns"),
	Losses: []measure.Loss{{
		Name: "misses", Text: "of the patterns that are not to be hidden is lost",
		Of:      measure.ByScore,
		Weights: []measure.Weight{{Purpose: "hiding", Weight: 3, Place: 1}},
	}},
	New: func() measure.Meter { return param.Default(&Meter{}) },
}

// Meter measures it.
type Meter struct{ hiding.Options }

// Measure returns the share of the patterns that are not sensitive that are lost.
func (m *Meter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	s, err := hiding.Of(ctx, r, m.Options)
	if err != nil {
		return measure.Value{}, err
	}
	v := s.Value(func(reading int) float64 { return hiding.Share(s.Lost[reading], s.Others) })
	v.Parts = []measure.Part{{Key: "patterns", Name: message.Say("measure.missescost.part.patterns"), Score: float64(s.Others)}, {Key: "lost", Name: message.Say("measure.missescost.part.lost"), Score: float64(s.Lost[hiding.Middle])}}
	if s.Others == 0 {
		v.Notes = append(v.Notes, message.Say("measure.missescost.note.none"))
	} else {
		v.Parts = append(v.Parts, measure.Part{Key: "lost-weighted", Name: message.Say("measure.missescost.part.lost-weighted"), Score: s.LostWeight[hiding.Middle] / s.Weight})
	}
	if m.Supersets == hiding.Exclude {
		v.Notes = append(v.Notes, message.Say("measure.missescost.note.excluded").Count("n", s.HiddenFrom))
	}
	return v, nil
}
