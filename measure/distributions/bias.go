package distributions

import (
	"context"
	"errors"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/correlation"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Bias measures what a release does to variances, correlations, distributions and rules: the bias types A to D
// of Muralidhar, Parsa and Sarathy (1999) and DM of Wilson and Rosen (2002), after Islam 2007, sections 3.2.1, 7.3 and
// 9.
//
// Every type of bias has its own figures, with 0 for none:
//
//	A   variance: the relative change of an attribute's standard deviation (divisor n-1); the largest and the mean
//	B   relations among confidential attributes: the absolute change of a correlation; the largest and the mean
//	C   relations between a confidential and a non-confidential attribute: the same
//	D   distribution: the distance of an attribute's two samples, of Kolmogorov and Smirnov between the distribution functions of a
//	    numeric attribute, and the total variation between the shares of the categories of a categorical one; the largest and the mean
//	DM  patterns: the share of the released records under decision rules that the original tree lacks, the types C and D of the rules of
//	    a C4.5 tree grown on each table (package ruletypes)
//
// The score is the largest absolute change of the correlation of any two numeric attributes. A further part gives the
// largest shift of a mean, in standard deviations of the original; the Detail has the moments, and the distance of
// every attribute.
//
// It needs at least two numeric attributes that vary in both tables, and does not apply where the original has no such
// two, of which distributions are judged all the same (measure.Measure.Otherwise); identifiers and weights are left
// out. Confidential are the numeric attributes of that role. Where none has it
// all are confidential, and there is no type C. Type DM needs a categorical class. Records need not be paired.
//
// Missing values: each mean and standard deviation is over the attribute's values that are there, each correlation over
// the records that have both values (pairwise complete), each distribution over the records that have a value. An
// attribute that the release has no values of lies at the distance 1. The trees treat missing values as C4.5 does.
//
// A column that is constant in a table has no correlation there: such pairs are left out and a note says how many. So
// is what else cannot be taken.
//
// Cost: O(n p^2) for n records and p numeric attributes, and a sort of the numeric columns whose distributions are all
// but the same, on all cores; for type DM that of growing two trees, which all measures with equally set trees share.
// The result does not depend on the number of cores.
//
// Departures: the types are defined in words; the figures are readings. Wilson and Rosen look at type DM by the
// accuracy of a classifier, which stays high where rules change (Islam 2007, section 3.2.2) and is a measure of its own
// (accuracy).
var Bias = measure.Measure{
	Card: card.Card{
		Name:  "bias",
		Title: "Change of correlations, and bias by type",
		Short: "Bias",
		Aliases: []string{"correlation matrices", "mean vector", "type A bias", "type B bias", "type C bias",
			"type D bias", "type DM bias", "Kolmogorov-Smirnov", "KS"},
		Summary: "Largest absolute difference between correlations in the original and in the release, and bias " +
			"types A to D and DM.",
		Paper: "Islam 2007, sections 3.2.1 and 7.3; Muralidhar, Parsa and Sarathy 1999; Wilson and Rosen 2002",
		Needs: "at least two numeric attributes; for type C the role confidential; for type DM a categorical " +
			"class and all attributes",
		Preserves: "0 when all correlations are the same in both tables; each part is 0 when there is no bias of its type",
		Biases: "covers types A (variance), B and C (correlations among and with confidential attributes), D " +
			"(distribution), DM (rules)",
		Missing: "pairwise complete: a correlation uses the records that have both values",
		Cost:    "O(n p²), and for type DM growing two trees",
		Shards:  measure.FromMoments + ", and counts in cells; without type DM",
	},
	Facts: measure.Facts{
		About:  measure.Worth,
		Effort: measure.Fast,
		Figure: measure.Entry{Place: 5, Says: message.Say("headFigure.bias")},
	},
	Side:   measure.Utility,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: 2},
	Unit:   measure.In(measure.Ratio, message.Say("unit.correlation")),
	Losses: []measure.Loss{{
		Name: "correlations", Says: message.Say("loss.correlations"),
		Of:      measure.ByScore,
		Set:     map[string]string{"dm": "false"},
		Numbers: true,
		Weights: []measure.Weight{
			{Purpose: "everything", Weight: 1, Place: 4},
			{Purpose: "models", Weight: 1, Place: 4},
			{Purpose: "statistics", Weight: 2, Place: 3},
		},
	}, {
		Name: "means", Says: message.Say("loss.means"),
		Of:      measure.ByPart("mean-shift"),
		Set:     map[string]string{"dm": "false"},
		Numbers: true,
		Weights: []measure.Weight{{Purpose: "everything", Weight: 1, Place: 5}, {Purpose: "statistics", Weight: 2, Place: 1}},
	}, {
		Name: "spreads", Says: message.Say("loss.spreads"),
		Of:      measure.ByPart("sd-largest"),
		Set:     map[string]string{"dm": "false"},
		Numbers: true,
		Weights: []measure.Weight{{Purpose: "everything", Weight: 1, Place: 6}, {Purpose: "statistics", Weight: 2, Place: 2}},
	}, {
		Name: "distributions", Says: message.Say("loss.distributions"),
		Of:  measure.ByPart("distance-mean"),
		Set: map[string]string{"dm": "false"},
		Weights: []measure.Weight{
			{Purpose: "everything", Weight: 1, Place: 7},
			{Purpose: "models", Weight: 1, Place: 5},
			{Purpose: "statistics", Weight: 2, Place: 4},
		},
	}},
	Uses:      uses,
	Otherwise: distributions,
	New:       func() measure.Meter { return param.Default(&Meter{}) },
}

// Meter measures bias. Besides dm its parameters are those of the tree builder, for type DM.
type Meter struct {
	trees.Learner
	DM bool
}

// Params declares the parameters.
func (m *Meter) Params() param.Set {
	return append(
		param.Set{param.Bool(&m.DM, "dm", true, "also compute type DM, which grows a tree on each table")},
		m.Learner.Params()...)
}

// Measure returns the largest absolute difference of correlations with the types of bias as parts and a Detail. It does
// not apply when no two numeric attributes of the original vary together, and fails when none do in both tables, or
// above correlation.Limit numeric attributes.
func (m *Meter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	cols := columns(r.Original, table.Numeric)
	if len(cols) < 2 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.twoNumbers").Count("n", len(cols)))
	}
	before, err := correlation.OfTable(ctx, r.Original, cols)
	if err != nil {
		return measure.Value{}, err
	}
	if !correlated(before.Corr) {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.uncorrelated"))
	}
	after := before
	if r.Released != r.Original {
		if after, err = correlation.OfTable(ctx, r.Released, cols); err != nil {
			return measure.Value{}, err
		}
	}
	d := Detail{Confidential: confidential(r.Original, cols), MeanOriginal: before.Mean, MeanReleased: after.Mean,
		SDOriginal: before.SD, SDReleased: after.SD, CorrOriginal: before.Corr, CorrReleased: after.Corr}
	for _, j := range cols {
		d.Names = append(d.Names, r.Original.Attr(j).Name)
	}
	notes := d.compareMoments()
	if d.pairs == 0 {
		return measure.Value{}, errors.New("no two numeric columns vary in both tables: the release has none of the " +
			"original's correlations")
	}
	if err := d.compareDistributions(ctx, r); err != nil {
		return measure.Value{}, err
	}
	var note message.Sentence
	if d.DM, note, err = m.patterns(ctx, r); err != nil {
		return measure.Value{}, err
	}
	if !note.Empty() {
		notes = append(notes, note)
	}
	v := measure.Exact(d.LargestCorrDiff, d.parts(), notes...)
	v.Detail = d
	return v, nil
}
