package distributions

import (
	"context"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
)

// Hellinger measures how far each column's distribution is from the original's: of shares p and q of the cells the root
// of 1 - sum sqrt(p q). The score is the mean over the columns; parts are the columns' distances. Cost: O(n) for a
// column.
var Hellinger = measure.Measure{
	Card: card.Card{
		Name:      "hellinger",
		Title:     "Hellinger distance",
		Aliases:   []string{"Hellinger"},
		Summary:   "Hellinger distance of each column's distribution from the original's, the mean over the columns.",
		Paper:     "Hellinger 1909",
		Needs:     "any columns; records need not be paired",
		Preserves: "0 when every column has the distribution of the original",
		Biases: "numbers are in 20 bins of their domain, so what moves inside a bin is not seen; columns are " +
			"looked at one by one",
		Missing: "what is missing is a cell",
		Cost:    "O(records) per column",
	},
	Facts:  measure.Facts{About: measure.Worth, Effort: measure.Fast},
	Side:   measure.Utility,
	Better: measure.Lower,
	Range:  share,
	Unit:   measure.In(measure.Ratio, message.Say("unit.hellinger")),
	New:    func() measure.Meter { return param.Default(&HellingerMeter{}) },
}

// HellingerMeter measures distributions of columns.
type HellingerMeter struct{}

// Params declares that there are none.
func (*HellingerMeter) Params() param.Set { return nil }

// Measure returns the mean Hellinger distance. It fails when a table has no records, or no column to compare.
func (*HellingerMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	c, err := marginsCells(ctx, r)
	if err != nil {
		return measure.Value{}, err
	}
	far, parts := make([]float64, len(c.columns)), make([]measure.Part, len(c.columns))
	for j, name := range c.names {
		far[j] = hellinger(c.shares(0, j), c.shares(1, j))
		parts[j] = measure.Part{Key: measure.OfColumn, Of: name, Name: message.Name(name), Score: far[j]}
	}
	return measure.Exact(mean(far), parts), ctx.Err()
}

// shares returns the share of the records of a table in every cell of a column.
func (c *coded) shares(table, j int) []float64 {
	out := make([]float64, c.size[j])
	for _, code := range c.tables[table][j] {
		out[code]++
	}
	for k := range out {
		out[k] /= float64(c.rows[table])
	}
	return out
}

// hellinger returns the distance of two distributions, as the root of half the sum of the squared differences of roots,
// which is 0 for equal ones whatever the rounding.
func hellinger(p, q []float64) float64 {
	sum := 0.0
	for k := range p {
		d := math.Sqrt(p[k]) - math.Sqrt(q[k])
		sum += float64(d * d)
	}
	return min(1, math.Sqrt(sum/2))
}
