// Package topcode is top coding: it takes the extreme out of the upper end of an attribute, where few people are and everybody may know them.
//
// What it does: every value above a limit becomes the limit (as=limit), or the mean of all values above it (as=mean). The limit is given
// (at=income=100000), or it is the value that leaves at most a share of the records above it ("share", or at=income=1%). bottomcode codes
// the other end.
//
// Needs and changes: no class; changes the numeric and ordered categorical attributes named in "columns" and "at" or, where none is, all of
// them, but for the class, weights and those named in "except". An ordered category above the limit becomes the limit, whatever "as" says.
// Numbers stay numbers on their grid. The domain ends at the largest value that can be released then, unless it is declared.
//
// Preserves and biases: everything about values on the other side of the limit; the median, and quantiles on that side; with as=mean the
// mean of the attribute, to rounding. Means fall with as=limit, variances shrink (type A), and correlations that extremes carry with them
// (types B and C); the tail becomes a spike (type D). Rules that test limits on the other side survive, those in the tail are lost (type
// DM).
//
// What an informed intruder learns: every value on the other side of the limit, and of the others that they are above it; with as=mean,
// their sum, from which whoever knows all but one works out the last, and a single value that dominates it nearly so. A limit chosen by a
// share is a value of the original that records of at least k people reach, so that no fewer share the extreme that is released; where equal values
// or a small table leave fewer, the limit is drawn in until they are k. A limit given by hand is kept, and the notes name the columns where
// fewer than k share the extreme. Values of fewer than k people are never averaged: the limit stands for their mean.
//
// A column is left alone, and the notes name it, in which a limit by share would be the value of nearly all records (more than half, and all
// but twice the share), or would leave no other value: of a column of zeros but for few, coding would leave zeros only.
//
// Missing values stay missing and take no part. An attribute to be coded by share with some known values, but fewer than k, is an error
// that names it. A value outside the domain counts as its nearest end.
//
// Sampling weights (role weight) make the share one of the population and the mean a weighted one; k counts people, whatever their weights:
// records, where it is not told whose they are (table.Table.People). The limit is in the plan, so a table that it is applied to is not counted.
//
// Cost: O(n) per column, and O(n log n) or less to find a limit. Works on any chunk; draws nothing at random.
//
// Departures: none. How the limit is drawn in to k people is ours.
//
// Reference: A. Hundepool et al., "Statistical Disclosure Control", Wiley 2012, chapter 3 (top and bottom coding).
package topcode

import (
	"context"
	"errors"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/coding"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:      "topcode",
		Title:     "Top coding",
		Aliases:   []string{"top-coding"},
		Summary:   "Replaces values above a limit by the limit or by their mean.",
		Paper:     "Hundepool et al. 2012, chapter 3",
		Needs:     "numeric or ordered categorical attributes",
		Changes:   "the highest values of the attributes named, or of all numeric and ordered ones",
		Preserves: "everything on the other side of the limit; the median; the mean (as=mean)",
		Biases: "variances shrink (type A), the tail becomes a spike (type D), correlations that extremes carry (types B and C) and rules " +
			"in the tail (type DM) are lost",
		Exposes: "every value on the other side of the limit, and that the others are above it; with as=mean their sum",
		Missing: "stay missing and take no part",
		People:  "an extreme that is released by a share, and a mean, is of records of k people; the share is one of the records",
		Cost:    "O(n) per column, O(n log n) to find a limit",
	},
	Purpose: protect.Generalises,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims:  []protect.Claim{protect.HasLaw, protect.Notes, protect.Describes, protect.Checks, protect.Memoises},
}

// Technique holds the parameters.
type Technique struct {
	coding.Extremes
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Fit finds the limits. Cost: that of sorting every column that is coded.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p, err := q.Extremes.Plan(ctx, t)
	if err != nil {
		return nil, err
	}
	return &Plan{p}, nil
}

// Plan is the fitted technique.
type Plan struct {
	coding.Coded
}

// Describe says what the plan does.
func (p *Plan) Describe() string { return "top-coded" }

// Check refuses a decoded plan that codes the other end, or columns that are not usable.
func (p *Plan) Check() error {
	if p.Bottom {
		return errors.New("the plan codes the other end")
	}
	return p.Coded.Check()
}

// Memoised says that nothing is drawn: equal values are released alike.
func (*Plan) Memoised() bool { return true }
