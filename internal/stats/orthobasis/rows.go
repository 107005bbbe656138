package orthobasis

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/system/mmap"
)

// complete returns the rows without a missing value and those with one, in a space; both are nil where there is none
// with one. Infinite is a column that holds an infinite value, or -1.
func complete(in *mmap.Space, u [][]float64) (whole, gaps []int, infinite int) {
	n := 0
	if len(u) > 0 {
		n = len(u[0])
	}
	missing, lack := mmap.Make[bool](in, n), 0
	defer mmap.Free(in, missing)
	for j, c := range u {
		for i, v := range c {
			if v-v == 0 {
				continue
			}
			if math.IsInf(v, 0) {
				return nil, nil, j
			}
			if !missing[i] {
				missing[i], lack = true, lack+1
			}
		}
	}
	if lack == 0 {
		return nil, nil, -1
	}
	whole, gaps = mmap.Make[int](in, n-lack)[:0], mmap.Make[int](in, lack)[:0]
	for i, m := range missing {
		if m {
			gaps = append(gaps, i)
		} else {
			whole = append(whole, i)
		}
	}
	return whole, gaps, -1
}

// present returns the positions of the columns that have a value, and how many of them are below k.
func present(u [][]float64, k int) (at []int, confidential int) {
	for j, c := range u {
		if slices.ContainsFunc(c, func(v float64) bool { return v == v }) {
			at = append(at, j)
			if j < k {
				confidential++
			}
		}
	}
	return at, confidential
}

func pick[T any](from []T, at []int) []T {
	out := make([]T, len(at))
	for i, j := range at {
		out[i] = from[j]
	}
	return out
}

// means writes to y the mean of every column over the values it has; missing values stay.
func means(y, u [][]float64) {
	for j, d := range y {
		var sum exact.Sum
		n := 0
		for _, v := range u[j] {
			if v == v {
				sum.Add(v)
				n++
			}
		}
		mean := sum.Mean(max(1, n))
		for i, v := range u[j] {
			if d[i] = mean; v != v {
				d[i] = v
			}
		}
	}
}

// gather returns the rows of columns, in a space.
func gather(in *mmap.Space, cols [][]float64, rows []int) [][]float64 {
	out := mmap.Columns(in, len(cols), len(rows))
	for j, c := range cols {
		for r, i := range rows {
			out[j][r] = c[i]
		}
	}
	return out
}

func scatter(dst, src [][]float64, rows []int) {
	for j, c := range src {
		for r, i := range rows {
			dst[j][i] = c[r]
		}
	}
}
