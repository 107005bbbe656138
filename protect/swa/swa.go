// Package swa hides rules and sets of items: deletes an item of sensitive patterns, window by window of the records.
//
// What it does: records are taken in windows of so many, each by itself. In a window, of the records with a pattern, ceil of their number times 1 -
// psi lose an item, the shortest first: the one that most pairs of a record and a sensitive pattern in it have, so that a shared item goes first.
//
// Needs and changes: patterns of two items or more; a rule stands for all its items. It deletes items of the patterns. Items are what set-valued
// columns hold, and attribute=value of all others, numbers in intervals; deleting one of these makes the value missing, or another (deleted=value).
//
// Preserves and biases: what the patterns have nothing to do with; no new frequent itemset appears; a record that loses all items stays, empty. The
// threshold holds in every window, so more may be deleted than the whole table needs.
//
// What an informed intruder learns: with psi 0 no record has a pattern any more, which is telling where all its items are common. Only what is listed
// is hidden, at these thresholds: lower ones may find it again. It protects patterns, not persons: who can be found in the original can be found in
// the release.
//
// Missing values: no item, and stay missing.
//
// Cost: O(n log n) for each pattern; memory of the technique itself is a window's, but the table is in memory. All records meet: the plan is a
// protect.Grouper with one group. A release of the table of the fit is the one that the fit made for its notes.
//
// Departures: a pattern may have a threshold psi of its own, written behind it (bread,milk @ 0.2). Frequencies are counted once for every pair of a record and a pattern in it, over the items of
// the pattern: counted by record, an item that is not shared might be taken.
//
// Reference: S. Oliveira and O. Zaiane, "Protecting sensitive knowledge by data sanitization", IEEE ICDM 2003.
package swa

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
		Name:      "swa",
		Title:     "Sliding window algorithm (SWA)",
		Aliases:   []string{"sliding window algorithm"},
		Summary:   "Deletes an item of sensitive patterns, window by window of the records.",
		Paper:     "Oliveira & Zaiane 2003",
		Needs:     "patterns of two items or more; a rule stands for all its items",
		Changes:   "deletes items of the patterns",
		Preserves: "what the patterns have nothing to do with; no new frequent itemset appears; a record that loses all items stays, empty",
		Biases:    "the threshold holds in every window, so more may be deleted than the whole table needs",
		Exposes:   "with psi 0 no record has a pattern any more, which is telling where all its items are common; who can be found in the original can be found in the release",
		Missing:   "no item, and stay missing",
		Cost:      "O(n log n) for each pattern; memory of the technique itself is a window's, but the table is in memory",
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
	return param.Merge(q.Listed(), q.Deletions(), q.Disclosures("psi"), param.Set{param.Int(&q.Window, "window", 40_000, 1, 1_000_000_000, "records", "how many records are looked at together")})
}

// Fit hides what is listed once, for the notes. Cost: that of the release.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p, err := q.Settings.Fit(ctx, t, hiding.SWA)
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// Plan is the fitted technique.
type Plan struct{ hiding.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string { return "sensitive patterns hidden window by window (SWA)" }
