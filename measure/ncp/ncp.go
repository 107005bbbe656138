// Package ncp measures how general the values of a release are by the normalised certainty penalty: the share of its domain that a cell
// leaves open.
//
// What it does. Cells are those of the quasi-identifiers and of the attributes known to be generalised, where there are neither those of
// all attributes but the class and weights. An interval costs its width over that of the domain, a group of m of the n listed categories
// (m-1)/(n-1), a value as it was 0, a suppressed one 1. The score is the mean over all cells (the global certainty penalty GCP, Ghinita and
// others 2007, with equal weights); parts give it by attribute. What a label covers the plan says (Spans), or the hierarchy that was given,
// on the lowest level on which the label is the group of the exact value.
//
// A value that is neither the record's own nor one of its groups, as after noise, leaves everything open, and a note says how many there
// are: noise is judged by other measures. So does a changed value of an attribute of which no hierarchy is known.
//
// Missing values: a cell that is missing in the original has lost nothing; it counts as a cell.
//
// Cost: O(n) per attribute and level.
//
// References: J. Xu and others, "Utility-based anonymization using local recoding", KDD 2006, section 3; G. Ghinita and others, "Fast data
// anonymization with low information loss", VLDB 2007.
package ncp

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/card"
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
		Name:      "ncp",
		Title:     "Normalised certainty penalty",
		Aliases:   []string{"gcp", "normalised-certainty-penalty", "normalized-certainty-penalty"},
		Summary:   "How much of their domain the values of a generalised release leave open, on average.",
		Paper:     "Xu and others 2006; Ghinita and others 2007 (GCP)",
		Needs:     "the original; the plan or hierarchies, where values are generalised",
		Preserves: "the share of the domain that every cell covers",
		Biases:    "all parts of a domain count alike, however many records have them; perturbed values count as lost",
		Missing:   "a value that was missing has lost nothing; one that is suppressed covers everything",
		Cost:      "O(n) per attribute and level",
	},
	Facts:  measure.Facts{About: measure.Worth, Effort: measure.Fast, Column: measure.Entry{Place: 2, Text: "Covers %s of the domain"}},
	Side:   measure.Utility,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Share, "of the domain"),
	Exact:  true,
	Losses: []measure.Loss{{
		Name: "detail", Text: "of the values is left open by groups, intervals and gaps",
		Of:      measure.ByScore,
		Else:    gaps,
		Weights: []measure.Weight{{Purpose: "everything", Weight: 1, Place: 8}, {Purpose: "models", Weight: 1, Place: 6}, {Purpose: "statistics", Weight: 1, Place: 6}},
	}},
	New: func() measure.Meter { return param.Default(&Meter{}) },
}

// Meter measures it.
type Meter struct{}

// Params declares the parameters.
func (m *Meter) Params() param.Set { return nil }

// Measure returns the mean penalty. It fails when records are not paired or there is no cell.
func (m *Meter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	if !r.Paired {
		return measure.Value{}, measure.NotApplicable("the certainty penalty compares every record with its original, and records are not paired")
	}
	exact := r.Exact
	if exact == nil {
		exact = r.Original
	}
	spans := func(j int) ([]float64, bool) { return nil, false }
	if p, ok := measure.Mechanism[law.Spanned](r); ok {
		spans = p.Spans
	}
	known := generality.Known(exact.Attrs(), r.Hierarchies, r.Mechanisms)
	columns := generality.Columns(exact.Attrs(), func(j int) bool {
		_, ok := spans(j)
		return ok || known(j)
	})
	if len(columns) == 0 || exact.Rows() == 0 {
		return measure.Value{}, errors.New("there is no cell to take the certainty penalty of")
	}
	var v measure.Value
	other := 0
	for _, j := range columns {
		if err := ctx.Err(); err != nil {
			return v, err
		}
		c, err := cells(r, spans, exact, j)
		if err != nil {
			return v, err
		}
		mean := floats.Sum(c.Spans) / float64(len(c.Spans))
		v.Parts = append(v.Parts, measure.Part{Key: measure.OfColumn, Of: exact.Attr(j).Name, Name: message.Name(exact.Attr(j).Name), Score: min(1, mean)})
		v.Score += mean / float64(len(columns))
		other += c.Other
	}
	if other > 0 {
		v.Notes = append(v.Notes,
			message.Say("measure.ncp.note.other").Count("n", other))
	}
	v.Score = min(1, v.Score)
	v.Lo, v.Hi = v.Score, v.Score
	return v, nil
}

// cells returns what the cells of a column cover.
func cells(r *measure.Release, spans func(j int) ([]float64, bool), exact *table.Table, j int) (*generality.Cells, error) {
	was, is := exact.Column(j), r.Released.Column(j)
	if s, ok := spans(j); ok && is.Kind == table.Categorical && len(s) == len(is.Labels) {
		return generality.Fixed(&was, &is, 0, 1, s), nil
	}
	return generality.Of(&was, &is, r.Hierarchies[was.Name])
}
