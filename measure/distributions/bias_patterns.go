package distributions

import (
	"context"
	"math"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/measure/ruletypes"
	"github.com/dither-data/dither/message"
)

// patterns returns type DM: the share of the released records under rules that the original tree lacks. It is NaN, with
// a note, when there is no tree to grow, and NaN alone when it is not asked for. An error is the end of the context.
func (m *Meter) patterns(ctx context.Context, r *measure.Release) (share float64, note message.Sentence, err error) {
	switch {
	case !m.DM:
		return math.NaN(), note, nil
	case r.Original.Space() != nil:
		return math.NaN(), message.Say("measure.bias.note.noDMSpace"), nil
	case r.Released.Rows() == 0:
		return math.NaN(), message.Say("measure.bias.note.noDMEmpty"), nil
	}
	original, released, err := trees.Of(ctx, r, m.Learner)
	if ctx.Err() != nil {
		return 0, note, ctx.Err()
	}
	if err != nil {
		return math.NaN(), message.Say("measure.bias.note.noDM").Text("why", err.Error()), nil
	}
	c := ruletypes.Compare(original, released, r.Released)
	return 1 - c.Survived()/100, note, nil
}
