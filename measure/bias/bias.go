// Package bias measures what a release does to means, standard deviations and correlations (Islam 2007, section 7.3, and the
// bias types A to D of Muralidhar, Parsa and Sarathy 1999).
//
// What it does. It computes the mean vector, the standard deviations (divisor n-1) and the correlation matrix of the numeric
// attributes before and after. The score is the largest absolute difference of two corresponding correlations; parts give the
// mean absolute difference, the largest shift of a mean in standard deviations of the original, the largest relative change of a
// standard deviation, and the largest total variation distance between the shares of the categories of one attribute.
//
// It needs at least two numeric attributes that vary in both tables; identifiers and weights are left out. Records need not be paired.
//
// Missing values: each mean and standard deviation is taken over the attribute's values that are there, each correlation over the
// records that have both values (pairwise complete), each category's share over the records that have one.
//
// A column that is constant in a table has no correlation there: such pairs are left out and a note says how many.
//
// Cost: O(n p^2) for n records and p numeric attributes, in two passes on all cores; the result does not depend on their number.
package bias

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Limit is the largest number of numeric attributes: the matrices hold its square.
const Limit = 1000

// Measure is the catalogue entry.
var Measure = measure.Measure{
	Card: card.Card{
		Name:      "bias",
		Title:     "Bias of means, variances and correlations",
		Aliases:   []string{"correlation matrices", "mean vector"},
		Summary:   "Largest absolute difference between the correlations of the original and of the release.",
		Paper:     "Islam 2007, section 7.3; Muralidhar, Parsa and Sarathy 1999",
		Needs:     "two numeric attributes or more; categorical attributes for the part on their shares",
		Preserves: "0 when every correlation is the same in both tables",
		Biases:    "shows type A bias by the standard deviations and type B bias by the correlations",
		Missing:   "pairwise complete: a correlation is over the records that have both values",
		Cost:      "O(n p²)",
	},
	Side:   measure.Utility,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: 2},
	Unit:   "correlation",
	New:    func() measure.Meter { return &Meter{} },
}

// Meter measures bias. It has no parameters.
type Meter struct{}

// Params returns the empty set.
func (*Meter) Params() param.Set { return nil }

// Measure returns the largest absolute difference of correlations with the other differences as parts and a Detail. It fails when no
// pair of numeric attributes varies in both tables, or there are more than Limit numeric attributes.
func (*Meter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	cols := columns(r.Original, table.Numeric)
	if len(cols) > Limit {
		return measure.Value{}, fmt.Errorf("the table has %d numeric columns, at most %d can be correlated", len(cols), Limit)
	}
	before, err := momentsOf(ctx, r.Original, cols)
	if err != nil {
		return measure.Value{}, err
	}
	after := before
	if r.Released != r.Original {
		if after, err = momentsOf(ctx, r.Released, cols); err != nil {
			return measure.Value{}, err
		}
	}
	d := Detail{MeanOriginal: before.mean, MeanReleased: after.mean, SDOriginal: before.sd, SDReleased: after.sd,
		CorrOriginal: before.corr, CorrReleased: after.corr}
	for _, j := range cols {
		d.Names = append(d.Names, r.Original.Attr(j).Name)
	}
	pairs := d.compareCorrelations()
	all := len(cols) * (len(cols) - 1) / 2
	if pairs == 0 {
		return measure.Value{}, errors.New("no two numeric columns vary in both tables, so there are no correlations to compare")
	}
	v := measure.Exact(d.LargestCorrDiff, d.parts(r))
	v.Detail = d
	if pairs < all {
		v.Notes = append(v.Notes, fmt.Sprintf("%d of %d pairs of columns are left out: one of them does not vary in a table", all-pairs, all))
	}
	return v, nil
}

// columns returns the columns of a kind that are neither identifier nor weight.
func columns(t *table.Table, kind table.Kind) []int {
	var out []int
	for j := range t.Width() {
		if a := t.Attr(j); a.Kind == kind && a.Role&(table.Identifier|table.Weight) == 0 {
			out = append(out, j)
		}
	}
	return out
}

// compareCorrelations sets the differences and returns how many pairs they are of.
func (d *Detail) compareCorrelations() int {
	pairs, sum := 0, 0.0
	for k := range d.CorrOriginal {
		for l := range k {
			diff := math.Abs(d.CorrOriginal[k][l] - d.CorrReleased[k][l])
			if math.IsNaN(diff) {
				continue
			}
			pairs++
			sum += diff
			d.LargestCorrDiff = max(d.LargestCorrDiff, diff)
		}
	}
	if pairs > 0 {
		d.MeanCorrDiff = sum / float64(pairs)
	}
	return pairs
}

// parts lists the differences; those of columns that do not vary in the original are left out.
func (d *Detail) parts(r *measure.Release) []measure.Part {
	shift, change := 0.0, 0.0
	for k, sd := range d.SDOriginal {
		if s := math.Abs(d.MeanReleased[k]-d.MeanOriginal[k]) / sd; s > shift && sd > 0 {
			shift = s
		}
		if c := math.Abs(d.SDReleased[k]/sd - 1); c > change && sd > 0 {
			change = c
		}
	}
	parts := []measure.Part{
		{Name: "largest difference of correlations", Score: d.LargestCorrDiff},
		{Name: "mean difference of correlations", Score: d.MeanCorrDiff},
		{Name: "largest shift of a mean, in standard deviations", Score: shift},
		{Name: "largest relative change of a standard deviation", Score: change},
	}
	if far, any := largestVariation(r.Original, r.Released); any {
		parts = append(parts, measure.Part{Name: "largest total variation of a categorical attribute", Score: far})
	}
	return parts
}

// largestVariation returns the largest total variation distance between the shares of the categories of one attribute in two
// tables, in [0, 1]; any is false when no attribute has values in both.
func largestVariation(a, b *table.Table) (far float64, any bool) {
	for _, j := range columns(a, table.Categorical) {
		p, q := shares(a, j), shares(b, j)
		if p == nil || q == nil {
			continue
		}
		any = true
		d := 0.0
		for c := range p {
			d += math.Abs(p[c] - q[c])
		}
		far = max(far, min(1, d/2))
	}
	return far, any
}

// shares returns the shares of the categories among the values that are there; nil when there are none.
func shares(t *table.Table, j int) []float64 {
	counts := make([]float64, len(t.Attr(j).Labels))
	n := 0.0
	for _, c := range t.Cat(j) {
		if c >= 0 {
			counts[c]++
			n++
		}
	}
	if n == 0 {
		return nil
	}
	for c := range counts {
		counts[c] /= n
	}
	return counts
}
