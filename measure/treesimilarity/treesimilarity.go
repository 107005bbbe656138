// Package treesimilarity measures how many of the decision rules that can be mined from the original are mined from the
// release too (Islam 2007, section 7.3).
//
// What it does. A C4.5 tree is grown on each table. Every rule of the released tree has a type, checked in this order:
//
//	D  it tests a totally innocent attribute, one that the original tree tests nowhere
//	A  the same rule, conditions and class, stands in the original tree
//	B  an original rule has the same attributes, operators, categories and class and differs in numeric limits only; or
//	   two or more released rules of one class that are equal but for one attribute give such a rule when they are joined
//	   over that attribute, which drops out when the union is its whole domain
//	C  any other
//
// The weight of a type is the share of the released records that reach its rules. The score is the weight of A and B
// together; the weights also name the class of the tree.
//
// It needs the class and all other attributes; records need not be paired. Numeric limits are compared on the grid of their
// attribute: on integers "<= 2" and "<= 2.5" are one test. The best matching rule of a type B rule is the one of its form with
// the nearest limits; of a type C or D rule the one that shares most conditions, but for limits.
//
// Missing values: the trees treat them as C4.5 does; a record whose tested value is missing counts for the leaf that
// tree.Route sends it to.
//
// Cost: growing two trees, then O(n w) expected for the types of n rules that test w attributes each, whose joins are found
// by hashing all conditions but one; naming the best matching rules of type C is O(n m) at worst for m original rules.
//
// Departures: the order of the checks and the joins over one attribute only are readings; the text leaves both open. The
// definitions of the tree classes leave gaps, in which a tree is Unclassified.
package treesimilarity

import (
	"context"
	"errors"
	"fmt"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tree"
)

// Measure is the catalogue entry.
var Measure = measure.Measure{
	Card: card.Card{
		Name:      "treesimilarity",
		Title:     "Tree similarity",
		Aliases:   []string{"rule types", "decision tree similarity"},
		Summary:   "Share of the released records under decision rules that the original tree has too, but for numeric limits (types A and B).",
		Paper:     "Islam 2007, section 7.3",
		Needs:     "a categorical class; all attributes but identifiers and weights",
		Preserves: "type A and B rules are patterns that survived; type D rules are artefacts of the release",
		Missing:   "as C4.5 in growing the trees; a record with a missing tested value counts for the heaviest branch",
		Cost:      "growing two trees, then O(rules × attributes) expected",
	},
	Side:   measure.Utility,
	Better: measure.Higher,
	Range:  table.Interval{Lo: 0, Hi: 100},
	Unit:   "% of the released records",
	New:    func() measure.Meter { return param.Default(&Meter{}) },
}

// Meter measures tree similarity. Its parameters are those of the tree builder.
type Meter struct{ measure.Learner }

// Measure returns the weight of the rules of type A and B, in per cent, with the four weights and the numbers of leaves as parts
// and a Detail. It fails when the release has no records or no categorical class.
func (m *Meter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	if r.Released.Rows() == 0 {
		return measure.Value{}, errors.New("the released table has no records")
	}
	orig, rel, err := r.Trees(ctx, m.Learner)
	if err != nil {
		return measure.Value{}, err
	}
	d := Compare(orig, rel, r.Released)
	w := d.Weights
	return measure.Value{
		Score: w[0] + w[1], Lo: w[0] + w[1], Hi: w[0] + w[1],
		Parts: []measure.Part{
			{Name: "type A", Score: w[0]}, {Name: "type B", Score: w[1]}, {Name: "type C", Score: w[2]}, {Name: "type D", Score: w[3]},
			{Name: "leaves of the original tree", Score: float64(len(orig.Leaves()))},
			{Name: "leaves of the released tree", Score: float64(len(rel.Leaves()))},
		},
		Notes:  []string{"tree class: " + d.Class},
		Detail: d,
	}, nil
}

// Compare returns the types of the rules of the released tree, weighted by the records of the released table, which must conform
// to the tree. The trees must have the same schema but for domains.
func Compare(original, released *tree.Tree, records *table.Table) Detail {
	d := Detail{Original: original, Released: released}
	d.Types, d.Match = compare(original.Attrs, normal(original.Attrs, original.Rules()), normal(original.Attrs, released.Rules()))
	leafOf := make([]int32, records.Rows())
	released.Route(records, leafOf)
	weights := make([]float64, len(d.Types))
	for _, l := range leafOf {
		weights[l]++
	}
	d.Weights = Weigh(d.Types, weights)
	d.Class = Class(d.Weights)
	return d
}

// CompareRules returns the type of every released rule and the position of its best matching original rule, -1 if none. Attrs
// is the schema both rule sets refer to: its steps are the grids that numeric limits are compared on, its domains and labels say
// when a union is the whole domain. It fails on a condition that its attribute cannot have.
func CompareRules(attrs []table.Attribute, original, released []tree.Rule) ([]Type, []int, error) {
	if err := check(attrs, original); err != nil {
		return nil, nil, fmt.Errorf("original %w", err)
	}
	if err := check(attrs, released); err != nil {
		return nil, nil, fmt.Errorf("released %w", err)
	}
	types, match := compare(attrs, normal(attrs, original), normal(attrs, released))
	return types, match, nil
}
