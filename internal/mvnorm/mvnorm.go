// Package mvnorm is the conditional multivariate normal law of noise addition: roots and repair of covariance matrices, the law of the
// released confidential attributes given the original record, and drawing from it.
//
// Throughout, X are k confidential attributes, S are q non-confidential ones, U = (X, S) with the confidential ones first, and Y is
// what is released in place of X (Muralidhar, Parsa & Sarathy 1999).
package mvnorm

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// negligible is the share of the largest eigenvalue below which an eigenvalue counts as 0.
const negligible = 1e-10

// Repair returns the positive semi-definite matrix next to a symmetric one: eigenvalues below 1e-10 of their mean are raised to it. Clipped is
// how many were. Cost: O(p^3).
func Repair(c mat.Symmetric) (fixed *mat.SymDense, clipped int, err error) {
	p := c.SymmetricDim()
	var e mat.EigenSym
	if !e.Factorize(c, true) {
		return nil, 0, errors.New("the eigenvalues of a covariance matrix cannot be found; it holds infinite or missing numbers")
	}
	values := e.Values(nil)
	floor := 0.0
	for k := range p {
		floor += c.At(k, k)
	}
	floor *= negligible / float64(p)
	for k, v := range values {
		if v < floor {
			values[k] = max(floor, 0)
			clipped++
		}
	}
	fixed = mat.NewSymDense(p, nil)
	if clipped == 0 {
		fixed.CopySym(c)
		return fixed, 0, nil
	}
	var vec, scaled mat.Dense
	e.VectorsTo(&vec)
	scaled.Mul(&vec, mat.NewDiagDense(p, values))
	var full mat.Dense
	full.Mul(&scaled, vec.T())
	for k := range p {
		for l := range k + 1 {
			fixed.SetSym(k, l, (full.At(k, l)+full.At(l, k))/2)
		}
	}
	return fixed, clipped, nil
}

// Root returns a matrix L with L L' = c: the lower Cholesky factor of a positive definite matrix, the symmetric square root of a
// singular one. It is an error when c has an eigenvalue that is negative beyond rounding. Cost: O(p^3).
func Root(c mat.Symmetric) (*mat.Dense, error) {
	p := c.SymmetricDim()
	out := mat.NewDense(p, p, nil)
	var ch mat.Cholesky
	if ch.Factorize(c) && ch.Cond() < 1e12 {
		var l mat.TriDense
		ch.LTo(&l)
		out.Copy(&l)
		return out, nil
	}
	var e mat.EigenSym
	if !e.Factorize(c, true) {
		return nil, errors.New("the eigenvalues of a covariance matrix cannot be found; it holds infinite or missing numbers")
	}
	values := e.Values(nil)
	largest := math.Max(math.Abs(values[0]), values[p-1])
	for k, v := range values {
		if v < -1e-8*largest {
			return nil, fmt.Errorf("a covariance matrix is not positive semi-definite: its smallest eigenvalue is %.3g of its largest", v/largest)
		}
		values[k] = math.Sqrt(max(v, 0))
	}
	var vec, scaled mat.Dense
	e.VectorsTo(&vec)
	scaled.Mul(&vec, mat.NewDiagDense(p, values))
	out.Mul(&scaled, vec.T())
	return out, nil
}

// Inverse returns the Moore-Penrose inverse of a symmetric positive semi-definite matrix. Cost: O(p^3).
func Inverse(c mat.Symmetric) (*mat.SymDense, error) {
	p := c.SymmetricDim()
	out := mat.NewSymDense(p, nil)
	var ch mat.Cholesky
	if ch.Factorize(c) && ch.Cond() < 1e12 {
		return out, ch.InverseTo(out)
	}
	var e mat.EigenSym
	if !e.Factorize(c, true) {
		return nil, errors.New("the eigenvalues of a covariance matrix cannot be found; it holds infinite or missing numbers")
	}
	values := e.Values(nil)
	limit := negligible * max(values[p-1], 0)
	var vec mat.Dense
	e.VectorsTo(&vec)
	for v, value := range values {
		if value > limit {
			out.SymRankOne(out, 1/value, vec.ColView(v))
		}
	}
	return out, nil
}

// Conditional is the law of Y given U: normal with mean Intercept + B u and covariance Cov.
type Conditional struct {
	B         *mat.Dense // k x (k+q)
	Intercept []float64
	Cov       *mat.SymDense
}

// Condition returns the law of Y given U when Y has the mean and the covariance of X and the covariance of X with S, and cxy is
// the covariance of X with Y (the security specification; nil for Dial with a = 0). Mean and cov are those of U. A
// specification that no joint law has is an error. Singular covariances are inverted in the sense of Moore and Penrose. Cost: O((k+q)^3).
func Condition(mean []float64, cov mat.Symmetric, k int, cxy *mat.Dense) (*Conditional, error) {
	p := cov.SymmetricDim()
	if cxy == nil {
		var err error
		if cxy, err = Dial(cov, k, make([]float64, k)); err != nil {
			return nil, err
		}
	}
	inv, err := Inverse(cov)
	if err != nil {
		return nil, err
	}
	cyu := mat.NewDense(k, p, nil)
	for i := range k {
		for j := range p {
			if j < k {
				cyu.Set(i, j, cxy.At(j, i))
			} else {
				cyu.Set(i, j, cov.At(i, j))
			}
		}
	}
	c := &Conditional{B: mat.NewDense(k, p, nil), Intercept: make([]float64, k), Cov: mat.NewSymDense(k, nil)}
	c.B.Mul(cyu, inv)
	var explained mat.Dense
	explained.Mul(c.B, cyu.T())
	for i := range k {
		c.Intercept[i] = mean[i]
		for j := range p {
			c.Intercept[i] -= c.B.At(i, j) * mean[j]
		}
		for j := range i + 1 {
			c.Cov.SetSym(i, j, cov.At(i, j)-(explained.At(i, j)+explained.At(j, i))/2)
		}
	}
	return c, nil
}

// Dial returns the covariance of X with Y that lets a share a[j] of what S leaves open of attribute j through to the release:
// C_XS C_SS^-1 C_SX + sqrt-free diagonal dial, M diag(a), with M = C_XX - C_XS C_SS^-1 C_SX. With a = 0 the release depends on S only, the
// least disclosure there is; with a near 1 it is nearly the original. Cost: O((k+q)^3).
func Dial(cov mat.Symmetric, k int, a []float64) (*mat.Dense, error) {
	explained, err := Explained(cov, k)
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(k, k, nil)
	for i := range k {
		for j := range k {
			e := explained.At(i, j)
			out.Set(i, j, e+(cov.At(i, j)-e)*a[j])
		}
	}
	return out, nil
}

// Explained returns C_XS C_SS^-1 C_SX, the part of the covariance of X that S explains; zeros where there is no S. Cost: O((k+q)^3).
func Explained(cov mat.Symmetric, k int) (*mat.SymDense, error) {
	out := mat.NewSymDense(k, nil)
	q := cov.SymmetricDim() - k
	if q == 0 {
		return out, nil
	}
	css, cxs := mat.NewSymDense(q, nil), mat.NewDense(k, q, nil)
	for j := range q {
		for l := range j + 1 {
			css.SetSym(j, l, cov.At(k+j, k+l))
		}
		for i := range k {
			cxs.Set(i, j, cov.At(i, k+j))
		}
	}
	inv, err := Inverse(css)
	if err != nil {
		return nil, err
	}
	var half, full mat.Dense
	half.Mul(cxs, inv)
	full.Mul(&half, cxs.T())
	for i := range k {
		for j := range i + 1 {
			out.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
		}
	}
	return out, nil
}
