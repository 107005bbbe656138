// Package transition is the algebra of randomised categorical values: matrices of transition probabilities, and tables
// of counts before and after them (Kooiman, Willenborg & Gouweleeuw 1997; Warner 1965; Islam 2007, section 6.2).
//
// It is the one home of estimating what categories were from what was released: counts (Matrix.Estimate, unbiased;
// Matrix.Likeliest, by expectation and maximisation), tables of two attributes (EstimateTable), a share of one category
// (EstimateUniform), and records whose binary values were exchanged together (Conjunction, Undo).
//
// P[k][l] is the probability that category k is released as l. Rows sum to 1. Counts are weights and need not be whole.
package transition

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/internal/portable/vector"
)

// Matrix holds the transition probabilities of K categories, row by row.
type Matrix [][]float64

// rounding is how far a sum of probabilities may be from 1.
const rounding = 1e-9

// Uniform keeps a category with probability keep and otherwise releases one of the others, each as likely. A single
// category stays.
func Uniform(k int, keep float64) Matrix { return Decay(k, keep, 1) }

// Decay keeps an ordered category with probability keep; otherwise one of the others is released, and every step that
// it is farther away makes it less likely by the factor decay, in [0, 1]: 1 is Uniform, 0 releases neighbours only.
func Decay(k int, keep, decay float64) Matrix {
	m := zeros(k)
	for x, row := range m {
		if k == 1 {
			row[x] = 1
			break
		}
		for y := range row {
			if y != x {
				row[y] = portable.Pow(decay, math.Abs(float64(x-y))-1)
			}
		}
		floats.Scale((1-keep)/vector.Sum(row), row)
		row[x] = keep
	}
	return m
}

func zeros(k int) Matrix {
	m, all := make(Matrix, k), make([]float64, k*k)
	for x := range m {
		m[x] = all[x*k : (x+1)*k : (x+1)*k]
	}
	return m
}

// Check returns an error unless m has a row of k probabilities, which sum to 1, for each of k categories.
func (m Matrix) Check(k int) error {
	if len(m) != k {
		return fmt.Errorf("there are %d rows; expected one for each of %d categories", len(m), k)
	}
	for x, row := range m {
		if len(row) != k {
			return fmt.Errorf("row %d has %d probabilities; expected %d", x+1, len(row), k)
		}
		for y, p := range row {
			if !(p >= 0 && p <= 1+rounding) {
				return fmt.Errorf("row %d, column %d: %v is not a probability", x+1, y+1, p)
			}
		}
		if sum := vector.Sum(row); math.Abs(sum-1) > rounding {
			return fmt.Errorf("row %d sums to %v; expected 1", x+1, sum)
		}
	}
	return nil
}

// Keep returns the probability that a category stays, where the matrix is Uniform.
func (m Matrix) Keep() (keep float64, uniform bool) {
	if len(m) == 0 {
		return 1, true
	}
	keep = m[0][0]
	for x, row := range m {
		for y, p := range row {
			want := keep
			if x != y {
				want = (1 - keep) / float64(len(m)-1)
			}
			if math.Abs(p-want) > rounding {
				return 0, false
			}
		}
	}
	return keep, true
}

// Condition returns the ratio of the largest to the smallest singular value: by up to this factor undoing the
// transitions blows up relative errors of counts. It is infinite for a matrix that cannot be undone. Cost: O(K^3).
func (m Matrix) Condition() float64 {
	if len(m) == 0 {
		return 1
	}
	return linalg.Condition(m.dense())
}

// Epsilon returns the largest logarithm of a ratio of two probabilities to be released as the same category: local
// differential privacy, as the function Epsilon for matrices that are Uniform. It is infinite where a released category
// can rule out an original one, and 0 for one category. Cost: O(K^2).
func (m Matrix) Epsilon() (most float64) {
	for y := range m {
		lo, hi := math.Inf(1), 0.0
		for _, row := range m {
			lo, hi = min(lo, row[y]), max(hi, row[y])
		}
		if hi > 0 { // a category that is never released tells nothing
			most = max(most, portable.Log(hi)-portable.Log(lo))
		}
	}
	return most
}

// dense returns the matrix for linear algebra.
func (m Matrix) dense() *mat.Dense {
	d := mat.NewDense(len(m), len(m), nil)
	for x, row := range m {
		d.SetRow(x, row)
	}
	return d
}
