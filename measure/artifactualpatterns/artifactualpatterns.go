// Package artifactualpatterns measures how many of the patterns of the release the original lacks: artifactual patterns, or ghost rules.
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
// Departures: None.
//
// Reference: S. Oliveira and O. Zaiane 2002; E. Bertino, I. Nai Fovino and L. Parasiliti Provenza 2005, section 2.3.
package artifactualpatterns

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
		Name:      "artifactualpatterns",
		Title:     "Artifactual patterns",
		Aliases:   []string{"artifactual patterns", "ghost rules", "AP"},
		Summary:   "How many of the patterns of the release the original lacks.",
		Paper:     "Bertino, Nai Fovino & Parasiliti Provenza 2005, section 2.3; Oliveira & Zaiane 2002",
		Needs:     "a list of sensitive itemsets or rules, and columns that give items",
		Preserves: "0 when the release has no pattern that the original lacks",
		Biases:    "deletions make no new itemset, and may make new rules",
		Missing:   "no item; items that may be there give bounds",
		Cost:      "O(n/64) for every itemset tried",
	},
	Facts:  measure.Facts{Sets: true, About: measure.Worth, Effort: measure.Fast},
	Side:   measure.Utility,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Ratio, "of the release's patterns"),
	Losses: []measure.Loss{{
		Name: "artefacts", Text: "of the patterns of the release is new",
		Of:      measure.ByScore,
		Weights: []measure.Weight{{Purpose: "hiding", Weight: 1, Place: 2}},
	}},
	New: func() measure.Meter { return param.Default(&Meter{}) },
}

// Meter measures it.
type Meter struct{ hiding.Options }

// Measure returns the share of the release's patterns that are new.
func (m *Meter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	s, err := hiding.Of(ctx, r, m.Options)
	if err != nil {
		return measure.Value{}, err
	}
	v := s.Value(func(reading int) float64 { return hiding.Share(s.New[reading], s.After[reading]) })
	v.Parts = []measure.Part{{Key: "patterns", Name: message.Say("measure.artifactualpatterns.part.patterns"), Score: float64(s.After[hiding.Middle])}, {Key: "new", Name: message.Say("measure.artifactualpatterns.part.new"), Score: float64(s.New[hiding.Middle])}}
	if s.After[hiding.Middle] == 0 {
		v.Notes = append(v.Notes, message.Say("measure.artifactualpatterns.note.none").Count("n", s.HiddenFrom+s.Others))
	}
	return v, nil
}
