// Package nndr measures whether released records point at one original each: the nearest-neighbour distance ratio.
//
// What it does. For every released record it divides the distance of the nearest original by that of the second nearest, in all attributes
// but identifiers and weights (package measure/internal/nearest says how); 1 when both are 0. A small ratio says that the record is made of that one
// person, whatever the density of the place: it finds copies of outliers, where distances alone are large. The same ratios of a hold-out,
// from which nothing was released, say which are small. The score is the share of released records within the ratio that 5 % of the
// hold-out (parameter percent) do not exceed, beyond the hold-out's own share: (share - expected) / (1 - expected), 0 when there are not
// more than expected. Lo and Hi come from the 95 % intervals of both shares (Wilson 1927).
//
// Without a hold-out the control is every original among the others, and the value says so. The figure does not depend on an intruder, nor
// on the pairing of records. The risk of an original is the share of the control with larger ratios than the released record has that has
// this original as its nearest; 0 when none has. Originals that are equal in all attributes hide each other: records that copy them have
// the ratio 1.
//
// Missing values and cost: as dcr, with which it shares the work.
//
// Reference: Z. Zhao, A. Kunar, R. Birke and L. Y. Chen, "CTAB-GAN: effective table data synthesizing", ACML 2021; the ratio is that of D.
// G. Lowe, "Distinctive image features from scale-invariant keypoints", IJCV 60, 2004.
package nndr

import (
	"context"
	"errors"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Measure is the catalogue entry.
var Measure = measure.Measure{
	Card: card.Card{
		Name:      "nndr",
		Title:     "Nearest-neighbour distance ratio",
		Aliases:   []string{"NNDR"},
		Summary:   "Whether released records point at one original each, more than records of a hold-out do.",
		Paper:     "Lowe 2004; Zhao, Kunar, Birke & Chen 2021",
		Needs:     "any attributes; a hold-out is better; records need not be paired",
		Preserves: "1 when an original without duplicates is released, 0 when released records point at nobody more than others do",
		Missing:   "two missing values are equal; one is at the mean distance from any value",
		Cost:      "that of dcr, which it shares",
	},
	Facts:  measure.Facts{About: measure.Identity, Counts: measure.Records, Effort: measure.Slow, Place: 10, Bounds: map[string]string{"pairs": "10000000"}},
	Side:   measure.Risk,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Share, "beyond the control's"),
	New:    func() measure.Meter { return param.Default(&Meter{}) },
}

// Meter measures the nearest-neighbour distance ratio.
type Meter struct{ nearest.Limits }

// Params declares the parameters.
func (m *Meter) Params() param.Set { return m.Limits.Params("ratios") }

// Detail is the ratios in figures.
type Detail struct{ *nearest.Comparison }

// Measure returns the share of released records that point at an original with a Detail. It fails when there are too few records for a second
// nearest one.
func (m *Meter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	c, err := nearest.CloseOriginals(ctx, r, m.Pairs)
	if err != nil {
		return measure.Value{}, err
	}
	if c.Records < 2 || c.Alone && c.Records < 3 {
		return measure.Value{}, errors.New("there are too few records for a second nearest one")
	}
	d := &Detail{c.Compare(ratio, m.Percent)}
	return d.Value(message.Say("measure.nndr.of"), d), ctx.Err()
}

// ratio returns first/second, where first is at most second; 1 when both are 0.
func ratio(first, second float64) float64 {
	if second == 0 {
		return 1
	}
	return first / second
}

// Records returns the risk of every original record.
func (d *Detail) Records() []float64 { return d.Risk() }

// Sentence says how many records point at one person.
func (d *Detail) Sentence() message.Sentence {
	return message.Say("measure.nndr.says").Share("below", d.Below).Digits("threshold", d.Threshold, 3).Part("control", d.Who()).
		Share("expected", d.Expected)
}
