package rulepreservation

import (
	"context"
	"errors"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/measure/ruletypes"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// TreeSimilarity measures how many decision rules of the original are also mined from the release (Islam 2007,
// section 7.3).
//
// A C4.5 tree is grown on each table, and every rule of the released tree is of one of four types (package ruletypes,
// which says what is compared and how): A, the same rule stands in the original tree; B, it differs in numeric limits
// only; D, it tests an attribute that the original tree tests nowhere; C, any other. The weight of a type is the share
// of the released records that reach its rules. The score is the weight of A and B together; the weights also name the
// class of the tree.
//
// Cost: growing two trees, then that of the comparison, O(n w) expected for n rules that test w attributes each.
var TreeSimilarity = measure.Measure{
	Card: card.Card{
		Name:    "treesimilarity",
		Title:   "Tree similarity",
		Aliases: []string{"rule types", "decision tree similarity"},
		Summary: "Share of released records under decision rules that the original tree also has, apart from " +
			"numeric limits (types A and B).",
		Paper:     "Islam 2007, section 7.3",
		Needs:     "a categorical class; all attributes except identifiers and weights",
		Preserves: "type A and B rules are patterns that survived; type D rules are artefacts of the release",
		Missing:   "as in C4.5 when growing the trees; a record with a missing tested value counts in the heaviest branch",
		Cost:      "growing two trees, then O(rules × attributes) expected",
	},
	Facts: measure.Facts{
		About:  measure.Worth,
		Effort: measure.Fast,
		Figure: measure.Entry{Place: 4, Says: message.Say("headFigure.treesimilarity")},
	},
	Side:   measure.Utility,
	Better: measure.Higher,
	Range:  table.Interval{Lo: 0, Hi: 100},
	Unit:   measure.In(measure.Percent, message.Say("unit.ofReleased")),
	Losses: []measure.Loss{{
		Name: "rules", Says: message.Say("loss.rules"),
		Of:      func(v measure.Value, _ measure.Base) float64 { return 1 - v.Score/100 },
		Weights: []measure.Weight{{Purpose: "everything", Weight: 1, Place: 2}, {Purpose: "models", Weight: 2, Place: 2}},
	}},
	Uses: uses,
	New:  func() measure.Meter { return param.Default(&TreeSimilarityMeter{}) },
}

// TreeSimilarityDetail is what a report draws: both trees and the type of every released rule.
type TreeSimilarityDetail = ruletypes.Comparison

// TreeSimilarityMeter measures tree similarity. Its parameters are those of the tree builder.
type TreeSimilarityMeter struct{ trees.Learner }

// Measure returns the weight of the rules of type A and B, in per cent, with the four weights and the numbers of leaves
// as parts and a TreeSimilarityDetail. It fails when the release has no records or no categorical class.
func (m *TreeSimilarityMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	if r.Released.Rows() == 0 {
		return measure.Value{}, errors.New("the released table has no records")
	}
	orig, rel, err := trees.Of(ctx, r, m.Learner)
	if err != nil {
		return measure.Value{}, err
	}
	d := ruletypes.Compare(orig, rel, r.Released)
	w, note := d.Weights, message.Say("measure.treesimilarity.note.class").Part("class", d.Class.Title())
	if len(orig.Leaves()) == 1 && len(rel.Leaves()) == 1 { // the trees are the same, for there is nothing in them
		note = message.Say("measure.treesimilarity.note.nothing")
	}
	v := measure.Exact(d.Survived(), []measure.Part{
		{
			Key:   "type-a",
			Name:  message.Say("measure.treesimilarity.part.type-a"),
			Score: w[0],
		}, {Key: "type-b", Name: message.Say("measure.treesimilarity.part.type-b"), Score: w[1]},
		{Key: "type-c", Name: message.Say("measure.treesimilarity.part.type-c"), Score: w[2]},
		{Key: "type-d", Name: message.Say("measure.treesimilarity.part.type-d"), Score: w[3]},
		{
			Key:   "leaves-original",
			Name:  message.Say("measure.treesimilarity.part.leaves-original"),
			Score: float64(len(orig.Leaves())),
		},
		{
			Key:   "leaves-released",
			Name:  message.Say("measure.treesimilarity.part.leaves-released"),
			Score: float64(len(rel.Leaves())),
		},
	}, note)
	v.Detail = d
	return v, nil
}
