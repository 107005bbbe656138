package informationloss

import (
	"context"
	"errors"

	"github.com/dither-data/dither/internal/anonymity/generality"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/table"
)

// penalties returns the mean penalty.
func penalties(ctx context.Context, r *measure.Release, exact *table.Table) (measure.Value, error) {
	if !r.Paired {
		return measure.Value{},
			measure.NotApplicable(message.Say("measure.skipped.penaltyPairs"))
	}
	spans := func(j int) ([]float64, bool) { return nil, false }
	if p, ok := measure.Mechanism[noisemodel.Spanned](r); ok {
		spans = p.Spans
	}
	known := generality.Known(exact.Attrs(), r.Hierarchies, r.Mechanisms)
	columns := generality.Columns(exact.Attrs(), func(j int) bool {
		_, ok := spans(j)
		return ok || known(j)
	})
	if len(columns) == 0 || exact.Rows() == 0 {
		return measure.Value{}, errors.New("there are no cells to compute the certainty penalty of")
	}
	var v measure.Value
	other := 0
	for _, j := range columns {
		if err := ctx.Err(); err != nil {
			return v, err
		}
		c, err := covered(r, spans, exact, j)
		if err != nil {
			return v, err
		}
		mean := vector.Sum(c.Spans) / float64(len(c.Spans))
		v.Parts = append(v.Parts, generalisationPart(exact.Attr(j), min(1, mean)))
		v.Score += mean / float64(len(columns))
		other += c.Other
	}
	if other > 0 {
		v.Notes = append(v.Notes, message.Say("measure.ncp.note.other").Count("n", other))
	}
	v.Score = min(1, v.Score)
	return v, nil
}

// covered returns what the cells of a column cover.
func covered(
	r *measure.Release, spans func(j int) ([]float64, bool), exact *table.Table, j int,
) (*generality.Cells, error) {
	was, is := exact.Column(j), r.Released.Column(j)
	if s, ok := spans(j); ok && is.Kind == table.Categorical && len(s) == len(is.Labels) {
		return generality.Fixed(&was, &is, 0, 1, s), nil
	}
	return generality.Of(&was, &is, r.Hierarchies[was.Name])
}
