package study

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/stats/mannwhitney"
	"github.com/dither-data/dither/internal/stats/quantile"
)

// Ranked is a figure of a measure that takes it many times, compared over the settings (Peters 2011, section 4.2). The
// values of a setting are those of all its cells; the original has those of one repeat. Cells share records, so the
// test behind the ranks tells small differences apart too easily.
type Ranked struct {
	Data, Measure int
	Name, Title   string
	Lower         bool        // lower figures are better
	Treatments    []Treatment // by setting; those without values are left out
}

// Treatment is what a setting makes of a figure.
type Treatment struct {
	Setting int
	Values  int
	quantile.Summary
	Rank int // from 1, the best; an equal rank is not told apart from the best of its rank by a Mann-Whitney test at 95 %
}

// samplesOf returns the figures that the detail of a measure has many values of.
func samplesOf(detail any) []mannwhitney.Sample {
	d, ok := detail.(interface{ Samples() []mannwhitney.Sample })
	if !ok {
		return nil
	}
	return slices.DeleteFunc(d.Samples(), func(s mannwhitney.Sample) bool {
		return slices.ContainsFunc(s.Values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
	})
}

// rank compares the settings by every figure of which the cells hold samples.
func (c *Comparison) rank() {
	for d := range c.Data {
		for m := range c.Measures {
			c.Ranked = append(c.Ranked, c.ranked(d, m)...)
		}
	}
}

func (c *Comparison) ranked(data, measure int) []Ranked {
	var out []Ranked
	var values [][][]float64 // by figure and setting
	for i := range c.Cells {
		cell := &c.Cells[i]
		if cell.Data != data || cell.Err != "" || !cell.Scores[measure].Err.Empty() {
			continue
		}
		for _, s := range cell.Scores[measure].Samples {
			k := slices.IndexFunc(out, func(r Ranked) bool { return r.Name == s.Name })
			if k < 0 {
				k = len(out)
				out = append(out, Ranked{Data: data, Measure: measure, Name: s.Name, Title: s.Title, Lower: s.Lower})
				values = append(values, make([][]float64, len(c.Settings)))
			}
			values[k][cell.Setting] = append(values[k][cell.Setting], s.Values...)
		}
	}
	for k := range out {
		ranks := mannwhitney.Ranks(values[k], !out[k].Lower, mannwhitney.Alpha)
		for s, v := range values[k] {
			if len(v) > 0 {
				out[k].Treatments = append(out[k].Treatments,
					Treatment{Setting: s, Values: len(v), Summary: quantile.Of(v), Rank: ranks[s]})
			}
		}
	}
	return out
}
