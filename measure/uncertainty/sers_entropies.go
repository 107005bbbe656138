package uncertainty

import (
	"context"
	"errors"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Entropies returns, for each of the given rows of the original table, the entropy of its normalised similarities to
// all released records, in bits (Fletcher & Islam 2015, eq. 8). The tables must have the same attributes, as
// measure.Release.Check says. It fails when the released table has no records or there is no attribute to compare.
// Cost: O(rows x released records x attributes), on all cores.
func Entropies(ctx context.Context, original, released *table.Table, rows []int) ([]float64, error) {
	if released.Rows() == 0 {
		return nil, errors.New("the released table has no records")
	}
	c := newComparison(original, released)
	if c.columns == 0 {
		return nil, measure.NotApplicable(message.Say("measure.skipped.nothingCompared"))
	}
	out := make([]float64, len(rows))
	_, err := parallel.With(ctx, len(rows), c.target, func(t *target, k int) error {
		out[k] = t.entropy(rows[k])
		return nil
	})
	return out, err
}
