package nearest

import (
	"context"

	"github.com/dither-data/dither/internal/mining/neighbour"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

const (
	trial = 32  // questions asked to learn what one costs
	least = 100 // questions that a sample has at least
	walk  = 100 // pairs that a question counts for at least: what it takes to find the way to a leaf
)

// Sample returns rows to judge of a table, ascending: all of them or, when an index would have to look at more
// than so many pairs of records, a sample. What a question costs is learned from a few, and is walk at least. Pose
// returns the questions about rows, ask asks one.
func Sample(ctx context.Context, index *neighbour.Mixed, t *table.Table, pairs int, pose func(rows []int) []float64,
	ask func(s *neighbour.MixedSearch, row int, known []float64)) (rows []int, err error) {
	n := t.Rows()
	rows = measure.DrawnOf(t, n)
	if n <= trial || n <= pairs/max(1, index.Len()) {
		return rows, ctx.Err()
	}
	some := measure.DrawnOf(t, trial)
	questions := pose(some)
	width := len(questions) / trial
	states, err := parallel.With(ctx, trial, index.Search, func(s *neighbour.MixedSearch, k int) error {
		ask(s, some[k], questions[k*width:(k+1)*width])
		return nil
	})
	if err != nil {
		return nil, err
	}
	compared := 0
	for _, s := range states {
		compared += s.Compared
	}
	if each := max(walk, float64(compared)/trial); each*float64(n) > float64(pairs) {
		rows = measure.DrawnOf(t, max(least, int(float64(pairs)/each)))
	}
	return rows, nil
}
