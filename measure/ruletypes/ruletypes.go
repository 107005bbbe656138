// Package ruletypes compares the decision rules mined from a release with those mined from its original (Islam 2007,
// section 7.3).
//
// Every rule of the released tree has a type, checked in this order:
//
//	D  it tests a totally innocent attribute, one that the original tree tests nowhere
//	A  the same rule, conditions and class, stands in the original tree
//	B  an original rule has the same attributes, operators, categories and class and differs in numeric limits only; or
//	   two or more released rules of one class that are equal but for one attribute give such a rule when they are joined
//	   over that attribute, which drops out when the union is its whole domain
//	C  any other
//
// The weight of a type is the share of the released records that reach its rules; the weights name the class of the
// tree. A record whose tested value is missing counts for the leaf that tree.Route sends it to.
//
// Numeric limits are compared on the grid of their attribute: on integers "<= 2" and "<= 2.5" are one test. The best
// matching rule of a type B rule is the one of its form with the nearest limits; of a type C or D rule the one that
// shares most conditions, but for limits.
//
// Cost: O(n w) expected for the types of n rules that test w attributes each, whose joins are found by hashing all
// conditions but one; naming the best matching rules of type C is O(n m) at worst for m original rules.
//
// Departures: the order of the checks and the joins over one attribute only are readings; the text leaves both open.
// The definitions of the tree classes leave gaps, in which a tree is Unclassified.
package ruletypes

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Comparison is two trees with the type of every released rule.
type Comparison struct {
	Original *tree.Tree `json:"-"`
	Released *tree.Tree `json:"-"`
	Types    []Type     `json:"types"`     // by leaf of the released tree
	Match    []int      `json:"match"`     // by leaf of the released tree: its best matching original leaf, -1 if none
	Weights  [4]float64 `json:"weights"`   // per cent of the released records under rules of type A, B, C, D
	Class    TreeClass  `json:"treeClass"` // Exactly Same, Very Similar, Similar, Dissimilar or Unclassified
}

// Survived returns the per cent of the released records under rules of type A and B: patterns that the original has
// too.
func (c *Comparison) Survived() float64 { return min(100, c.Weights[0]+c.Weights[1]) }

// Bare reports that both trees are single leaves, so that there is no rule to keep or to lose.
func (c *Comparison) Bare() bool {
	return c.Original != nil && c.Released != nil && len(c.Original.Nodes) == 1 && len(c.Released.Nodes) == 1
}

// Headline says how many records are under rules of type A and B; nothing where neither tree has a rule.
func (c Comparison) Headline(r measure.Reader) (h measure.Headline, ok bool) {
	kept := float64(c.Weights[0]+c.Weights[1]) / 100
	if math.IsNaN(kept) || c.Bare() {
		return h, false
	}
	says := message.Say("measure.ruletypes.head.kept").Share("same", c.Weights[0]/100).Share("limits", c.Weights[1]/100)
	var class, general message.Sentence
	if c.Class != "" {
		class = message.Say("measure.ruletypes.head.class").Part("class", c.Class.Sentence())
	}
	if r.Generalised {
		general = message.Say("measure.head.generalised")
	}
	return measure.Headline{
		Value: message.Share(kept),
		Kept:  &measure.Kept{Before: 1, After: min(1, kept)},
		Says:  message.After(says, class, general),
	}, true
}

// Compare returns the types of the rules of the released tree, weighted by the records of the released table, which
// must conform to the tree. The trees must have the same schema but for domains.
func Compare(original, released *tree.Tree, records *table.Table) Comparison {
	c := Comparison{Original: original, Released: released}
	c.Types, c.Match = compare(original.Attrs, normal(original.Attrs, original.Rules()),
		normal(original.Attrs, released.Rules()))
	leafOf := make([]int32, records.Rows())
	released.Route(records, leafOf)
	weights := make([]float64, len(c.Types))
	for _, l := range leafOf {
		weights[l]++
	}
	c.Weights = Weigh(c.Types, weights)
	c.Class = Class(c.Weights)
	return c
}

// CompareRules returns the type of every released rule and the position of its best matching original rule, -1 if none.
// Attrs is the schema both rule sets refer to: its steps are the grids that numeric limits are compared on, its domains
// and labels say when a union is the whole domain. It fails on a condition that its attribute cannot have.
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
