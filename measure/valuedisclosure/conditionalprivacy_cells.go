package valuedisclosure

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/portable/vector"
)

// conditionalCells are consecutive pieces of the values of an attribute.
type conditionalCells struct {
	cuts   []float64 // ascending: a value lies in the cell numbered by how many cuts are at most it
	widths []float64 // of the cells, in units of the attribute
}

// of returns the cell of a value; the number of cells for NaN.
func (c *conditionalCells) of(v float64) int32 {
	if v != v {
		return int32(len(c.cuts)) + 1
	}
	return int32(sort.Search(len(c.cuts), func(k int) bool { return c.cuts[k] > v }))
}

// number returns the cells of values.
func (c *conditionalCells) number(values []float64) []int32 {
	out := make([]int32, len(values))
	for i, v := range values {
		out[i] = c.of(v)
	}
	return out
}

// shares returns the cells of values and the share of each cell among those that are there.
func (c *conditionalCells) shares(values []float64) (code []int32, share []float64) {
	code, share = c.number(values), make([]float64, len(c.cuts)+2)
	for _, k := range code {
		share[k]++
	}
	share = share[:len(c.cuts)+1]
	floats.Scale(1/vector.Sum(share), share)
	return code, share
}

// ascending returns the values that are there in order.
func ascending(values []float64) []float64 {
	sorted := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	slices.Sort(sorted)
	return sorted
}

// conditionalDivide puts values in ascending order into at most so many cells: each different value into its own where
// there are no more of them, else into cells of equal frequency, where a value that would fill one has its own. Step is
// the grid of the values: cells are as wide as the grid values they span; on a continuous attribute, 0, as wide as
// their values are spread. Without values there is one cell.
func conditionalDivide(sorted []float64, most int, step float64) conditionalCells {
	if len(sorted) == 0 {
		return conditionalCells{widths: []float64{step}}
	}
	starts := []int{0} // of the different values
	for i := 1; i < len(sorted); i++ {
		if sorted[i] != sorted[i-1] {
			starts = append(starts, i)
		}
	}
	quota := 0.0 // values that a cell should hold
	if len(starts) > most {
		quota = float64(len(sorted)) / float64(most)
	}
	var c conditionalCells
	first := 0 // of the open cell
	for k, at := range starts {
		next := len(sorted)
		if k+1 < len(starts) {
			next = starts[k+1]
		}
		if at > first && (float64(at-first) >= quota || float64(next-at) >= quota) {
			c.widths, c.cuts = append(c.widths, width(sorted[first:at], step)), append(c.cuts, sorted[at])
			first = at
			if quota > 0 {
				quota = float64(len(sorted)-at) / float64(most-len(c.widths))
			}
		}
	}
	c.widths = append(c.widths, width(sorted[first:], step))
	return c
}

// narrow is the width of a single value of a continuous attribute, relative to its size: that of the grid its noise
// would have.
const narrow = 0x1p-40

// width returns that of a cell with these ascending values. The spread of k values of a continuous attribute is (k-1)/k
// of the cell's width.
func width(values []float64, step float64) float64 {
	k := float64(len(values))
	lo, hi := values[0], values[len(values)-1]
	switch {
	case step > 0:
		return hi - lo + step
	case hi > lo:
		return (hi - lo) * k / (k - 1)
	}
	return max(math.Abs(lo), 1) * narrow
}
