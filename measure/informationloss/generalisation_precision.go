package informationloss

import (
	"context"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/anonymity/generality"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/table"
)

// levels returns the precision.
func levels(ctx context.Context, r *measure.Release, exact *table.Table) (measure.Value, error) {
	if !r.Paired {
		return measure.Value{},
			measure.NotApplicable(message.Say("measure.skipped.precisionPairs"))
	}
	plan, _ := measure.Mechanism[noisemodel.Raised](r)
	columns := generality.Columns(exact.Attrs(), generality.Known(exact.Attrs(), r.Hierarchies, r.Mechanisms))
	level, height := make([][]int, len(columns)), make([]int, len(columns))
	var v measure.Value
	other := 0
	for k, j := range columns {
		if err := ctx.Err(); err != nil {
			return v, err
		}
		c, err := leveled(r, plan, exact, j)
		if err != nil {
			return v, err
		}
		level[k], height[k] = c.Levels, c.Height
		other += c.Other
		own, err := hierarchy.Precision(level[k:k+1], height[k:k+1])
		if err != nil {
			return v, err
		}
		v.Parts = append(v.Parts, generalisationPart(exact.Attr(j), clip(own)))
	}
	score, err := hierarchy.Precision(level, height)
	if err != nil {
		return v, err
	}
	if other > 0 {
		v.Notes = append(v.Notes, message.Say("measure.precision.note.other").Count("n", other))
	}
	v.Score = clip(score)
	return v, nil
}

// leveled returns the levels of a column.
func leveled(r *measure.Release, plan noisemodel.Raised, exact *table.Table, j int) (*generality.Cells, error) {
	was, is := exact.Column(j), r.Released.Column(j)
	if plan != nil {
		if level, height, ok := plan.Generalised(j); ok {
			return generality.Fixed(&was, &is, level, height, nil), nil
		}
	}
	if p, ok := measure.Mechanism[noisemodel.Spanned](r); ok {
		if _, ok := p.Spans(j); ok {
			return nil, measure.NotApplicable(message.Say("measure.skipped.partitioned"))
		}
	}
	return generality.Of(&was, &is, r.Hierarchies[was.Name])
}

// clip keeps rounding out of the score.
func clip(v float64) float64 { return min(1, max(0, v)) }
