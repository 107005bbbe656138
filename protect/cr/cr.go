// Package cr hides rules: makes items of the end of sensitive rules unknown in the shortest records that bear them out.
//
// What it does: in the shortest record with all items of a rule the commonest item of its end becomes unknown ("?"), until the least confidence, the
// sure support of the rule over the possible one of its beginning, or the sure support is below the threshold. A rule counts as hidden when its
// support is below the minimum support threshold less the margin, or its confidence below the minimum confidence threshold less the margin, in exact
// arithmetic.
//
// Needs and changes: rules. It makes items of the ends unknown; a number or category becomes missing. Items are what set-valued columns hold, and
// attribute=value of all others, numbers in intervals; deleting one of these makes the value missing.
//
// Preserves and biases: no record says what is not so; confidences lie between a least and a most possible one. Sure supports of itemsets with items
// of the ends fall.
//
// What an informed intruder learns: every item that is unknown was there: whoever knows that reads all of them as present and finds everything; mix
// with cr2, which makes absent items unknown. Only what is listed is hidden, at these thresholds: lower ones may find it again. It protects patterns,
// not persons: who can be found in the original can be found in the release.
//
// Missing values: no item, and stay missing.
//
// Cost: O(n log n) for each rule. All records meet: the plan is a protect.Grouper with one group. A release of the table of the fit is the one that
// the fit made for its notes.
//
// Departures: ties, which the paper leaves open, go to the record that comes first and the item that comes first in the labels; no random number is
// drawn.
//
// Reference: Y. Saygin, V. Verykios and C. Clifton, "Using unknowns to prevent discovery of association rules", SIGMOD Record 30(4), 2001.
package cr

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
		Name:      "cr",
		Title:     "Blocking of the ends of rules (CR)",
		Aliases:   []string{"confidence reduction"},
		Summary:   "Makes items of the end of sensitive rules unknown in the shortest records that bear them out.",
		Paper:     "Saygin, Verykios & Clifton 2001",
		Needs:     "rules",
		Changes:   "makes items of the ends unknown; a number or category becomes missing",
		Preserves: "no record says what is not so; confidences lie between a least and a most possible one",
		Biases:    "sure supports of itemsets with items of the ends fall",
		Exposes:   "every item that is unknown was there: whoever knows that reads all of them as present and finds everything; mix with cr2, which makes absent items unknown; who can be found in the original can be found in the release",
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
	return param.Merge(q.Listed(), q.Supports(), q.Confidences())
}

// Fit hides what is listed once, for the notes. Cost: that of the release.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p, err := q.Settings.Fit(ctx, t, hiding.CR)
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// Plan is the fitted technique.
type Plan struct{ hiding.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "sensitive rules hidden by making items of their ends unknown (CR)"
}
