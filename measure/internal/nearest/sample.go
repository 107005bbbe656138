package nearest

import (
	"context"

	"github.com/dither-data/dither/internal/neighbour"
	"github.com/dither-data/dither/internal/parallel"
	"github.com/dither-data/dither/rng"
)

const (
	trial = 32  // questions asked to learn what one costs
	least = 100 // questions that a sample has at least
)

// Sample returns rows to judge of a table of n, ascending: all of them or, when an index would have to look at more than so many pairs of
// records, a sample. What a question costs is learned from a few. Pose returns the questions about rows, ask asks one.
func Sample(ctx context.Context, index *neighbour.Mixed, n, pairs int, pose func(rows []int) []float64,
	ask func(s *neighbour.MixedSearch, row int, known []float64)) (rows []int, err error) {
	rows = Rows(n, n)
	if n <= trial || n <= pairs/max(1, index.Len()) {
		return rows, ctx.Err()
	}
	some := Rows(n, trial)
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
	if each := float64(compared) / trial; each*float64(n) > float64(pairs) {
		rows = Rows(n, max(least, int(float64(pairs)/each)))
	}
	return rows, nil
}

// Rows draws so many of n rows, ascending; all when there are no more. Which ones is no secret and depends on the two numbers alone, so that
// measures judge the same persons.
func Rows(n, most int) []int {
	rows := make([]int, 0, min(n, most))
	r := rng.New([32]byte{}).Fork("targets").Rand()
	for i, left := 0, min(n, most); left > 0; i++ {
		if left == n-i || r.IntN(n-i) < left {
			rows = append(rows, i)
			left--
		}
	}
	return rows
}
