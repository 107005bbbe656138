package gadp

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/protect/internal/additive"
	"github.com/dither-data/dither/table"
)

var errLarge = errors.New("a column has values too large, or too close to each other, for a variance")

// GADPReplace draws the confidential columns of one group of records, such as a leaf of a tree, from the moments of the
// group: u holds the p columns, of which the first k = len(dial) are confidential, z k columns of independent standard
// normals, y k columns to fill. Dial holds 1 - security of each, from 0 to 1. Values are neither rounded nor kept in a
// domain. Missing ones stay missing; a column without two different values is copied, or has no influence. It is an
// error when there are no more records than columns with variance, plus one, and when the variance of a column is too
// small or too large a number. Cost: O(n p^2 + p^3).
func GADPReplace(y, u, z [][]float64, dial []float64) error {
	m, err := moments.Of(context.Background(), u)
	if err != nil {
		return err
	}
	if err := Usable(u, m.Cov()); err != nil {
		return err
	}
	if !varies(m, len(dial)) {
		for k := range dial {
			copy(y[k], u[k])
		}
		return nil
	}
	cov, _, err := covariance(m)
	if err != nil {
		return err
	}
	law, err := mvnorm.NewLaw(m.Means(), cov, dial)
	if err != nil {
		return err
	}
	return law.Draw(y, u, z)
}

// Usable refuses columns that vary but whose variance, on the diagonal of the matrix, is too small or too large a
// number: a law would take them for constant, and release them as they are.
func Usable(u [][]float64, cov *mat.SymDense) error {
	for j, col := range u {
		lo, hi := table.Range(col)
		if _, err := additive.Deviations(cov.SliceSym(j, j+1), []string{""}); lo < hi && err != nil {
			return errLarge
		}
	}
	return nil
}

// varies reports whether one of the first k columns has two different values.
func varies(m *moments.Moments, k int) bool {
	for i := range k {
		if m.Co(i, i) != 0 {
			return true
		}
	}
	return false
}

// covariance returns the covariance matrix, repaired where values are missing, and how many eigenvalues that took. It
// is an error when there are no more records than columns with variance, plus one.
func covariance(m *moments.Moments) (cov *mat.SymDense, repaired int, err error) {
	columns, records := 0, math.Inf(1)
	for i := range m.P {
		if m.Co(i, i) == 0 {
			continue
		}
		columns++
		for j := range i + 1 {
			if m.Co(j, j) != 0 {
				records = min(records, m.N(i, j))
			}
		}
	}
	if records <= float64(columns+1) {
		return nil, 0, fmt.Errorf("there are %.0f records to take the covariances of %d columns from, expected more than "+
			"%d; "+
			"use egadp, or fewer columns", records, columns, columns+1)
	}
	cov = m.Cov()
	if m.Complete() {
		return cov, 0, nil
	}
	return mvnorm.Repair(cov)
}
