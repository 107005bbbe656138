// Package bba hides rules and sets of items: deletes items of sensitive itemsets where the border of what may stay weighs least.
//
// What it does: the border is the maximal ones of the frequent itemsets that may stay. A set of it weighs the more the closer it is to the threshold.
// Long sets come first, of these those of little support; of all items of a set and all records with it the deletion is made that weighs least on the
// sets of the border in the record, until the support is below the threshold.
//
// Needs and changes: itemsets; a rule stands for all its items. It deletes items of the itemsets. Items are what set-valued columns hold, and
// attribute=value of all others, numbers in intervals; deleting one of these makes the value missing, or another (deleted=value).
//
// Preserves and biases: as many of the other frequent itemsets as it can; no new one appears. Sets of the border that are lost weigh more than all
// others together.
//
// What an informed intruder learns: patterns just below the threshold are likely those that were hidden. Only what is listed is hidden, at these
// thresholds: lower ones may find it again. It protects patterns, not persons: who can be found in the original can be found in the release.
//
// Missing values: no item, and stay missing.
//
// Cost: mining all frequent itemsets, which are held, and for each deletion the records with the set and those that share a set of the border with it.
// All records meet: the plan is a protect.Grouper with one group. A release of the table of the fit is the one that the fit made for its notes.
//
// Departures: ties, which the paper leaves open, go to the record that comes first and the item that comes first in the labels; weights are whole
// numbers, so their sums are the same on every machine; no random number is drawn.
//
// Reference: X. Sun and P. Yu, "A border-based approach for hiding sensitive frequent itemsets", IEEE ICDM, 2005.
package bba

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
		Name:      "bba",
		Title:     "Border-based approach (BBA)",
		Aliases:   []string{"border-based approach"},
		Summary:   "Deletes items of sensitive itemsets where the border of what may stay weighs least.",
		Paper:     "Sun & Yu 2005",
		Needs:     "itemsets; a rule stands for all its items",
		Changes:   "deletes items of the itemsets",
		Preserves: "as many of the other frequent itemsets as it can; no new one appears",
		Biases:    "more items are deleted than by other techniques: every deletion is weighed by itself",
		Exposes:   "patterns just below the threshold are likely those that were hidden; who can be found in the original can be found in the release",
		Missing:   "no item, and stay missing",
		Cost:      "mining all frequent itemsets, which are held, and for each deletion the records with the set and those that share a set of the border with it",
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
	p, err := q.Settings.Fit(ctx, t, hiding.BBA)
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// Plan is the fitted technique.
type Plan struct{ hiding.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "sensitive itemsets hidden by the border-based approach (BBA)"
}
