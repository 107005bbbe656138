// Package hide1a hides rules: adds the beginning of sensitive rules to records, so that their confidence falls.
//
// What it does: a rule X=>Y loses confidence when more records have X and not Y. Records that lack a part of X and a part of Y get all items of X,
// those that have most of X first. Rules are hidden in their order, each until it is hidden, then all again until nothing changes, for hiding one may
// show another. Where no such record is left a rule stays visible, or with fallback=true is hidden by deleting items of its end (1.b), as are all
// others from then on. A rule counts as hidden when its support is below the minimum support threshold less the margin, or its confidence below the
// minimum confidence threshold less the margin, in exact arithmetic.
//
// Needs and changes: rules, and records that have neither side whole. It adds items to sets; a number or category becomes the one of the rule. Items
// are what set-valued columns hold, and attribute=value of all others, numbers in intervals; deleting one of these makes the value missing.
//
// Preserves and biases: supports do not fall, so no frequent itemset of set-valued columns is lost. It makes things up: items that nobody had;
// supports of the beginnings grow, and with them rules that were none.
//
// What an informed intruder learns: supports of the rules themselves are untouched: who looks at supports alone finds them; records with an added
// item lie. Only what is listed is hidden, at these thresholds: lower ones may find it again. It protects patterns, not persons: who can be found in
// the original can be found in the release.
//
// Missing values: stay missing; nothing is added to a record that misses a value of a column of the rules.
//
// Cost: O(n log n) for each rule. All records meet: the plan is a protect.Grouper with one group. A release of the table of the fit is the one that
// the fit made for its notes.
//
// Departures: ties, which the paper leaves open, go to the record that comes first and the item that comes first in the labels; no random number is
// drawn.
//
// Reference: V. Verykios, A. Elmagarmid, E. Bertino, Y. Saygin and E. Dasseni, "Association rule hiding", IEEE TKDE 16(4), 2004; E. Dasseni et al.
// 2001.
package hide1a

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
		Name:      "hide1a",
		Title:     "Hiding rules by raising the support of their beginning (1.a)",
		Aliases:   []string{"algorithm 1.a", "ISL"},
		Summary:   "Adds the beginning of sensitive rules to records, so that their confidence falls.",
		Paper:     "Verykios et al. 2004, algorithm 1.a; Dasseni et al. 2001",
		Needs:     "rules, and records that have neither side whole",
		Changes:   "adds items to sets; a number or category becomes the one of the rule",
		Preserves: "supports do not fall, so no frequent itemset of set-valued columns is lost",
		Biases:    "it makes things up: items that nobody had; supports of the beginnings grow, and with them rules that were none",
		Exposes:   "supports of the rules themselves are untouched: who looks at supports alone finds them; records with an added item lie; who can be found in the original can be found in the release",
		Missing:   "stay missing; nothing is added to a record that misses a value of a column of the rules",
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
	return param.Merge(q.Listed(), q.Supports(), q.Confidences(), param.Set{param.Bool(&q.Fallback, "fallback", false, "where too few records can be added to, hide by deleting items of the ends of rules (1.b) from then on")})
}

// Fit hides what is listed once, for the notes. Cost: that of the release.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p, err := q.Settings.Fit(ctx, t, hiding.Raise)
	if err != nil {
		return nil, err
	}
	return &Plan{*p}, nil
}

// Plan is the fitted technique.
type Plan struct{ hiding.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string { return "sensitive rules hidden by adding their beginnings (1.a)" }
