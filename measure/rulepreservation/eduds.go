package rulepreservation

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// EDUDS measures how similar the decision rules for every person are in the forests of the original and of the
// release (Fletcher & Islam 2015, section 4, eq. 1-3: Evaluation of Data Utility using Domain Similarity).
//
// A forest (SysFor) or a single tree (C4.5) is grown on each table. Every original record reaches one leaf in every
// tree; the rules on its way, taken together, leave every attribute a sub-domain. For each attribute that the record's
// rules test in either forest, the sub-domains are compared: numbers by (|lower limits' difference| + |upper limits'
// difference|)/domain, an untested side keeping the limit of the domain; categories by 0 when both forests test the
// attribute and 1 when one does. A record's similarity is 1 minus the mean of these differences; the score is the mean
// over the records. The parts give the mean of every attribute over the records that it counts for: low ones are the
// patterns that moved.
//
// It needs the class and all other attributes; records need not be paired, for the original record is put through both
// forests. It sees whether rules stay, not whether they are right: use it beside the accuracy. Noise that keeps every
// record in its intersection lowers it far less than the same noise over the whole domain, and more of it need not
// lower it more: wide noise spreads the values evenly over their sub-domains, and the same cuts are found again.
//
// Domains and limits: the domain is the attribute's in the original table, the declared one where there is one; limits
// are the split points. So both sub-domains hold the record's value, and no similarity is negative.
//
// Missing values: a record whose tested value is missing follows the heaviest branch, as tree.Tree.Route does; its two
// sub-domains may then lie apart, and a difference above 1 counts as 1.
//
// Cost: growing two forests, then O(n depth) per tree, on all cores, and O(attributes tested) for every pair of
// intersections that has records.
//
// Departures: eq. 2 prints "or" for "exactly one"; table 1 divides by the size of the segment, the text, followed here,
// by that of the domain; the sums start at 1. A record for which no attribute is tested has similarity 1, an attribute
// of one value does not count. The parameter categories=jaccard also compares which categories are left, where eq. 2
// asks only whether the attribute is tested.
//
// Reference: S. Fletcher and M. Z. Islam, "An anonymization technique using intersected decision trees", Journal of
// King Saud University - Computer and Information Sciences, 2015.
var EDUDS = measure.Measure{
	Card: card.Card{
		Name:    "eduds",
		Title:   "Evaluation of data utility using domain similarity",
		Short:   "EDUDS",
		Aliases: []string{"EDUDS", "sub-domain similarity", "SDS"},
		Summary: "How similar the sub-domains of every original record are under the rules of the two forests, " +
			"grown on the original and on the release.",
		Paper:     "Fletcher & Islam 2015, section 4, eq. 1-3",
		Needs:     "a categorical class; all attributes except identifiers and weights",
		Preserves: "1 when every record falls under the same rules in both forests",
		Missing:   "a missing tested value follows the heaviest branch",
		Cost:      "growing two forests, then O(n depth) per tree",
	},
	Facts:  measure.Facts{About: measure.Worth, Effort: measure.Fast},
	Side:   measure.Utility,
	Better: measure.Higher,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Ratio, message.Say("unit.similarity")),
	New:    func() measure.Meter { return param.Default(&EDUDSMeter{}) },
}

// EDUDSMeter measures EDUDS.
type EDUDSMeter struct {
	trees.Model
	Categories string // Printed or Jaccard
}

// Params declares the parameters: the reading, then those of the model.
func (m *EDUDSMeter) Params() param.Set {
	return append(param.Set{
		param.Choice(&m.Categories, "categories", Printed, []string{Printed, Jaccard},
			"difference in a categorical attribute tested by both forests: none, or 1 - shared categories / "+
				"categories of either"),
	}, m.Model.Params()...)
}

// Measure returns the mean similarity of the original records, with the means by attribute as parts and an EDUDSDetail.
// It fails when there is no categorical class, a table has no records, or a forest has too many tuples of leaves for a
// key.
func (m *EDUDSMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	original, released, err := trees.Models(ctx, r, m.Model)
	if err != nil {
		return measure.Value{}, err
	}
	c, err := EDUDSCompare(ctx, original, released, r.Original, m.Categories)
	if err != nil {
		return measure.Value{}, err
	}
	d := c.detail()
	d.Trees = [2]int{len(original.Trees), len(released.Trees)}
	v := measure.Exact(c.Mean(), nil)
	v.Detail = d
	for _, a := range d.Attributes {
		v.Parts = append(v.Parts,
			measure.Part{Key: measure.OfColumn, Of: a.Name, Name: message.Name(a.Name), Score: a.Similarity})
	}
	if d.Untested > 0 {
		v.Notes = append(v.Notes, message.Say("measure.eduds.note.untested").Count("n", d.Untested).
			Count("records", r.Original.Rows()))
	}
	return v, nil
}
