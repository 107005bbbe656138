// Package coding is top and bottom coding: it removes the extremes of an attribute, where few people are and may be
// well known.
//
// In some columns every value beyond a limit becomes the limit (as=limit), or the mean of all values beyond it
// (as=mean). The limit is given (at=income=100000), or it is the value that leaves at most a share of the records
// beyond it (share, or at=income=1%). An ordered category beyond the limit becomes the limit, whatever "as" says.
// Numbers stay numbers on their grid. The domain of the release ends at the extreme, unless it is declared. What a
// value becomes is certain, so the plan has a law for every column it codes. It draws nothing at random and works on
// any chunk.
//
// A limit chosen by a share is a value of the original that records of at least k people reach; where equal values or
// a small table leave fewer, it is drawn in until they are k (this is ours, not the source's). A limit given by hand
// is kept, and the notes name the columns where fewer than k share the extreme. Values of fewer than k people are
// never averaged: the limit stands for their mean. With as=mean, anyone who knows all of the values beyond the limit
// but one works out the last, and a single value that dominates their sum nearly so.
//
// A column is left alone, and the notes name it, in which a limit by share would be the value of nearly all records
// (more than half, and all but twice the share), or would leave no other value: of a column of zeros but for few,
// coding would leave zeros only. An attribute to be coded by share with some known values, but fewer than k, is an
// error that names it. A value outside the domain counts as its nearest end.
//
// Sampling weights make the share one of the population and the mean a weighted one; k counts people, whatever their
// weights: records, where it is not told whose they are (table.Table.People). The limit is in the plan, so a table
// that it is applied to is not counted.
//
// Reference: A. Hundepool et al., "Statistical Disclosure Control", Wiley 2012, chapter 3 (top and bottom coding).
package coding

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
)

// Methods are the catalogue entries.
var Methods = []protect.Method{Top, Bottom}

// Top codes the highest values. Means fall with as=limit.
var Top = entry(false, card.Card{
	Name:    "topcode",
	Title:   "Top coding",
	Aliases: []string{"top-coding"},
	Summary: "Replaces values above a limit by the limit or by their mean.",
	Changes: "the highest values of the given attributes, or of all numeric and ordered ones",
	Exposes: "every value up to the limit, and that the others are above it; with as=mean their sum",
})

// Bottom codes the lowest values. Means rise with as=limit.
var Bottom = entry(true, card.Card{
	Name:    "bottomcode",
	Title:   "Bottom coding",
	Aliases: []string{"bottom-coding"},
	Summary: "Replaces values below a limit by the limit or by their mean.",
	Changes: "the lowest values of the given attributes, or of all numeric and ordered ones",
	Exposes: "every value from the limit up, and that the others are below it; with as=mean their sum",
})

// entry is the entry of a card, with what both say.
func entry(bottom bool, c card.Card) protect.Method {
	c.Paper = "Hundepool et al. 2012, chapter 3"
	c.Needs = "numeric or ordered categorical attributes"
	c.Preserves = "values within the limit; the median; the mean (as=mean)"
	c.Biases = "variances shrink (type A), the tail becomes a spike (type D), correlations carried by extremes " +
		"(types B and C) and rules in the tail (type DM) are lost"
	c.Missing = "stay missing and are not used"
	c.People = "an extreme chosen by a share, and a mean, comes from records of at least k people; the share is of " +
		"records"
	c.Cost = "O(n) per column, O(n log n) to find a limit"
	return protect.Method{
		Card:    c,
		Purpose: protect.Generalises,
		Growth:  1,
		New:     func() protect.Technique { return param.Default(&Technique{Bottom: bottom}) },
		Plan:    func() protect.Plan { return &Plan{lowest: bottom} },
		Claims:  []protect.Claim{protect.HasNoiseModel, protect.Notes, protect.Describes, protect.Checks, protect.Memoises},
	}
}
