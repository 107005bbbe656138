// Package hide1b hides rules: deletes items of the end of sensitive rules from the shortest records that bear them out.
//
// What it does: a rule X=>Y loses support and confidence when records with X lose a part of Y. From the shortest record with all items of the rule an
// item of Y is deleted, until the rule is hidden. Of equal choices it takes the item whose deletion takes the fewest frequent itemsets that are not
// sensitive from the record, then the commonest, then the first. Rules are hidden in their order, each until it is hidden, then all again until
// nothing changes, for hiding one may show another. A rule counts as hidden when its support is below the minimum support threshold less the margin,
// or its confidence below the minimum confidence threshold less the margin, in exact arithmetic.
//
// Needs and changes: rules. It deletes items of the ends of rules. Items are what set-valued columns hold, and attribute=value of all others, numbers
// in intervals; deleting one of these makes the value missing, or another (deleted=value).
//
// Preserves and biases: what the rules have nothing to do with; no new frequent itemset appears. Itemsets with items of the ends lose support; a rule
// may appear whose beginning lost records (ghost rules).
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
package hide1b

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
		Name:      "hide1b",
		Title:     "Hiding rules by lowering the support of their end (1.b)",
		Aliases:   []string{"algorithm 1.b", "DSR"},
		Summary:   "Deletes items of the end of sensitive rules from the shortest records that bear them out.",
		Paper:     "Verykios et al. 2004, algorithm 1.b; Dasseni et al. 2001",
		Needs:     "rules",
		Changes:   "deletes items of the ends of rules",
		Preserves: "what the rules have nothing to do with; no new frequent itemset appears",
		Biases:    "itemsets with items of the ends lose support; a rule may appear whose beginning lost records (ghost rules)",
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
	p, err := q.Settings.Fit(ctx, t, hiding.LowerEnd)
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// Plan is the fitted technique.
type Plan struct{ hiding.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "sensitive rules hidden by deleting items of their ends (1.b)"
}
