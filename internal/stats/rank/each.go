package rank

import (
	"context"
	"math"

	"github.com/dither-data/dither/internal/system/parallel"
)

var missing = math.NaN()

// Rows calls work for blocks lo..hi-1 of n records, on all cores, and returns the error of a block that has one.
func Rows(n int, work func(lo, hi int) error) error {
	return parallel.Ranges(context.Background(), n, 4096, work)
}

// Cut returns the records lo..hi-1 of columns.
func Cut(cols [][]float64, lo, hi int) [][]float64 {
	out := make([][]float64, len(cols))
	for k, c := range cols {
		out[k] = c[lo:hi]
	}
	return out
}
