// Package atallah hides rules and sets of items: deletes the item at the end of the commonest parts of sensitive itemsets, where the fewest pairs are hurt.
//
// What it does: from an itemset it walks up the graph of itemsets, each time to the part with one item less that most records have, down to an item.
// This is deleted from the record with the itemset in which it is in the fewest frequent pairs, and so on until the support of the itemset is below
// the threshold.
//
// Needs and changes: itemsets; a rule stands for all its items. It deletes items of the itemsets. Items are what set-valued columns hold, and
// attribute=value of all others, numbers in intervals; deleting one of these makes the value missing, or another (deleted=value).
//
// Preserves and biases: frequent pairs, in the records that are chosen; no new itemset appears. Supports of the commonest items fall most. Which
// larger itemsets are lost is not looked at.
//
// What an informed intruder learns: patterns just below the threshold are likely those that were hidden. Only what is listed is hidden, at these
// thresholds: lower ones may find it again. It protects patterns, not persons: who can be found in the original can be found in the release.
//
// Missing values: no item, and stay missing.
//
// Cost: O(n log n) for each item of an itemset that is deleted; nothing is mined. All records meet: the plan is a protect.Grouper with one group. A
// release of the table of the fit is the one that the fit made for its notes.
//
// Departures: pairs count that are frequent in the original and hold nothing sensitive. ties, which the paper leaves open, go to the record that comes
// first and the item that comes first in the labels; no random number is drawn.
//
// Reference: M. Atallah, E. Bertino, A. Elmagarmid, M. Ibrahim and V. Verykios, "Disclosure limitation of sensitive rules", IEEE Knowledge and Data
// Engineering Exchange Workshop, 1999.
package atallah

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
		Name:      "atallah",
		Title:     "Hiding itemsets over the graph of itemsets (Atallah et al.)",
		Aliases:   []string{"disclosure limitation of sensitive rules"},
		Summary:   "Deletes the item at the end of the commonest parts of sensitive itemsets, where the fewest pairs are hurt.",
		Paper:     "Atallah et al. 1999",
		Needs:     "itemsets; a rule stands for all its items",
		Changes:   "deletes items of the itemsets",
		Preserves: "frequent pairs, in the records that are chosen; no new itemset appears",
		Biases:    "supports of the commonest items fall most",
		Exposes:   "patterns just below the threshold are likely those that were hidden; who can be found in the original can be found in the release",
		Missing:   "no item, and stay missing",
		Cost:      "O(n log n) for each item of an itemset that is deleted",
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
	p, err := q.Settings.Fit(ctx, t, hiding.Atallah)
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// Plan is the fitted technique.
type Plan struct{ hiding.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "sensitive itemsets hidden over the graph of itemsets (Atallah et al.)"
}
