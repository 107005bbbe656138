package categorical

import (
	"cmp"
	"math"
	"slices"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Draws returns one random number per record, which depends on the source and the record alone.
func Draws(t *table.Table, src rng.Source) []uint64 {
	out, stream := make([]uint64, t.Rows()), src.Stream()
	ids, first := t.IDs()
	var blocks [1024]rng.Block
	for lo := 0; lo < len(out); lo += len(blocks) {
		some := blocks[:min(len(blocks), len(out)-lo)]
		if ids != nil {
			rng.Blocks(stream, some, ids[lo:lo+len(some)], 0)
		} else {
			rng.Blocks(stream, some, ids, first+table.RecordID(lo))
		}
		for k, b := range some {
			out[lo+k] = b.A
		}
	}
	return out
}

// Lowest returns, in ascending order, the n of some rows whose draws are lowest: a sample that does not depend on the
// order of the records. Rows are ascending and may be written to. Cost: O(rows + n log n).
func Lowest(rows []int, draw []uint64, n int) []int {
	if len(rows) <= n {
		return rows
	}
	below := make([]int, 0, 5*n) // about 4n of them, which hold the lowest n unless luck is very bad
	cut := 4 * float64(n) / float64(len(rows))
	for _, i := range rows {
		if float64(draw[i]) <= cut*math.MaxUint64 {
			below = append(below, i)
		}
	}
	if len(below) < n {
		below = rows
	}
	slices.SortFunc(below, func(a, b int) int { return cmp.Or(cmp.Compare(draw[a], draw[b]), a-b) })
	below = below[:n]
	slices.Sort(below)
	return below
}
