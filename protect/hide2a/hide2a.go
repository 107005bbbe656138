// Package hide2a hides rules: deletes items of either side of sensitive rules from the shortest records that bear them out.
//
// What it does: as 1.b, but the item may be of either side of the rule, whichever hurts least: from the shortest record with all items of a rule one
// is deleted, until the rule is hidden. Of equal choices it takes the item whose deletion takes the fewest frequent itemsets that are not sensitive
// from the record, then the commonest, then the first. Rules are hidden in their order, each until it is hidden, then all again until nothing
// changes, for hiding one may show another. A rule counts as hidden when its support is below the minimum support threshold less the margin, or its
// confidence below the minimum confidence threshold less the margin, in exact arithmetic.
//
// Needs and changes: rules. It deletes items of rules. Items are what set-valued columns hold, and attribute=value of all others, numbers in
// intervals; deleting one of these makes the value missing, or another (deleted=value).
//
// Preserves and biases: what the rules have nothing to do with; no new frequent itemset appears. Itemsets with items of the rules lose support;
// deleting an item of a beginning may raise the confidence of other rules with it (ghost rules).
//
// What an informed intruder learns: patterns just below the thresholds are likely those that were hidden; records of which an expected item is
// missing are likely changed. Only what is listed is hidden, at these thresholds: lower ones may find it again. It protects patterns, not persons:
// who can be found in the original can be found in the release.
//
// Missing values: no item, and stay missing.
//
// Cost: O(n log n) for each rule, mining the table once, and for each deletion the frequent itemsets with an item of the rule. All records meet: the
// plan is a protect.Grouper with one group. A release of the table of the fit is the one that the fit made for its notes.
//
// Departures: ties, which the paper leaves open, go to the record that comes first and the item that comes first in the labels; no random number is
// drawn.
//
// Reference: V. Verykios, A. Elmagarmid, E. Bertino, Y. Saygin and E. Dasseni, "Association rule hiding", IEEE TKDE 16(4), 2004; E. Dasseni et al.
// 2001.
package hide2a

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
		Name:      "hide2a",
		Title:     "Hiding rules by lowering their support (2.a)",
		Aliases:   []string{"algorithm 2.a"},
		Summary:   "Deletes items of either side of sensitive rules from the shortest records that bear them out.",
		Paper:     "Verykios et al. 2004, algorithm 2.a; Dasseni et al. 2001",
		Needs:     "rules",
		Changes:   "deletes items of rules",
		Preserves: "what the rules have nothing to do with; no new frequent itemset appears",
		Biases:    "itemsets with items of the rules lose support; deleting an item of a beginning may raise the confidence of other rules with it (ghost rules)",
		Exposes:   "patterns just below the thresholds are likely those that were hidden; records of which an expected item is missing are likely changed; who can be found in the original can be found in the release",
		Missing:   "no item, and stay missing",
		Cost:      "O(n log n) for each rule, mining the table once, and for each deletion the frequent itemsets with an item of the rule",
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
	return param.Merge(q.Listed(), q.Deletions(), q.Supports(), q.Confidences())
}

// Fit hides what is listed once, for the notes. Cost: that of the release.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p, err := q.Settings.Fit(ctx, t, hiding.LowerRule)
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// Plan is the fitted technique.
type Plan struct{ hiding.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "sensitive rules hidden by deleting items of either side (2.a)"
}
