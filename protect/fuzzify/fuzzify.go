// Package fuzzify hides rules and sets of items: makes the items unknown that algorithms 1.b, 2.a and 2.b would delete, those that matter little first.
//
// What it does: the victims are those of algorithm 1.b, 2.a or 2.b (hide1b, hide2a, hide2b), but they become unknown instead of being deleted. Items
// that matter little (zero-impact items, parameter free) are taken first wherever a pattern has one.
//
// Needs and changes: rules, or itemsets for 2.b. It makes items unknown; a number or category becomes missing. Items are what set-valued columns hold,
// and attribute=value of all others, numbers in intervals; a value that is unknown is missing.
//
// Preserves and biases: no record says what is not so; supports lie between a sure and a possible one. Sure supports of itemsets with these items
// fall. The beginning of a rule may still be there, so that more items become unknown than 2.a would delete.
//
// What an informed intruder learns: every item that is unknown was there: whoever knows that reads all of them as present and finds everything; mix
// with cr2, which makes absent items unknown. The notes count it. Only what is listed is hidden, at these thresholds: lower ones may find it again. It
// protects patterns, not persons: who can be found in the original can be found in the release.
//
// Missing values: no item, and stay missing.
//
// Cost: that of 1.b, 2.a or 2.b: the first two mine all frequent itemsets once. All records meet: the plan is a protect.Grouper with one group. A
// release of the table of the fit is the one that the fit made for its notes.
//
// Departures: the three algorithms are named and not published; that they are these is a reconstruction. ties, which the paper leaves open, go to the
// record that comes first and the item that comes first in the labels; no random number is drawn.
//
// Reference: E. Bertino, I. Nai Fovino and L. Parasiliti Provenza, "A framework for evaluating privacy preserving data mining algorithms", Data Mining
// and Knowledge Discovery 11, 2005; V. Verykios et al., "Association rule hiding", IEEE TKDE 16(4), 2004.
package fuzzify

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/hiding"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:      "fuzzify",
		Title:     "Hiding by fuzzification",
		Aliases:   []string{"fuzzification"},
		Summary:   "Makes the items unknown that algorithms 1.b, 2.a and 2.b would delete, those that matter little first.",
		Paper:     "Bertino, Nai Fovino & Parasiliti Provenza 2005; Verykios et al. 2004",
		Needs:     "rules, or itemsets for 2.b",
		Changes:   "makes items unknown; a number or category becomes missing",
		Preserves: "no record says what is not so; supports lie between a sure and a possible one",
		Biases:    "sure supports of itemsets with these items fall",
		Exposes:   "every item that is unknown was there: whoever knows that reads all of them as present and finds everything; mix with cr2, which makes absent items unknown; who can be found in the original can be found in the release",
		Missing:   "no item, and stay missing",
		Cost:      "that of 1.b, 2.a or 2.b",
	},
	Purpose: protect.Hides,
	Sets:    true,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims:  []protect.Claim{protect.Groups, protect.Notes, protect.Describes, protect.Checks, protect.HidesPatterns},
}

// Technique holds the parameters.
type Technique struct{ hiding.Settings }

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Merge(q.Listed(), q.Supports(), q.Confidences(), q.Victims())
}

// Fit hides what is listed once, for the notes. Cost: that of the release.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p, err := q.Settings.Fit(ctx, t, hiding.Fuzzy)
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// Plan is the fitted technique.
type Plan struct{ hiding.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "sensitive patterns hidden by making items unknown (fuzzification)"
}
