package rulepreservation

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// EDUSC measures how much a release changes what every attribute says about the class, segment by segment
// (Fletcher & Islam 2015, section 5, eq. 4-5: Evaluation of Data Utility using Splitting Criteria).
//
// A forest (SysFor) or a single tree (C4.5) is grown on the original table, and the released records are put through
// the same trees, with their tests and cuts: the forced forest. In every node, leaves included, the gain ratio of every
// attribute is taken in both tables; a numeric attribute's cut is the one of the largest gain, chosen in each table on
// its own. An attribute counts in a node when one of its two gain ratios is above the threshold. A node's difference is
// the mean absolute difference of the gain ratios of the attributes that count. Two entries of the catalogue read the
// equation in two ways:
//
//	edusc       1 - the mean over the nodes of difference x records/n, as printed
//	edusc-norm  1 - the mean of the differences, weighted by the nodes' original records
//
// averaged over the trees. As printed, every node's weight records/n is divided by the number of nodes too, so the
// larger the trees the closer to 1 is the value of any release; the weights of edusc-norm sum to 1, and its values
// compare across trees.
//
// It needs the class and all other attributes; records need not be paired. It speaks of the strengths of attributes,
// not of the values that carry them: a release that swaps two categories everywhere has the same gain ratios in the
// root.
//
// The criterion may be the information gain or the fall of the Gini index instead, each over its largest value for the
// number of classes of the schema, log2 c and 1 - 1/c; the Gini index then also chooses the cuts.
//
// Missing values: a record whose tested value is missing follows the heaviest branch; records whose class is missing
// are left out; in a node the criterion is that of the records that have the attribute, times their share, and the
// others are a branch in the split information, as in C4.5.
//
// Cost: growing the forest; then, for every attribute, sorting it once and O(n) per level of every tree at most;
// attributes are worked on in parallel, with O(n) memory per core.
//
// Departures: the sums start at 1; a node in which no attribute counts adds 0; an attribute without a cut or with one
// value in a node has 0 there; gain ratios are plain, without the cost of a threshold. The smallest side of a cut is
// one record; minSide sets it otherwise.
//
// Reference: S. Fletcher and M. Z. Islam, "An anonymization technique using intersected decision trees", Journal of
// King Saud University - Computer and Information Sciences, 2015.
//
// EDUSC is the catalogue entry of the equation as printed.
var EDUSC = entryOf(card.Card{
	Name:    "edusc",
	Title:   "Evaluation of data utility using splitting criteria",
	Short:   "EDUSC",
	Aliases: []string{"EDUSC", "splitting criteria similarity"},
	Summary: "How similar the gain ratios of all attributes are in the segments of the original's forest, before " +
		"and after; as printed.",
	Paper:  "Fletcher & Islam 2015, section 5, eq. 4-5",
	Biases: "approaches 1 for larger trees: compare values for the same trees only",
}, false)

// EDUSCNorm is the catalogue entry with weights that sum to 1.
var EDUSCNorm = entryOf(card.Card{
	Name:    "edusc-norm",
	Title:   "Evaluation of data utility using splitting criteria, normalised",
	Short:   "EDUSC-norm",
	Aliases: []string{"EDUSC normalised"},
	Summary: "How similar the gain ratios of all attributes are in the segments of the original's forest, weighted " +
		"by their records.",
	Paper: "Fletcher & Islam 2015, section 5, eq. 4-5, with weights that sum to 1",
}, true)

func entryOf(c card.Card, normalised bool) measure.Measure {
	c.Needs = "a categorical class; all attributes but identifiers and weights"
	c.Preserves = "1 when every attribute is as good a predictor of the class in every segment as it was"
	c.Missing = "records without a class are omitted; a missing value earns no gain and is a branch in the split " +
		"information"
	c.Cost = "growing a forest, then O(n log n) per attribute and O(n depth) per attribute and tree"
	return measure.Measure{
		Card:   c,
		Facts:  measure.Facts{About: measure.Worth, Effort: measure.Fast},
		Side:   measure.Utility,
		Better: measure.Higher,
		Range:  table.Interval{Lo: 0, Hi: 1},
		Unit:   measure.In(measure.Ratio, message.Say("unit.similarity")),
		New:    func() measure.Meter { return param.Default(&EDUSCMeter{Normalised: normalised}) },
	}
}

// EDUSCMeter measures EDUSC.
type EDUSCMeter struct {
	trees.Model
	Options
	Normalised bool // which of the two readings is the score
}

// Params declares the parameters: those of the comparison, then those of the model.
func (m *EDUSCMeter) Params() param.Set {
	return append(param.Set{
		param.Choice(&m.Criterion, "criterion", GainRatio, []string{GainRatio, Gain, Gini},
			"criterion for how well an attribute separates the classes in a segment"),
		param.Float(&m.Threshold, "threshold", 0.01, 0, 1, "",
			"an attribute counts in a segment if its criterion exceeds this in either table"),
		param.Int(&m.MinSide, "minSide", 1, 1, math.MaxInt32, "records", "minimum records on either side of a numeric cut"),
	}, m.Model.Params()...)
}

// Measure returns the similarity in the reading of the meter, with that of every tree as parts and an EDUSCDetail. It
// fails when there is no categorical class or no record to grow a tree from.
func (m *EDUSCMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	f, err := trees.OriginalModel(ctx, r, m.Model)
	if err != nil {
		return measure.Value{}, err
	}
	before, after, err := m.segments(ctx, r, f)
	if err != nil {
		return measure.Value{}, err
	}
	d := EDUSCCompare(f, before, after, m.Threshold)
	v := measure.Exact(d.Printed, nil)
	if m.Normalised {
		v = measure.Exact(d.Normalised, nil)
	}
	v.Detail = d
	v.Parts = d.parts(m.Normalised)
	return v, nil
}

// segments returns the segments of both tables. Both readings share them, and all releases of an original share its
// own.
func (m *EDUSCMeter) segments(
	ctx context.Context,
	r *measure.Release,
	f *tree.Forest,
) (before, after [][]Segment, err error) {
	o := m.Options
	o.Threshold = 0 // no part of a strength
	key := fmt.Sprintf("strengths %+v %+v", o, m.Model)
	before, err = measure.PerOriginal(r, key, func(t *table.Table) ([][]Segment, error) { return Segments(ctx, f, t, o) })
	if err != nil || r.Released == r.Original {
		return before, before, err
	}
	after, err = measure.PerRelease(r, key, func(r *measure.Release) ([][]Segment, error) {
		return Segments(ctx, f, r.Released, o)
	})
	return before, after, err
}
