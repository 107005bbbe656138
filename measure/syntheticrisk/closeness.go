package syntheticrisk

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

// closenessMeasures measure whether released records lie nearer to originals than other records of the same kind do:
// by the distance of the nearest original (dcr), and by the ratio of that distance and the one of the second nearest
// (nndr), 1 when both are 0. People who are copied, or released next to what they were, are given away by figures that
// are too small. The ratio finds copies of outliers, where distances alone are large.
//
// Distances are those in all attributes but identifiers and weights (go doc ./measure/internal/nearest). The figures of
// a hold-out, from which nothing was released, show which are small: the score is the share of released records within
// the figure that 5 % of the hold-out (parameter percent) do not exceed, beyond the hold-out's own share: (share -
// expected) / (1 - expected), 0 when there are not more than expected. Lo and Hi come from the 95 % intervals of both
// shares (Wilson 1927). Parts give quantile and median of both, and by dcr the share of released records that are
// nearer to an original than to the hold-out.
//
// Without a hold-out the control is every original among the others, and the value says so. The scores do not depend on
// an intruder, nor on the pairing of records. The risk of an original is the share of the control with larger figures
// than the released record has that has this original as its nearest; 0 when none has. Originals that are equal in all
// attributes hide each other: records that copy them have the ratio 1.
//
// Cost: that of a search for the two nearest records of each, which both share: some O(log n) for few attributes and up
// to O(n) for many, on all cores. Where more than the parameter pairs of records would have to be looked at, those
// judged are a sample.
//
// References: M. Platzer and T. Reutterer, "Holdout-based empirical assessment of mixed-type synthetic data", Frontiers
// in Big Data 4, 2021 (dcr); Z. Zhao, A. Kunar, R. Birke and L. Y. Chen, "CTAB-GAN: effective table data synthesizing",
// ACML 2021 (nndr), with the ratio of D. G. Lowe, "Distinctive image features from scale-invariant keypoints", IJCV 60,
// 2004; the excess over a control is that of M. Giomi, F. Boenisch, C. Wehmeyer and B. Tasnádi, "A unified framework
// for quantifying privacy risk in synthetic data", PoPETs 2023.
var closenessMeasures = []measure.Measure{
	closenessEntry(figure{"distances", closenessDistances}, 9, card.Card{
		Name:      "dcr",
		Title:     "Distance to the closest record",
		Short:     "DCR",
		Aliases:   []string{"DCR"},
		Summary:   "Whether released records are nearer to originals than records of a hold-out are.",
		Paper:     "Platzer & Reutterer 2021",
		Preserves: "1 when the original is released, 0 when released records are no nearer than others",
		Cost:      "a search per record; sampled above the parameter pairs",
	}),
	closenessEntry(figure{"ratios", closenessRatios}, 10, card.Card{
		Name:    "nndr",
		Title:   "Nearest-neighbour distance ratio",
		Short:   "NNDR",
		Aliases: []string{"NNDR"},
		Summary: "Whether released records point to a single original each, more than records of a hold-out do.",
		Paper:   "Lowe 2004; Zhao, Kunar, Birke & Chen 2021",
		Preserves: "1 when an original without duplicates is released, 0 when released records point to " +
			"individuals no more than others do",
		Cost: "shared with dcr",
	}),
}

// figure is what a measure takes of a record: its name in the plural, and what is made of it.
type figure struct {
	name string
	of   func(c *nearest.Closeness, percent float64) (measure.Value, error)
}

// closenessEntry is the entry of a figure, with what both say. Place is that among the measures of a report.
func closenessEntry(f figure, place measure.Place, c card.Card) measure.Measure {
	c.Needs = "any attributes; a hold-out is better; records need not be paired"
	c.Missing = "two missing values are equal; a single one is at the mean distance from any value"
	return measure.Measure{
		Card: c,
		Facts: measure.Facts{
			About: measure.Identity, Counts: measure.Records, Effort: measure.Slow, Place: place,
			Bounds: map[string]string{"pairs": "10000000"},
		},
		Side:   measure.Risk,
		Better: measure.Lower,
		Range:  table.Interval{Lo: 0, Hi: 1},
		Unit:   measure.In(measure.Share, message.Say("unit.beyondControl")),
		New:    func() measure.Meter { return param.Default(&ClosenessMeter{figure: f}) },
	}
}

// ClosenessMeter measures one of them.
type ClosenessMeter struct {
	nearest.Limits
	figure figure
}

// Params declares the parameters.
func (m *ClosenessMeter) Params() param.Set { return m.Limits.Params(m.figure.name) }

// Measure returns the share of released records whose figure is too small, with a DcrDetail or a NndrDetail. It fails
// when there are too few records, for ratios also for a second nearest one.
func (m *ClosenessMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	c, err := nearest.CloseOriginals(ctx, r, m.Pairs)
	if err != nil {
		return measure.Value{}, err
	}
	v, err := m.figure.of(c, m.Percent)
	if err != nil {
		return measure.Value{}, err
	}
	return v, ctx.Err()
}
