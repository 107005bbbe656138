package orthogonal

import (
	"math"
	"slices"
)

// complete returns the rows without a missing value and those with one; whole is nil where there is none with one. Infinite is a column that
// holds an infinite value, or -1.
func complete(u [][]float64) (whole, gaps []int, infinite int) {
	n := 0
	if len(u) > 0 {
		n = len(u[0])
	}
	missing := make([]bool, n)
	for j, c := range u {
		for i, v := range c {
			if v-v == 0 {
				continue
			}
			if math.IsInf(v, 0) {
				return nil, nil, j
			}
			missing[i] = true
		}
	}
	for i, m := range missing {
		if m {
			gaps = append(gaps, i)
		}
	}
	if gaps == nil {
		return nil, nil, -1
	}
	for i, m := range missing {
		if !m {
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
		mean, n := 0.0, 0.0
		for _, v := range u[j] {
			if v == v {
				n++
				mean += (v - mean) / n
			}
		}
		for i, v := range u[j] {
			if d[i] = mean; v != v {
				d[i] = v
			}
		}
	}
}

func columns(k, n int) [][]float64 {
	flat, out := make([]float64, k*n), make([][]float64, k)
	for j := range out {
		out[j] = flat[j*n : (j+1)*n : (j+1)*n]
	}
	return out
}

func gather(cols [][]float64, rows []int) [][]float64 {
	out := columns(len(cols), len(rows))
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
