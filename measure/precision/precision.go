// Package precision measures how general the values of a release are by Sweeney's precision: 1 minus the mean level of the cells over the
// height of their hierarchies.
//
// What it does. Cells are those of the quasi-identifiers and of the attributes known to be generalised, where there are neither those of
// all attributes but the class and weights. The level of a cell is what the plan says (Generalised), or the lowest one on which the
// released label is the group of the exact value in the hierarchy that was given. Prec = 1 - sum_ij h_ij / |DGH_j| / (N p), with h_ij =
// |DGH_j| for a suppressed cell. Parts give it by attribute.
//
// An attribute without a hierarchy has height 1: it is as it was, or lost. A value that is neither the record's own nor one of its groups,
// as after noise, is lost too, and a note says how many there are: noise is judged by other measures. Where records are partitioned
// (Mondrian) cells have no level, and the measure does not apply; see ncp.
//
// Missing values: a cell that is missing in the original has lost nothing.
//
// Cost: O(n) per attribute and level.
//
// Reference: L. Sweeney, "Achieving k-anonymity privacy protection using generalization and suppression", IJUFKS 10(5), 2002, section 4;
// Nai Fovino & Masera 2008, eq. 1.1, 6.2 and 6.4.
package precision

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/generality"
	"github.com/dither-data/dither/law"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Measure is the catalogue entry.
var Measure = measure.Measure{
	Card: card.Card{
		Name:      "precision",
		Title:     "Sweeney's precision",
		Aliases:   []string{"prec"},
		Summary:   "How far values are from the top of their generalisation hierarchies, on average.",
		Paper:     "Sweeney 2002, section 4; Nai Fovino & Masera 2008, eq. 1.1, 6.2 and 6.4",
		Needs:     "the original; the plan or hierarchies, where values are generalised",
		Preserves: "the levels of all cells",
		Biases:    "every step of a hierarchy counts alike, however many values it joins; perturbed values count as lost",
		Missing:   "a value that was missing has lost nothing; one that is suppressed is at the top",
		Cost:      "O(n) per attribute and level",
	},
	Facts:  measure.Facts{About: measure.Worth, Effort: measure.Fast, Column: measure.Entry{Place: 3, Text: "Precision %s"}},
	Side:   measure.Utility,
	Better: measure.Higher,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Share, "of the height"),
	Exact:  true,
	New:    func() measure.Meter { return param.Default(&Meter{}) },
}

// Meter measures it.
type Meter struct{}

// Params declares the parameters.
func (m *Meter) Params() param.Set { return nil }

// Measure returns the precision. It fails when records are not paired or there is no cell.
func (m *Meter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	if !r.Paired {
		return measure.Value{}, measure.NotApplicable("precision compares every record with its original, and records are not paired")
	}
	exact := r.Exact
	if exact == nil {
		exact = r.Original
	}
	plan, _ := measure.Mechanism[law.Raised](r)
	columns := generality.Columns(exact.Attrs(), generality.Known(exact.Attrs(), r.Hierarchies, r.Mechanisms))
	levels, heights := make([][]int, len(columns)), make([]int, len(columns))
	var v measure.Value
	other := 0
	for k, j := range columns {
		if err := ctx.Err(); err != nil {
			return v, err
		}
		c, err := m.cells(r, plan, exact, j)
		if err != nil {
			return v, err
		}
		levels[k], heights[k] = c.Levels, c.Height
		other += c.Other
		own, err := hierarchy.Precision(levels[k:k+1], heights[k:k+1])
		if err != nil {
			return v, err
		}
		v.Parts = append(v.Parts, measure.Part{Key: measure.OfColumn, Of: exact.Attr(j).Name, Name: message.Name(exact.Attr(j).Name), Score: clip(own)})
	}
	score, err := hierarchy.Precision(levels, heights)
	if err != nil {
		return v, err
	}
	if other > 0 {
		v.Notes = append(v.Notes,
			message.Say("measure.precision.note.other").Count("n", other))
	}
	v.Score = clip(score)
	v.Lo, v.Hi = v.Score, v.Score
	return v, nil
}

// cells returns the levels of a column.
func (m *Meter) cells(r *measure.Release, plan law.Raised, exact *table.Table, j int) (*generality.Cells, error) {
	was, is := exact.Column(j), r.Released.Column(j)
	if plan != nil {
		if level, height, ok := plan.Generalised(j); ok {
			return generality.Fixed(&was, &is, level, height, nil), nil
		}
	}
	if p, ok := measure.Mechanism[law.Spanned](r); ok {
		if _, ok := p.Spans(j); ok {
			return nil, measure.NotApplicable("records are partitioned, so values are on no level of a hierarchy; see ncp")
		}
	}
	return generality.Of(&was, &is, r.Hierarchies[was.Name])
}

// clip keeps rounding out of the score.
func clip(v float64) float64 { return min(1, max(0, v)) }
