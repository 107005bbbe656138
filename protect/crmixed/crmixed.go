// Package crmixed hides rules and sets of items: makes items unknown that are there and items that are not, in turn, so that unknown does not mean there.
//
// What it does: in rounds: so many times an item of the end becomes unknown in the shortest record that bears the rule out (CR), then in so many
// records that lack a part of both sides the absent items of the beginning do (CR2), and one of the items of the end that just became unknown
// elsewhere, until the least confidence or the sure support is below the threshold. A round is made to its end.
//
// Needs and changes: rules. It makes items unknown; a number or category becomes missing. Items are what set-valued columns hold, and attribute=value
// of all others, numbers in intervals; a value that is unknown is missing.
//
// Preserves and biases: no record says what is not so; supports lie between a sure and a possible one. Sure supports of the ends fall, possible ones
// of the beginnings rise.
//
// What an informed intruder learns: items of the beginning that are unknown are absent in most records. With as many zeros as ones, who reads every
// unknown item of the end as present is wrong as often as right, where the records that lack a part of both sides lack that item. Only what is listed
// is hidden, at these thresholds: lower ones may find it again. It protects patterns, not persons: who can be found in the original can be found in
// the release.
//
// Missing values: no item, and stay missing.
//
// Cost: O(n log n) for each rule. All records meet: the plan is a protect.Grouper with one group. A release of the table of the fit is the one that
// the fit made for its notes.
//
// Departures: the paper asks to mix and says not how: rounds are of our own, and so is the item of the end in the second half, without which every
// unknown item of an end would be there. ties, which the paper leaves open, go to the record that comes first and the item that comes first in the
// labels; no random number is drawn.
//
// Reference: Y. Saygin, V. Verykios and C. Clifton, "Using unknowns to prevent discovery of association rules", SIGMOD Record 30(4), 2001.
package crmixed

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
		Name:      "crmixed",
		Title:     "Blocking of both sides in turn (CR and CR2 mixed)",
		Aliases:   []string{"cr and cr2"},
		Summary:   "Makes items unknown that are there and items that are not, in turn, so that unknown does not mean there.",
		Paper:     "Saygin, Verykios & Clifton 2001",
		Needs:     "rules",
		Changes:   "makes items unknown; a number or category becomes missing",
		Preserves: "no record says what is not so; supports lie between a sure and a possible one",
		Biases:    "sure supports of the ends fall, possible ones of the beginnings rise",
		Exposes:   "items of the beginning that are unknown are absent in most records; the notes say what a reader gets right by taking every unknown item as there; who can be found in the original can be found in the release",
		Missing:   "no item, and stay missing",
		Cost:      "O(n log n) for each rule",
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
	return param.Merge(q.Listed(), q.Supports(), q.Confidences(), q.Rounds())
}

// Fit hides what is listed once, for the notes. Cost: that of the release.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p, err := q.Settings.Fit(ctx, t, hiding.Mixed)
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// Plan is the fitted technique.
type Plan struct{ hiding.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "sensitive rules hidden by making items of both sides unknown in turn (CR and CR2)"
}
