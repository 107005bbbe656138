// Package em is the reconstruction of Agrawal & Aggarwal: expectation and maximisation, with the integral of the noise over every interval.
//
// What it does: the range is divided into intervals, all as likely to begin with. A round shares every released value among the intervals by how likely it comes from there,
// and takes the shares of all values together. Every round is likelier than the one before, and it ends at the shares of maximum likelihood, the same from any beginning. A
// category has the transitions of its law in place of the integral.
//
// It stops earlier, by the rule of Agrawal & Srikant unless told otherwise: at the maximum the shares follow the chance of the sample and become spiky. What the noise has
// blurred stays near equal shares then, so wide noise and few rounds make a distribution look flatter than it is. The errors tell: they are the deviations of reconstructions of
// other samples that begin with other shares, so they are wide where the release leaves open what the original was. In trials of two humps, a slope, a spike and equal shares
// (1,000 and 100,000 values, normal noise of privacy 25 and 100 %) two errors held 0.88 to 1 of the shares of 50 intervals, and 0.8 to 1 of those of 10, but for 100,000 values
// with noise narrower than one of 10 intervals: 0.4 to 1. There the shape inside an interval counts for more than chance; take more intervals.
//
// Missing values take no part.
//
// Cost: O(values), and O(intervals² * rounds) for the estimate and for every replicate.
//
// Departures: the noise of a cell of released values is integrated too, so that counting costs nothing; values of a grid are looked at one by one.
//
// Reference: D. Agrawal and C. C. Aggarwal, "On the design and quantification of privacy preserving data mining algorithms", PODS 2001, section 3.
package em

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/reconstruction"
	"github.com/dither-data/dither/law/published"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/reconstruct"
	"github.com/dither-data/dither/reconstruct/internal/numbers"
	"github.com/dither-data/dither/table"
)

// Reconstruction is the catalogue entry.
var Reconstruction = reconstruct.Reconstruction{
	Card: card.Card{
		Name:      "em",
		Title:     "Expectation and maximisation",
		Aliases:   []string{"maximum likelihood reconstruction", "aa2001"},
		Summary:   "The distribution of numbers and categories towards that of maximum likelihood, with the integral of the noise over every interval.",
		Paper:     "Agrawal & Aggarwal 2001, section 3",
		Needs:     "numbers with a law of noise, or categories with one of their own",
		Preserves: "all mass but that of impossible values, which are counted",
		Biases:    "stopped early, it keeps to equal shares what the noise has blurred",
		Missing:   "take no part",
		Cost:      "O(values), and O(intervals² * rounds) a replicate",
	},
	New: func() reconstruct.Method { return New() },
}

// Method holds the parameters.
type Method struct{ numbers.Settings }

// New returns the method with its defaults.
func New() *Method { return param.Default(&Method{}) }

// Takes numbers, and categories that are released by themselves or in pairs.
func (m *Method) Takes(p *published.Part) bool {
	return p.Number != nil || p.Category != nil || p.Group != nil
}

// Reconstruct returns the distribution of a number or of categories.
func (m *Method) Reconstruct(ctx context.Context, release *table.Table, p *published.Part, k int) (*reconstruct.Distribution, error) {
	if p.Number != nil {
		return m.Settings.Reconstruct(ctx, release, p, reconstruction.Intervals)
	}
	matrix, _ := p.Marginal(k, nil)
	j := release.Find(p.Columns[k])
	counts := make([]float64, len(matrix))
	for _, c := range release.Cat(j) {
		if c >= 0 {
			counts[c]++
		}
	}
	d := &reconstruct.Distribution{Column: p.Columns[k], Labels: reconstruct.Labels(release.Attr(j), len(matrix)), Values: int(floats.Sum(counts))}
	if d.Values == 0 {
		return nil, fmt.Errorf("column %q has no values", d.Column)
	}
	ob, err := reconstruction.Matrix(matrix, counts)
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", d.Column, err)
	}
	r, err := ob.Reconstruct(ctx, m.Options(reconstruction.Intervals, 0))
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", d.Column, err)
	}
	floats.Scale(1/float64(d.Values), counts)
	d.Observed = counts
	numbers.Take(d, r)
	return d, nil
}
