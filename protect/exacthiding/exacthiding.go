// Package exacthiding hides rules and sets of items: finds the deletions that hide sensitive itemsets and lose the fewest others, and says what is proved.
//
// What it does: of all releases that delete items and hide what is listed it looks for the one that loses the fewest frequent itemsets, and of such
// the one with the fewest deletions. Records that are equal in what counts are taken together, parts that have nothing to do with each other are
// solved one by one, a relaxation bounds what every release loses, and branch and bound starts from the best of several heuristics. The notes say what
// is proved.
//
// Needs and changes: itemsets; a rule stands for all its items. It deletes items of the itemsets. Items are what set-valued columns hold, and
// attribute=value of all others, numbers in intervals; deleting one of these makes the value missing, or another (deleted=value).
//
// Preserves and biases: the most of the other frequent itemsets that can be kept, where that is proved; else the best that was found, with a bound. No
// new itemset appears.
//
// What an informed intruder learns: patterns just below the threshold are likely those that were hidden; that the release is the best one narrows
// which deletions there can have been. Only what is listed is hidden, at these thresholds: lower ones may find it again. It protects patterns, not
// persons: who can be found in the original can be found in the release.
//
// Missing values: no item, and stay missing.
//
// Cost: mining all frequent itemsets four times, for the problem and three heuristics, and the nodes. The work is counted in nodes, places where
// branch and bound decides, and not in seconds, so that the same records give the same release on every machine; a million take a second or a few. All
// records meet: the plan is a protect.Grouper with one group. A release of the table of the fit is the one that the fit made for its notes.
//
// Departures: the paper keeps the border and gives up parts of it where it cannot; here all frequent itemsets count, so that what is given up is the
// least. The program of whole numbers is solved by branch and bound of our own instead of a solver.
//
// Reference: A. Gkoulalas-Divanis and V. Verykios, "An integer programming approach for frequent itemset hiding", ACM CIKM, 2006.
package exacthiding

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
		Name:      "exacthiding",
		Title:     "Exact hiding of itemsets",
		Aliases:   []string{"exact hiding", "inline algorithm"},
		Summary:   "Finds the deletions that hide sensitive itemsets and lose the fewest others, and says what is proved.",
		Paper:     "Gkoulalas-Divanis & Verykios 2006",
		Needs:     "itemsets; a rule stands for all its items",
		Changes:   "deletes items of the itemsets",
		Preserves: "the most of the other frequent itemsets that can be kept, where it is proved; no new one appears",
		Biases:    "what is not proved within the nodes may lose more than it must",
		Exposes:   "patterns just below the threshold are likely those that were hidden; who can be found in the original can be found in the release",
		Missing:   "no item, and stay missing",
		Cost:      "mining all frequent itemsets four times, and the nodes; the work is bounded",
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
	return param.Merge(q.Listed(), q.Deletions(), q.Supports(), q.Work())
}

// Fit hides what is listed once, for the notes. Cost: that of the release.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p, err := q.Settings.Fit(ctx, t, hiding.Exact)
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// Plan is the fitted technique.
type Plan struct{ hiding.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "sensitive itemsets hidden by the deletions that lose the least (exact hiding)"
}
