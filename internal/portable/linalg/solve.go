package linalg

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/vector"
)

// Solve sets dst, which may be empty or b, to X with A X = B, A square. Where A is singular, or nearly so, it returns
// its condition number as an error, mat.Condition. Gauss's elimination with the largest pivot. Cost: O(p^3).
func Solve(dst *mat.Dense, a, b mat.Matrix) error {
	x, y := rows(a), rows(b)
	for k := range x {
		pivot := k
		for i := k + 1; i < len(x); i++ {
			if math.Abs(x[i][k]) > math.Abs(x[pivot][k]) {
				pivot = i
			}
		}
		x[k], x[pivot], y[k], y[pivot] = x[pivot], x[k], y[pivot], y[k]
		if x[k][k] == 0 {
			return mat.Condition(math.Inf(1))
		}
		for i := k + 1; i < len(x); i++ {
			f := -x[i][k] / x[k][k]
			vector.AddScaled(x[i][k:], f, x[k][k:])
			vector.AddScaled(y[i], f, y[k])
		}
	}
	for k := len(x) - 1; k >= 0; k-- {
		for i := k + 1; i < len(x); i++ {
			vector.AddScaled(y[k], -x[k][i], y[i])
		}
		for c := range y[k] {
			y[k][c] /= x[k][k]
		}
	}
	_, p := b.Dims()
	put(dst, y, p)
	if c := Condition(a); !(c < mat.ConditionTolerance) {
		return mat.Condition(c)
	}
	return nil
}

// Inverse sets dst, which may be empty or a, to the inverse of a square matrix; errors are those of Solve.
func Inverse(dst *mat.Dense, a mat.Matrix) error {
	p, _ := a.Dims()
	one := mat.NewDense(p, p, nil)
	for i := range p {
		one.Set(i, i, 1)
	}
	return Solve(dst, a, one)
}

// Orthonormal returns the columns of the thin QR factorisation of a matrix of full rank with at least as many rows as
// columns, where R has a positive diagonal: Gram and Schmidt's process, taken twice. Cost: O(n p^2).
func Orthonormal(a mat.Matrix) *mat.Dense {
	x := rows(a.T())
	n, p := a.Dims()
	q := mat.NewDense(n, p, nil)
	for j, c := range x {
		for range 2 {
			for _, d := range x[:j] {
				vector.AddScaled(c, -vector.Dot(c, d), d)
			}
		}
		length := vector.Norm(c)
		for i := range c {
			c[i] /= length
		}
		q.SetCol(j, c)
	}
	return q
}
