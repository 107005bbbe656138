// Package maxmin1 hides rules and sets of items: deletes the item of sensitive itemsets that the border of what may stay can best do without.
//
// What it does: the border is the maximal ones of the frequent itemsets that may stay: who keeps it keeps all of them. Sets of little support come
// first. Of the items of a set that one is deleted, from the shortest record with all items, whose least supported set of the border has the most
// support, until the support of the set is below the threshold.
//
// Needs and changes: itemsets; a rule stands for all its items. It deletes items of the itemsets. Items are what set-valued columns hold, and
// attribute=value of all others, numbers in intervals; deleting one of these makes the value missing, or another (deleted=value).
//
// Preserves and biases: as many of the other frequent itemsets as it can; no new one appears. Itemsets of the border that run out are given up.
//
// What an informed intruder learns: patterns just below the threshold are likely those that were hidden. Only what is listed is hidden, at these
// thresholds: lower ones may find it again. It protects patterns, not persons: who can be found in the original can be found in the release.
//
// Missing values: no item, and stay missing.
//
// Cost: mining all frequent itemsets, which are held, and for each deletion the sets of the border with an item of the set. All records meet: the
// plan is a protect.Grouper with one group. A release of the table of the fit is the one that the fit made for its notes.
//
// Departures: ties, which the paper leaves open, go to the record that comes first and the item that comes first in the labels; no random number is
// drawn.
//
// Reference: G. Moustakides and V. Verykios, "A max-min approach for hiding frequent itemsets", IEEE ICDM workshops, 2006.
package maxmin1

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
		Name:      "maxmin1",
		Title:     "Hiding itemsets by the border (Max-Min 1)",
		Aliases:   []string{"max-min"},
		Summary:   "Deletes the item of sensitive itemsets that the border of what may stay can best do without.",
		Paper:     "Moustakides & Verykios 2006",
		Needs:     "itemsets; a rule stands for all its items",
		Changes:   "deletes items of the itemsets",
		Preserves: "as many of the other frequent itemsets as it can; no new one appears",
		Biases:    "itemsets of the border that run out are given up",
		Exposes:   "patterns just below the threshold are likely those that were hidden; who can be found in the original can be found in the release",
		Missing:   "no item, and stay missing",
		Cost:      "mining all frequent itemsets, which are held, and for each deletion the sets of the border with an item of the set",
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
	p, err := q.Settings.Fit(ctx, t, hiding.MaxMin)
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// Plan is the fitted technique.
type Plan struct{ hiding.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "sensitive itemsets hidden by the max-min border (Max-Min 1)"
}
