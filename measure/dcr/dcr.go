// Package dcr measures whether released records come nearer to originals than other records of the same kind do: the distance to the closest
// record.
//
// What it does. For every released record it takes the distance of the nearest original in all attributes but identifiers and weights
// (package measure/internal/nearest says how), and for every record of a hold-out, from which nothing was released, the same. Who releases copies, or
// records next to those they were made from, is given away by distances that are too small. The score is the share of released records
// within the distance that 5 % of the hold-out (parameter percent) do not exceed, beyond the hold-out's own share: (share - expected) / (1
// - expected), 0 when there are not more than expected. It is 1 when the original is released, and 0 for records that keep the pattern and
// no person. Lo and Hi come from the 95 % intervals of both shares (Wilson 1927). Parts give quantile and median of the distances of both,
// and the share of released records that are nearer to an original than to the hold-out.
//
// Without a hold-out the control is every original among the others, and the value says so. The figure does not depend on an intruder, nor
// on the pairing of records.
//
// The risk of an original is the share of the control farther from its nearest than the released record is that has this original as its
// nearest; 0 when none has.
//
// Missing values: two missing ones are equal, for a copy has what it copies missing, too; one is at the mean distance from any value.
//
// Cost: that of a search for the two nearest records of each, shared with nndr: some O(log n) for few attributes and up to O(n) for many,
// on all cores. Where more than the parameter pairs of records would have to be looked at, those judged are a sample.
//
// Reference: M. Platzer and T. Reutterer, "Holdout-based empirical assessment of mixed-type synthetic data", Frontiers in Big Data 4, 2021; the
// excess over a control is that of M. Giomi, F. Boenisch, C. Wehmeyer and B. Tasnádi, "A unified framework for quantifying privacy risk in
// synthetic data", PoPETs 2023.
package dcr

import (
	"context"

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
		Name:      "dcr",
		Title:     "Distance to the closest record",
		Aliases:   []string{"DCR"},
		Summary:   "Whether released records lie nearer to originals than records of a hold-out do.",
		Paper:     "Platzer & Reutterer 2021",
		Needs:     "any attributes; a hold-out is better; records need not be paired",
		Preserves: "1 when the original is released, 0 when released records are no nearer than others",
		Missing:   "two missing values are equal; one is at the mean distance from any value",
		Cost:      "a search for each record; sampled above the parameter pairs",
	},
	Facts:  measure.Facts{About: measure.Identity, Counts: measure.Records, Effort: measure.Slow, Place: 9, Bounds: map[string]string{"pairs": "10000000"}},
	Side:   measure.Risk,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Share, "beyond the control's"),
	New:    func() measure.Meter { return param.Default(&Meter{}) },
}

// Meter measures the distance to the closest record.
type Meter struct{ nearest.Limits }

// Params declares the parameters.
func (m *Meter) Params() param.Set { return m.Limits.Params("distances") }

// Detail is the distances in figures.
type Detail struct {
	*nearest.Comparison
	Nearer         *float64 `json:"nearer"`         // share nearer to an original than to the hold-out
	NearerExpected *float64 `json:"nearerExpected"` // of records that have nothing to do with either
}

// Measure returns the share of released records that are too near with a Detail. It fails when there are too few records.
func (m *Meter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	c, err := nearest.CloseOriginals(ctx, r, m.Pairs)
	if err != nil {
		return measure.Value{}, err
	}
	d := &Detail{Comparison: c.Compare(func(first, _ float64) float64 { return first }, m.Percent)}
	v := d.Value(message.Say("measure.dcr.of"), d)
	if share, expected, ok := c.Nearer(); ok {
		d.Nearer, d.NearerExpected = &share, &expected
		v.Parts = append(v.Parts, measure.Part{Key: "nearer", Name: message.Say("measure.dcr.part.nearer"), Score: share},
			measure.Part{Key: "nearer-expected", Name: message.Say("measure.dcr.part.nearer-expected"), Score: expected})
	}
	return v, ctx.Err()
}

// Records returns the risk of every original record.
func (d *Detail) Records() []float64 { return d.Risk() }

// Sentence says how near released records are.
func (d *Detail) Sentence() message.Sentence {
	return message.Say("measure.dcr.says").Share("below", d.Below).Digits("threshold", d.Threshold, 3).Part("control", d.Who()).
		Share("expected", d.Expected)
}
