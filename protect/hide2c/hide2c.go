// Package hide2c hides rules and sets of items: deletes the items of sensitive itemsets in turn from the records that have them.
//
// What it does: as 2.b, cheap and fair: records with all items are taken in their order, and the items of the set are deleted in turn, one of each
// record, until its support is below the threshold.
//
// Needs and changes: itemsets; a rule stands for all its items. It deletes items of the itemsets. Items are what set-valued columns hold, and
// attribute=value of all others, numbers in intervals; deleting one of these makes the value missing, or another (deleted=value).
//
// Preserves and biases: what the itemsets have nothing to do with; no new frequent itemset appears. All items of a set lose alike; a rule may appear
// whose beginning lost records (ghost rules).
//
// What an informed intruder learns: records that come first are changed, so who knows the order of the original knows which; patterns just below the
// threshold are likely those that were hidden. Only what is listed is hidden, at these thresholds: lower ones may find it again. It protects
// patterns, not persons: who can be found in the original can be found in the release.
//
// Missing values: no item, and stay missing.
//
// Cost: O(n) for each itemset. All records meet: the plan is a protect.Grouper with one group. A release of the table of the fit is the one that the
// fit made for its notes.
//
// Departures: ties, which the paper leaves open, go to the record that comes first and the item that comes first in the labels; no random number is
// drawn.
//
// Reference: V. Verykios, A. Elmagarmid, E. Bertino, Y. Saygin and E. Dasseni, "Association rule hiding", IEEE TKDE 16(4), 2004; E. Dasseni et al.
// 2001.
package hide2c

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
		Name:      "hide2c",
		Title:     "Hiding itemsets, items in turn (2.c)",
		Aliases:   []string{"algorithm 2.c"},
		Summary:   "Deletes the items of sensitive itemsets in turn from the records that have them.",
		Paper:     "Verykios et al. 2004, algorithm 2.c; Dasseni et al. 2001",
		Needs:     "itemsets; a rule stands for all its items",
		Changes:   "deletes items of the itemsets",
		Preserves: "what the itemsets have nothing to do with; no new frequent itemset appears",
		Biases:    "all items of a set lose alike; a rule may appear whose beginning lost records (ghost rules)",
		Exposes:   "records that come first are changed, so who knows the order of the original knows which; patterns just below the threshold are likely those that were hidden; who can be found in the original can be found in the release",
		Missing:   "no item, and stay missing",
		Cost:      "O(n) for each itemset",
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
	return param.Merge(q.Listed(), q.Deletions(), q.Supports())
}

// Fit hides what is listed once, for the notes. Cost: that of the release.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p, err := q.Settings.Fit(ctx, t, hiding.InTurn)
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// Plan is the fitted technique.
type Plan struct{ hiding.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "sensitive itemsets hidden by deleting their items in turn (2.c)"
}
