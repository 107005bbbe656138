// Package mvnorm is the conditional multivariate normal distribution for noise addition: roots and repair of covariance
// matrices, the distribution of the released confidential attributes given the original record, and drawing from it.
//
// Throughout, X are k confidential attributes, S are q non-confidential ones, U = (X, S) with the confidential ones
// first, and Y is what is released in place of X (Muralidhar, Parsa & Sarathy 1999).
//
// Attributes may have any units: what counts as zero, singular or negative is decided where all have the standard
// deviation 1. One without variance carries no information and does no harm.
//
// Covariances must be those of some law. Those taken pairwise from records with missing values need not be; anyone who
// takes them so calls Repair. All other functions refuse a matrix with an eigenvalue that is negative beyond rounding.
package mvnorm

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/linalg"
)

const (
	// negligible is the share of the largest eigenvalue, or of an attribute's variance, below which it counts as 0.
	negligible = 1e-10
	// slack is how far an eigenvalue may be below 0 and count as 0, in units of the larger of 1 and the largest
	// eigenvalue.
	slack = 1e-7
)

// unit returns a covariance matrix in units of the standard deviations, and these; for an attribute without variance 1.
func unit(c mat.Symmetric) (*mat.SymDense, []float64, error) {
	p := c.SymmetricDim()
	sd := make([]float64, p)
	for i := range sd {
		v := c.At(i, i)
		if !(v >= 0) {
			return nil, nil, fmt.Errorf("a variance is %.3g; expected a number from 0", v)
		}
		if sd[i] = math.Sqrt(v); v == 0 {
			sd[i] = 1
		}
	}
	r, err := in(c, sd)
	return r, sd, err
}

// in returns a symmetric matrix in the given units of its attributes.
func in(c mat.Symmetric, units []float64) (*mat.SymDense, error) {
	r := mat.NewSymDense(len(units), nil)
	for i, u := range units {
		for j, w := range units[:i+1] {
			v := c.At(i, j) / u / w
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, errors.New("a covariance matrix holds infinite or missing numbers")
			}
			r.SetSym(i, j, v)
		}
	}
	return r, nil
}

// eigen returns the eigenvalues of a finite matrix in ascending order, and the eigenvectors.
func eigen(c mat.Symmetric) ([]float64, *mat.Dense, error) {
	values, vec, ok := linalg.Eigen(c)
	if !ok {
		return nil, nil, errors.New("the eigenvalues of a covariance matrix cannot be found")
	}
	return values, vec, nil
}

// positive returns an error when one of the ascending eigenvalues is negative beyond rounding.
func positive(values []float64) error {
	lowest, largest := values[0], values[len(values)-1]
	if lowest >= -slack*max(1, largest) {
		return nil
	}
	return fmt.Errorf("a covariance matrix is not positive semi-definite: its smallest eigenvalue is %.3g of its largest",
		lowest/max(largest, -lowest))
}

// Repair returns the positive semi-definite matrix with the same variances that is next to a symmetric one. Where, in
// units of the standard deviations, an eigenvalue is negative by more than 1e-10 of their mean, all below that are
// raised to it; clipped is how many were. Any other matrix, a singular one too, is returned as it is. Cost: O(p^3).
func Repair(c mat.Symmetric) (fixed *mat.SymDense, clipped int, err error) {
	r, sd, err := unit(c)
	if err != nil {
		return nil, 0, err
	}
	values, vec, err := eigen(r)
	if err != nil {
		return nil, 0, err
	}
	fixed = mat.NewSymDense(len(sd), nil)
	floor := negligible * mat.Trace(r) / float64(len(sd))
	if values[0] >= -floor {
		fixed.CopySym(c)
		return fixed, 0, nil
	}
	for k, v := range values {
		if v < floor {
			values[k] = floor
			clipped++
		}
	}
	var scaled, full mat.Dense
	linalg.Mul(&scaled, vec, mat.NewDiagDense(len(sd), values))
	linalg.Mul(&full, &scaled, vec.T())
	for i := range sd { // back to the old variances
		sd[i] = math.Sqrt(c.At(i, i) / full.At(i, i))
	}
	for i := range sd {
		for j := range i {
			fixed.SetSym(i, j, float64((full.At(i, j)+full.At(j, i))/2*sd[i]*sd[j]))
		}
		fixed.SetSym(i, i, c.At(i, i))
	}
	return fixed, clipped, nil
}

// Root returns a matrix L with L L' = c, the lower Cholesky factor where c is positive definite. It is an error when c
// has an eigenvalue that is negative beyond rounding. Cost: O(p^3).
func Root(c mat.Symmetric) (*mat.Dense, error) {
	r, sd, err := unit(c)
	if err != nil {
		return nil, err
	}
	return root(r, sd)
}

// definite returns the lower Cholesky factor and the inverse of a positive definite matrix; false where it is not, or
// nearly so.
func definite(r *mat.SymDense) (l *mat.TriDense, inv *mat.SymDense, ok bool) {
	if l, ok = linalg.Cholesky(r); !ok {
		return nil, nil, false
	}
	inv, condition := linalg.InverseOfCholesky(l, r)
	return l, inv, condition < 1/negligible
}

// root returns a root of a matrix that is given in units of its attributes.
func root(r *mat.SymDense, units []float64) (*mat.Dense, error) {
	out := mat.NewDense(len(units), len(units), nil)
	if l, _, ok := definite(r); ok {
		linalg.Mul(out, mat.NewDiagDense(len(units), units), l)
		return out, nil
	}
	values, vec, err := eigen(r)
	if err != nil {
		return nil, err
	}
	if err := positive(values); err != nil {
		return nil, err
	}
	for k, v := range values {
		values[k] = math.Sqrt(max(v, 0))
	}
	var scaled mat.Dense
	linalg.Mul(&scaled, vec, mat.NewDiagDense(len(units), values))
	linalg.Mul(out, &scaled, vec.T())
	linalg.Mul(out, mat.NewDiagDense(len(units), units), out)
	return out, nil
}

// Inverse returns the inverse of a positive definite matrix, and a symmetric generalised inverse of a positive
// semi-definite one: in units of the standard deviations, that of Moore and Penrose. Cost: O(p^3).
func Inverse(c mat.Symmetric) (*mat.SymDense, error) {
	r, sd, err := unit(c)
	if err != nil {
		return nil, err
	}
	for i := range sd {
		sd[i] = 1 / sd[i]
	}
	if _, inv, ok := definite(r); ok {
		return rescale(inv, sd), nil
	}
	inv := mat.NewSymDense(len(sd), nil)
	values, vec, err := eigen(r)
	if err != nil {
		return nil, err
	}
	if err := positive(values); err != nil {
		return nil, err
	}
	limit := float64(negligible * values[len(values)-1])
	for k, v := range values {
		if v > limit {
			linalg.AddOuter(inv, inv, 1/v, vec.ColView(k))
		}
	}
	return rescale(inv, sd), nil
}

// rescale multiplies rows and columns of a symmetric matrix by factors.
func rescale(c *mat.SymDense, by []float64) *mat.SymDense {
	for i, u := range by {
		for j, w := range by[:i+1] {
			c.SetSym(i, j, float64(c.At(i, j)*u*w))
		}
	}
	return c
}
