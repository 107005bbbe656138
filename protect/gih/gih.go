// Package gih hides rules and sets of items: makes the commonest item of sensitive itemsets unknown in the shortest records that have them.
//
// What it does: nothing is made up and nothing denied: in the shortest record with all items of an itemset the commonest becomes unknown ("?"), until
// the support that is sure is below the threshold. The itemset may still look possible.
//
// Needs and changes: itemsets; a rule stands for all its items. It makes items unknown; a number or category becomes missing. Items are what
// set-valued columns hold, and attribute=value of all others, numbers in intervals; deleting one of these makes the value missing.
//
// Preserves and biases: no record says what is not so; supports lie between a sure and a possible one. Sure supports of itemsets with these items
// fall.
//
// What an informed intruder learns: every item that is unknown was there: whoever knows that reads all of them as present and finds everything; mix
// with cr2, which makes absent items unknown. Only what is listed is hidden, at these thresholds: lower ones may find it again. It protects patterns,
// not persons: who can be found in the original can be found in the release.
//
// Missing values: no item, and stay missing.
//
// Cost: O(n log n) for each itemset. All records meet: the plan is a protect.Grouper with one group. A release of the table of the fit is the one
// that the fit made for its notes.
//
// Departures: ties, which the paper leaves open, go to the record that comes first and the item that comes first in the labels; no random number is
// drawn.
//
// Reference: Y. Saygin, V. Verykios and C. Clifton, "Using unknowns to prevent discovery of association rules", SIGMOD Record 30(4), 2001.
package gih

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
		Name:      "gih",
		Title:     "Blocking of generating itemsets (GIH)",
		Aliases:   []string{"generating itemset hiding"},
		Summary:   "Makes the commonest item of sensitive itemsets unknown in the shortest records that have them.",
		Paper:     "Saygin, Verykios & Clifton 2001",
		Needs:     "itemsets; a rule stands for all its items",
		Changes:   "makes items unknown; a number or category becomes missing",
		Preserves: "no record says what is not so; supports lie between a sure and a possible one",
		Biases:    "sure supports of itemsets with these items fall",
		Exposes:   "every item that is unknown was there: whoever knows that reads all of them as present and finds everything; mix with cr2, which makes absent items unknown; who can be found in the original can be found in the release",
		Missing:   "no item, and stay missing",
		Cost:      "O(n log n) for each itemset",
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
	return param.Merge(q.Listed(), q.Supports())
}

// Fit hides what is listed once, for the notes. Cost: that of the release.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p, err := q.Settings.Fit(ctx, t, hiding.GIH)
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// Plan is the fitted technique.
type Plan struct{ hiding.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string { return "sensitive itemsets hidden by making items unknown (GIH)" }
