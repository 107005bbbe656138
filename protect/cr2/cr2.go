// Package cr2 hides rules: makes absent items of the beginning of sensitive rules unknown, so that their least confidence falls.
//
// What it does: in records that lack a part of both sides of a rule the absent items of its beginning become unknown ("?"), those that have most of
// it first, until the least confidence is below the threshold. Where no such record is left the rule stays visible. A rule counts as hidden when its
// support is below the minimum support threshold less the margin, or its confidence below the minimum confidence threshold less the margin, in exact
// arithmetic.
//
// Needs and changes: rules, and records that have neither side whole. It makes absent items unknown; a number or category becomes missing, which
// measures take for no item. Items are what set-valued columns hold, and attribute=value of all others, numbers in intervals; deleting one of these
// makes the value missing.
//
// Preserves and biases: no record says what is not so; sure supports stay as they are. Possible supports of the beginnings grow.
//
// What an informed intruder learns: every item that is unknown was absent: whoever knows that reads all of them as absent and finds everything; mix
// with cr, which makes present items unknown. Only what is listed is hidden, at these thresholds: lower ones may find it again. It protects patterns,
// not persons: who can be found in the original can be found in the release.
//
// Missing values: stay missing; nothing is added to a record that misses a set of the rules.
//
// Cost: O(n log n) for each rule. All records meet: the plan is a protect.Grouper with one group. A release of the table of the fit is the one that
// the fit made for its notes.
//
// Departures: ties, which the paper leaves open, go to the record that comes first and the item that comes first in the labels; no random number is
// drawn.
//
// Reference: Y. Saygin, V. Verykios and C. Clifton, "Using unknowns to prevent discovery of association rules", SIGMOD Record 30(4), 2001.
package cr2

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
		Name:      "cr2",
		Title:     "Blocking of the beginnings of rules (CR2)",
		Aliases:   []string{"confidence reduction 2"},
		Summary:   "Makes absent items of the beginning of sensitive rules unknown, so that their least confidence falls.",
		Paper:     "Saygin, Verykios & Clifton 2001",
		Needs:     "rules, and records that have neither side whole",
		Changes:   "makes absent items unknown; a number or category becomes missing, which measures take for no item",
		Preserves: "no record says what is not so; sure supports stay as they are",
		Biases:    "possible supports of the beginnings grow",
		Exposes:   "every item that is unknown was absent: whoever knows that reads all of them as absent and finds everything; mix with cr, which makes present items unknown; who can be found in the original can be found in the release",
		Missing:   "stay missing; nothing is added to a record that misses a set of the rules",
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
	return param.Merge(q.Listed(), q.Supports(), q.Confidences())
}

// Fit hides what is listed once, for the notes. Cost: that of the release.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p, err := q.Settings.Fit(ctx, t, hiding.CR2)
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// Plan is the fitted technique.
type Plan struct{ hiding.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "sensitive rules hidden by making absent items of their beginnings unknown (CR2)"
}
