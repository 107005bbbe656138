// Package linalg computes with the matrices of gonum to the same bits on every processor: gonum itself has assembly on
// one, with another order of sums, and is fused on others. Orders of sums follow from the sizes alone, and products are
// rounded. Matrices are small here (at most some hundred rows), so nothing is blocked. See package portable.
package linalg

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/vector"
)

// rows copies a matrix.
func rows(a mat.Matrix) [][]float64 {
	n, p := a.Dims()
	all := make([]float64, n*p)
	out := make([][]float64, n)
	for i := range out {
		out[i] = all[i*p : (i+1)*p : (i+1)*p]
		for j := range out[i] {
			out[i][j] = a.At(i, j)
		}
	}
	return out
}

// put makes dst a matrix of these rows, whatever it was, if its size allows.
func put(dst *mat.Dense, a [][]float64, p int) {
	if dst.IsEmpty() {
		dst.ReuseAs(len(a), p)
	}
	for i, row := range a {
		dst.SetRow(i, row)
	}
}

// Mul sets dst, which may be empty or one of the others, to the product a b.
func Mul(dst *mat.Dense, a, b mat.Matrix) {
	x, y := rows(a), rows(b)
	_, p := b.Dims()
	out := rows(mat.NewDense(len(x), p, nil))
	for i, row := range x {
		for k, v := range row {
			vector.AddScaled(out[i], v, y[k])
		}
	}
	put(dst, out, p)
}

// Inner returns x' a y.
func Inner(x mat.Vector, a mat.Matrix, y mat.Vector) float64 {
	s := 0.0
	u := list(y)
	for i, row := range rows(a) {
		s += float64(x.AtVec(i) * vector.Dot(row, u))
	}
	return s
}

func list(x mat.Vector) []float64 {
	out := make([]float64, x.Len())
	for i := range out {
		out[i] = x.AtVec(i)
	}
	return out
}

// Dot returns the inner product.
func Dot(x, y mat.Vector) float64 { return vector.Dot(list(x), list(y)) }

// Norm returns the Euclidean length.
func Norm(x mat.Vector) float64 { return vector.Norm(list(x)) }

// AddOuter sets dst to a + f x x'.
func AddOuter(dst *mat.SymDense, a mat.Symmetric, f float64, x mat.Vector) {
	u := list(x)
	for i, v := range u {
		g := float64(f * v)
		for j := i; j < len(u); j++ {
			dst.SetSym(i, j, a.At(i, j)+float64(g*u[j]))
		}
	}
}

// Gram returns f a a'.
func Gram(dst *mat.SymDense, f float64, a mat.Matrix) {
	x := rows(a)
	if dst.IsEmpty() {
		dst.ReuseAsSym(len(x))
	}
	for i := range x {
		for j := range x[:i+1] {
			dst.SetSym(i, j, float64(f*vector.Dot(x[i], x[j])))
		}
	}
}

// Cholesky returns the lower triangular L with L L' = a; false where a is not positive definite. Cost: O(p^3).
func Cholesky(a mat.Symmetric) (l *mat.TriDense, ok bool) {
	p := a.SymmetricDim()
	x := make([][]float64, p)
	l = mat.NewTriDense(p, mat.Lower, nil)
	for i := range x {
		x[i] = make([]float64, p)
		for j := range i {
			x[i][j] = (a.At(i, j) - vector.Dot(x[i][:j], x[j][:j])) / x[j][j]
		}
		v := a.At(i, i) - vector.Dot(x[i][:i], x[i][:i])
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, false
		}
		x[i][i] = math.Sqrt(v)
		for j := range i + 1 {
			l.SetTri(i, j, x[i][j])
		}
	}
	return l, true
}

// Forward solves L X = B for a lower triangular L, and sets dst, which may be B; false where L is singular.
func Forward(dst *mat.Dense, l *mat.TriDense, b mat.Matrix) bool {
	x, y := rows(l), rows(b)
	for i, row := range x {
		if row[i] == 0 {
			return false
		}
		for j, v := range row[:i] {
			vector.AddScaled(y[i], -v, y[j])
		}
		for c := range y[i] {
			y[i][c] /= row[i]
		}
	}
	_, p := b.Dims()
	put(dst, y, p)
	return true
}

// InverseOfCholesky returns (L L')^-1, and its condition number in the norm of the largest sum of a row. Cost: O(p^3).
func InverseOfCholesky(l *mat.TriDense, a mat.Symmetric) (inverse *mat.SymDense, condition float64) {
	p := a.SymmetricDim()
	inverse = mat.NewSymDense(p, nil)
	one := mat.NewDense(p, p, nil)
	for i := range p {
		one.Set(i, i, 1)
	}
	if !Forward(one, l, one) {
		return inverse, math.Inf(1)
	}
	x := rows(one.T())
	for i := range x {
		for j := range x[:i+1] {
			inverse.SetSym(i, j, vector.Dot(x[i][i:], x[j][i:]))
		}
	}
	return inverse, float64(norm(a) * norm(inverse))
}

// norm is the largest sum of absolute numbers in a row.
func norm(a mat.Matrix) (most float64) {
	for _, row := range rows(a) {
		s := 0.0
		for _, v := range row {
			s += math.Abs(v)
		}
		most = math.Max(most, s)
	}
	return most
}
