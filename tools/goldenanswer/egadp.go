package main

import (
	"errors"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/protect/gadp"
)

var exactMoments = map[string]answer{
	"egadp": on(func(in struct {
		X, S, Noise [][]float64
		Alpha       float64
	}) (any, error) {
		n := len(in.X)
		if n == 0 || len(in.S) != n || len(in.Noise) != n {
			return nil, errors.New("x, s and noise must have as many records, at least one")
		}
		x, errX := columnsOf(in.X)
		s, errS := columnsOf(in.S)
		z, errZ := columnsOf(in.Noise)
		if err := errors.Join(errX, errS, errZ); err != nil || len(z) != len(x) {
			return nil, errors.New("records must have as many values each, of x and noise the same")
		}
		y, dial := make([][]float64, len(x)), make([]float64, len(x))
		for j := range y {
			y[j], dial[j] = make([]float64, n), in.Alpha
		}
		if err := gadp.EGADPReplace(nil, y, append(append([][]float64{}, x...), s...), z, dial); err != nil {
			return nil, err
		}
		mean, rows := make([]float64, len(y)), make([][]float64, n)
		for j, c := range y {
			mean[j] = stat.Mean(c, nil)
			for i, v := range c {
				rows[i] = append(rows[i], v)
			}
		}
		return object{
			"mean":       mean,
			"cov":        covariances(y, y),
			"cov_ys":     covariances(y, s),
			"cov_yx":     covariances(y, x),
			"y_cholesky": rows,
		}, nil
	}),
}

// columnsOf turns records of one length into columns.
func columnsOf(records [][]float64) ([][]float64, error) {
	cols := make([][]float64, len(records[0]))
	for _, r := range records {
		if len(r) != len(cols) {
			return nil, errors.New("records have different numbers of values")
		}
		for j, v := range r {
			cols[j] = append(cols[j], v)
		}
	}
	return cols, nil
}

// covariances returns those of every column of a with every one of b, divisor n-1.
func covariances(a, b [][]float64) [][]float64 {
	out := make([][]float64, len(a))
	for i := range a {
		out[i] = make([]float64, len(b))
		for j := range b {
			out[i][j] = stat.Covariance(a[i], b[j], nil)
		}
	}
	return out
}
