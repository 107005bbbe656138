package transition

import (
	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/portable/vector"
)

// Reverse returns Q[l][k], the probability that a value released as l was k, given the counts of the original: what an
// intruder who knows both infers. A category that is never released stands for itself.
func (m Matrix) Reverse(counts []float64) Matrix {
	q, there := zeros(len(m)), m.Expected(counts)
	for l, row := range q {
		if there[l] <= 0 {
			row[l] = 1
			continue
		}
		for k := range row {
			row[k] = m[k][l] * counts[k] / there[l]
		}
		floats.Scale(1/vector.Sum(row), row)
	}
	return q
}

// Invariant returns transitions R that leave the counts as they are in expectation, R' T = T: those of m and then back
// by Reverse. Softened by alpha in [0, 1], alpha R + (1 - alpha) I does so too. A category without counts stays as it
// is, and none becomes it. Cost: O(K^3).
func (m Matrix) Invariant(counts []float64, alpha float64) Matrix {
	r, q := zeros(len(m)), m.Reverse(counts)
	for k, row := range r {
		if counts[k] <= 0 {
			row[k] = 1
			continue
		}
		for l, p := range m[k] {
			vector.AddScaled(row, p, q[l])
		}
		floats.Scale(alpha/vector.Sum(row), row)
		row[k] += 1 - alpha
	}
	return r
}

// Kept returns the expected share of values that stay; 1 without counts.
func (m Matrix) Kept(counts []float64) float64 {
	kept, n := 0.0, vector.Sum(counts)
	if n <= 0 {
		return 1
	}
	for k, row := range m {
		kept += float64(counts[k] * row[k])
	}
	return kept / n
}

// Sure returns the smallest and the largest probability, over the categories that may be released, that a released
// category is the original's.
func (m Matrix) Sure(counts []float64) (least, most float64) {
	least, most = 1, 0
	there := m.Expected(counts)
	for l, row := range m.Reverse(counts) {
		if there[l] > 0 {
			least, most = min(least, row[l]), max(most, row[l])
		}
	}
	return least, max(least, most)
}
