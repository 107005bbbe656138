// Package emask is EMASK of Agrawal, Krishnan & Haritsa 2004: MASK with another probability for items that are not there, so that releases stay short.
//
// What it does: of a record of items every one that is there stays with probability p, and every one that is not is added with probability 1-q. With q near 1 few items are
// added, and what was a list of few of many items stays one: it is written, read and mined as fast as before. With q = p it is MASK.
//
// Needs and changes: columns of sets of items, those named in columns or all. Items that no record of the table has, but the column knows, are added too.
//
// Preserves and biases: supports of itemsets, after a correction that needs p and q alone (Corrections); its error grows with the size of the itemset. Without it supports are
// too small by p^k and more where items are common (type D), and rules break (type DM).
//
// What an informed intruder learns: a released item changes the odds that it was there by the factor p/(1-q) at most, one that is not by q/(1-p), and the factors of several
// items of a record multiply. At equal privacy in the sense of Rizvi & Haritsa that is more than MASK tells: with p = 0.5, q = 0.97 a factor of 16.7 against 9 with p = 0.9.
//
// Missing sets stay missing, and items that may or may not be there stay so.
//
// Cost: O(items of the release), about 20 ns an item.
//
// Departures: none. The paper draws every bit of the table; here the gaps between added items are drawn, which is the same law.
//
// Reference: S. Agrawal, V. Krishnan & J. R. Haritsa, "On addressing efficiency concerns in privacy-preserving mining", DASFAA 2004.
package emask

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/itemwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:      "emask",
		Title:     "EMASK, items dropped and added at random",
		Aliases:   []string{"Efficient MASK"},
		Summary:   "Keeps an item of a record with probability p and adds one that is not there with probability 1-q.",
		Paper:     "Agrawal, Krishnan & Haritsa 2004",
		Needs:     "columns of sets of items",
		Changes:   "the columns named, or every column of sets of items",
		Preserves: "supports of itemsets after a correction that needs p and q alone, with an error that grows with their size; how short records are",
		Biases:    "without it supports are too small, those of rare items too large (type D), and rules break (type DM)",
		Exposes:   "enough to change the odds that an item was there by a factor of p/(1-q) or q/(1-p) at most (local differential privacy)",
		Missing:   "sets stay missing, doubtful items doubtful",
		Cost:      "O(items of the release)",
	},
	Purpose: protect.Items,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims:  []protect.Claim{protect.Corrects, protect.Notes, protect.Describes, protect.Checks, protect.Publishes, protect.Memoises, protect.BoundsOdds},
	Sets:    true,
}

// Technique holds the parameters.
type Technique struct {
	P float64 // probability that an item that is there stays
	Q float64 // probability that one that is not there stays away
	itemwise.Choice
}

// New returns the technique with p = 0.5 and q = 0.97, which is as private as MASK with p = 0.9 where items are rare.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return append(param.Set{
		param.Float(&q.P, "p", 0.5, 0, 1, "", "probability that an item that is there stays"),
		param.Float(&q.Q, "q", 0.97, 0, 1, "", "probability that an item that is not there stays away; with p + q = 1 nothing is told"),
	}, q.Choice.Params()...)
}

// Fit chooses the columns.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p, err := itemwise.Fit(ctx, t, &q.Choice, q.P, q.Q)
	if err != nil {
		return nil, err
	}
	return &Plan{p}, nil
}

// Plan is the fitted technique.
type Plan struct{ itemwise.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "items kept with one probability and added with another (EMASK)"
}
