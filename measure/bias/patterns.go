package bias

import (
	"context"
	"math"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/measure/ruletypes"
)

// patterns returns type DM: the share of the released records under rules that the original tree lacks. It is NaN, with a note, when there is no
// tree to grow, and NaN alone when it is not asked for. An error is the end of the context.
func (m *Meter) patterns(ctx context.Context, r *measure.Release) (share float64, note string, err error) {
	switch {
	case !m.DM:
		return math.NaN(), "", nil
	case r.Original.Space() != nil:
		return math.NaN(), "type DM is left out: to grow the trees takes all records in memory", nil
	case r.Released.Rows() == 0:
		return math.NaN(), "type DM is left out: the released table has no records", nil
	}
	original, released, err := trees.Of(ctx, r, m.Learner)
	if ctx.Err() != nil {
		return 0, "", ctx.Err()
	}
	if err != nil {
		return math.NaN(), "type DM is left out: " + err.Error(), nil
	}
	c := ruletypes.Compare(original, released, r.Released)
	return 1 - c.Survived()/100, "", nil
}
