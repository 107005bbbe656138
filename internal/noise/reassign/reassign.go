// Package reassign gives the records of a group to cells so that each has as many as a distribution requires, to grow
// trees from reconstructed distributions (Agrawal & Srikant 2000, section 4).
package reassign

import (
	"math"
	"slices"
)

// near is up to what two remainders count as equal.
const near = 1e-9

// Counts gives n records to intervals in proportion to their shares, by largest remainder: whole parts first, then one
// more for the largest fractional parts until the sum is n; of equal parts the lower interval. Shares are read to 9
// decimals, so that 0.29 of 100 is 29. Their sum is 1.
func Counts(n int, shares []float64) []int {
	out, rest, left := make([]int, len(shares)), make([]float64, len(shares)), n
	order := make([]int, len(shares))
	for p, f := range shares {
		v := float64(float64(n) * f)
		out[p] = min(int(math.Floor(v+near)), left)
		rest[p], order[p] = v-float64(out[p]), p
		left -= out[p]
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch d := rest[b] - rest[a]; {
		case d > near:
			return 1
		case d < -near:
			return -1
		}
		return a - b
	})
	for k := 0; left > 0; k++ {
		out[order[k%len(order)]]++
		left--
	}
	return out
}

// Ordered gives every row of a group to an interval: the lowest values to the first, as many as it is to have, and so
// on; of equal values the lower row. Rows are put in that order. Values are not compared with the limits of the
// intervals.
func Ordered(rows []int32, values []float64, counts []int, codes []int32) {
	slices.SortFunc(rows, func(a, b int32) int {
		switch v, w := values[a], values[b]; {
		case v < w:
			return -1
		case v > w:
			return 1
		}
		return int(a - b)
	})
	at := 0
	for p, n := range counts {
		for range n {
			codes[rows[at]] = int32(p)
			at++
		}
	}
}

// Nearest gives every row of a group to a category so that each has as many as it is to have, and as few rows as
// possible leave the released one: those of the highest numbers do, to the lowest categories that lack some.
func Nearest(rows []int32, released []int32, counts []int, codes []int32) {
	left := slices.Clone(counts)
	var homeless []int32
	slices.Sort(rows)
	for _, i := range rows {
		if c := released[i]; left[c] > 0 {
			codes[i] = c
			left[c]--
		} else {
			homeless = append(homeless, i)
		}
	}
	c := int32(0)
	for _, i := range homeless {
		for left[c] == 0 {
			c++
		}
		codes[i] = c
		left[c]--
	}
}
