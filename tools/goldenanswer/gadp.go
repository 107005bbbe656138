package main

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/stats/mvnorm"
)

var conditionalNoise = map[string]answer{
	"gadp_conditional": on(func(in jointIn) (any, error) {
		mean, cov, cxy, err := in.build()
		if err != nil {
			return nil, err
		}
		c, err := mvnorm.Condition(mean, cov, len(in.MuX), cxy)
		if err != nil {
			return nil, err
		}
		return object{"B": matrixRows(c.B), "intercept": c.Intercept, "cond": matrixRows(c.Cov)}, nil
	}),
}

// jointIn is the joint law of confidential attributes X and others S, in blocks, and the covariance of X with the
// release, which may be null.
type jointIn struct {
	MuX []float64   `json:"mu_x"`
	MuS []float64   `json:"mu_s"`
	SXX [][]float64 `json:"sxx"`
	SXS [][]float64 `json:"sxs"`
	SSS [][]float64 `json:"sss"`
	SXY [][]float64 `json:"sxy"`
}

// build returns the mean and covariance of (X, S), and the covariance of X with Y.
func (in *jointIn) build() (mean []float64, cov *mat.SymDense, cxy *mat.Dense, err error) {
	k, q := len(in.MuX), len(in.MuS)
	if k == 0 || !blockSized(in.SXX, k, k) || !blockSized(in.SXS, k, q) || !blockSized(in.SSS, q, q) ||
		in.SXY != nil && !blockSized(in.SXY, k, k) {
		return nil, nil, nil, errors.New("the blocks have not the sizes of the means")
	}
	cov = mat.NewSymDense(k+q, nil)
	for i := range k {
		for j := range i + 1 {
			cov.SetSym(i, j, in.SXX[i][j])
		}
		for j := range q {
			cov.SetSym(i, k+j, in.SXS[i][j])
		}
	}
	for i := range q {
		for j := range i + 1 {
			cov.SetSym(k+i, k+j, in.SSS[i][j])
		}
	}
	if in.SXY != nil {
		cxy = mat.NewDense(k, k, nil)
		for i, row := range in.SXY {
			cxy.SetRow(i, row)
		}
	}
	return append(append([]float64{}, in.MuX...), in.MuS...), cov, cxy, nil
}

func blockSized(m [][]float64, rows, cols int) bool {
	if len(m) != rows {
		return false
	}
	for _, row := range m {
		if len(row) != cols {
			return false
		}
	}
	return true
}

// matrixRows returns a matrix row by row.
func matrixRows(m mat.Matrix) [][]float64 {
	r, c := m.Dims()
	out := make([][]float64, r)
	for i := range out {
		out[i] = make([]float64, c)
		for j := range out[i] {
			out[i][j] = m.At(i, j)
		}
	}
	return out
}
