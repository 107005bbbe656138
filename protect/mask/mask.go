// Package mask is MASK of Rizvi & Haritsa 2002: every item of a record is told as it is with probability p and as its opposite otherwise.
//
// What it does: of a record of items, such as a basket or a list of diagnoses, every item that is there stays with probability p, and every item that is not is
// added with probability 1-p. It is the randomised response of Warner 1965 on every item.
//
// Needs and changes: columns of sets of items, those named in columns or all. Items that no record of the table has, but the column knows, are added too.
//
// Preserves and biases: supports of itemsets, after a correction that needs p alone (Corrections); its error grows with (2p-1)^-k for itemsets of k items. Without it
// rare items become common (type D), records long, and rules break (type DM).
//
// What an informed intruder learns: a released item changes the odds that it was there by the factor p/(1-p) at most, and the factors of several items of a record
// multiply. Whoever knows most of a record may recognise it, for releases of long records are unlike each other.
//
// Missing sets stay missing, and items that may or may not be there stay so.
//
// Cost: O(items of the release), about 20 ns an item; with many items to have and p far from 1 releases are large (emask).
//
// Departures: none. The paper draws every bit of the table; here the gaps between added items are drawn, which is the same law.
//
// Reference: S. J. Rizvi & J. R. Haritsa, "Maintaining data privacy in association rule mining", VLDB 2002.
package mask

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
		Name:      "mask",
		Title:     "MASK, items flipped at random",
		Aliases:   []string{"Mining associations with secrecy constraints"},
		Summary:   "Tells every item of a record as it is with probability p, else as its opposite.",
		Paper:     "Rizvi & Haritsa 2002",
		Needs:     "columns of sets of items",
		Changes:   "the columns named, or every column of sets of items",
		Preserves: "supports of itemsets after a correction that needs p alone, with an error that grows with their size",
		Biases:    "without it rare items become common (type D), records long, and rules break (type DM)",
		Exposes:   "enough to change the odds that an item was there by a factor of p/(1-p) at most (local differential privacy)",
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
	P float64 // probability that an item is told as it is
	itemwise.Choice
}

// New returns the technique with p = 0.9, the paper's choice.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return append(param.Set{
		param.Float(&q.P, "p", 0.9, 0, 1, "", "probability that an item is told as it is, there or not; 0.5 tells nothing"),
	}, q.Choice.Params()...)
}

// Fit chooses the columns.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p, err := itemwise.Fit(ctx, t, &q.Choice, q.P, q.P)
	if err != nil {
		return nil, err
	}
	return &Plan{p}, nil
}

// Plan is the fitted technique.
type Plan struct{ itemwise.Plan }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "items told as they are with one probability, else as their opposite (MASK)"
}
