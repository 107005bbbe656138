// Package minfia hides rules and sets of items: deletes the rarest item of sensitive patterns from the records that have them.
//
// What it does: the item of the pattern that the fewest records have is deleted. Of the records with a pattern, ceil of their number times 1 - phi
// are changed, those first that have many of the patterns (order=asc: few). One that an earlier pattern has broken counts as done. Supports are those
// of the original.
//
// Needs and changes: patterns of two items or more; a rule stands for all its items. It deletes items of the patterns. Items are what set-valued
// columns hold, and attribute=value of all others, numbers in intervals; deleting one of these makes the value missing, or another (deleted=value).
//
// Preserves and biases: what the patterns have nothing to do with; no new frequent itemset appears. Rare items become rarer.
//
// What an informed intruder learns: with phi 0 no record has a pattern any more, which is telling where all its items are common: whoever expects it
// to be in some records knows that it was hidden. Only what is listed is hidden, at these thresholds: lower ones may find it again. It protects
// patterns, not persons: who can be found in the original can be found in the release.
//
// Missing values: no item, and stay missing.
//
// Cost: O(n log n) for each pattern. All records meet: the plan is a protect.Grouper with one group. A release of the table of the fit is the one
// that the fit made for its notes.
//
// Departures: ties, which the paper leaves open, go to the record that comes first and the item that comes first in the labels; no random number is
// drawn.
//
// Reference: S. Oliveira and O. Zaiane, "Privacy preserving frequent itemset mining", IEEE ICDM workshop on privacy, 2002.
package minfia

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
		Name:      "minfia",
		Title:     "Hiding patterns by their rarest item (MinFIA)",
		Aliases:   []string{"minimum frequency item algorithm"},
		Summary:   "Deletes the rarest item of sensitive patterns from the records that have them.",
		Paper:     "Oliveira & Zaiane 2002",
		Needs:     "patterns of two items or more; a rule stands for all its items",
		Changes:   "deletes items of the patterns",
		Preserves: "what the patterns have nothing to do with; no new frequent itemset appears",
		Biases:    "rare items become rarer",
		Exposes:   "with phi 0 no record has a pattern any more, which is telling where all its items are common: whoever expects it to be in some records knows that it was hidden; who can be found in the original can be found in the release",
		Missing:   "no item, and stay missing",
		Cost:      "O(n log n) for each pattern",
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
	return param.Merge(q.Listed(), q.Deletions(), q.Disclosures("phi"), q.Conflicts())
}

// Fit hides what is listed once, for the notes. Cost: that of the release.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p, err := q.Settings.Fit(ctx, t, hiding.MinFIA)
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// Plan is the fitted technique.
type Plan struct{ hiding.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "sensitive patterns hidden by deleting their rarest items (MinFIA)"
}
