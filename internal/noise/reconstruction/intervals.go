package reconstruction

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/noise/additive"
	"github.com/dither-data/dither/internal/portable/vector"
)

// Number returns how many intervals n values are divided into: one for a hundred values, at least 10 and at most 100
// (Agrawal & Srikant 2000).
func Number(n int) int { return min(max(10, n/100), 100) }

// Edges divides the range from lo to hi into so many intervals of the same width. Of multiples of a step above 0 the
// edges are between two of them, every interval holds as many, and there are no more intervals than multiples.
func Edges(lo, hi, step float64, intervals int) ([]float64, error) {
	if !(lo <= hi) || math.IsInf(hi-lo, 0) || intervals < 1 || !(step >= 0) || step == 0 && lo == hi {
		return nil, fmt.Errorf("there is no range to divide into %d intervals", intervals)
	}
	from, width := lo, (hi-lo)/float64(intervals)
	if step > 0 {
		first, last := math.Round(lo/step), math.Round(hi/step)
		each := math.Ceil((last - first + 1) / float64(intervals))
		intervals = int(math.Ceil((last - first + 1) / each))
		from, width = float64((first-0.5)*step), float64(each*step)
	}
	edges := make([]float64, intervals+1)
	for k := range edges {
		edges[k] = from + float64(float64(k)*width)
	}
	if step == 0 {
		// intervals are half open, and the largest value belongs to the last
		edges[intervals] = math.Nextafter(hi, math.Inf(1))
	}
	return edges, additive.Ascending(edges)
}

// mostCells is up to how many cells released values are counted in.
const mostCells = 1 << 16

// Cover returns the edges with as many more of the width of the outermost intervals on both sides as it takes to hold
// the released values from lo to hi: the cells that these are counted in.
func Cover(edges []float64, lo, hi float64) ([]float64, error) {
	if len(edges) < 2 {
		return nil, errors.New("there are no intervals")
	}
	if err := additive.Ascending(edges); err != nil {
		return nil, err
	}
	last := len(edges) - 1
	left, right := edges[1]-edges[0], edges[last]-edges[last-1]
	before := max(0, math.Ceil((edges[0]-lo)/left))
	behind := max(0, math.Floor((hi-edges[last])/right)+1)
	if !(before+behind < mostCells) {
		return nil, fmt.Errorf("the released values reach so far beyond the intervals that it takes more than %d cells to "+
			"count them", mostCells)
	}
	for edges[0]-float64(before*left) > lo { // what rounding took from the quotients
		before++
	}
	for edges[last]+float64(behind*right) <= hi {
		behind++
	}
	out := make([]float64, 0, int(before+behind)+len(edges))
	for k := before; k > 0; k-- {
		out = append(out, edges[0]-float64(k*left))
	}
	out = append(out, edges...)
	for k := 1.0; k <= behind; k++ {
		out = append(out, edges[last]+float64(k*right))
	}
	return out, nil
}

// Count counts values in the cells between ascending edges, half open; a value outside counts in none, and NaN neither.
// Cost: O(values) for cells of the same width, O(values * log cells) for others.
func Count(edges, values []float64) []float64 {
	counts := make([]float64, len(edges)-1)
	find := Finder(edges)
	for _, v := range values {
		if k := find(v); k >= 0 {
			counts[k]++
		}
	}
	return counts
}

// Finder returns a function that returns the cell of a value; -1 for one outside, and for NaN.
func Finder(edges []float64) func(v float64) int {
	last := len(edges) - 1
	from, to := edges[0], edges[last]
	scale := float64(last) / (to - from)
	return func(v float64) int {
		if !(v >= from && v < to) {
			return -1
		}
		// of cells of the same width, but for rounding
		if k := min(int((v-from)*scale), last-1); edges[k] <= v && v < edges[k+1] {
			return k
		}
		k, found := slices.BinarySearch(edges, v)
		if !found {
			k--
		}
		return k
	}
}

// Loss returns the information loss of a reconstruction: half the sum of the absolute differences of two distributions
// over the same intervals, in [0, 1] (Agrawal & Aggarwal 2001, section 2.2).
func Loss(f, g []float64) (float64, error) {
	if len(f) != len(g) {
		return 0, fmt.Errorf("the distributions have %d and %d intervals", len(f), len(g))
	}
	return vector.Distance(f, g, 1) / 2, nil
}

// Transitions returns, for every interval between edges, the probabilities that an original from it is released in each
// of the cells between cells. Cost: O(intervals * cells).
func Transitions(edges, cells []float64, l additive.Law, step float64) [][]float64 {
	m, s := len(edges)-1, len(cells)-1
	flat := make([]float64, m*s)
	out := make([][]float64, m)
	for p := range out {
		out[p] = flat[p*s : (p+1)*s]
		for c := range out[p] {
			out[p][c] = cell(l, cells[c], cells[c+1], edges[p], edges[p+1], step)
		}
	}
	return out
}
