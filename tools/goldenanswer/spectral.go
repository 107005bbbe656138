package main

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/measure/noiseremoval"
)

var spectral = map[string]answer{
	"spectral_filter": on(func(in struct {
		Perturbed, Original [][]float64 // by record
		Sigma               float64
	}) (any, error) {
		if len(in.Perturbed) == 0 {
			return nil, errors.New("there are no records")
		}
		cols := transposed(in.Perturbed)
		m, err := moments.Of(context.Background(), cols)
		if err != nil {
			return nil, err
		}
		// The filter works in units of the noise.
		variance := in.Sigma * in.Sigma
		cov := m.Cov()
		cov.ScaleSym(1/variance, cov)
		noise := mat.NewSymDense(len(cols), nil)
		for k := range cols {
			noise.SetSym(k, k, 1)
		}
		f, err := noiseremoval.New(cov, noise, len(in.Perturbed), noiseremoval.Outside)
		if err != nil {
			return nil, err
		}
		eigenvalues := make([]float64, len(f.Eigenvalues))
		for k, v := range f.Eigenvalues {
			eigenvalues[k] = variance * v
		}
		estimate := make([][]float64, len(in.Perturbed))
		for i, row := range in.Perturbed {
			estimate[i] = linear(&f.Gain, m.Means(), row)
		}
		return object{
			"lambda_min":     variance * f.Lower,
			"lambda_max":     variance * f.Upper,
			"eigenvalues":    eigenvalues,
			"kept":           f.Kept,
			"estimate":       estimate,
			"rmse_perturbed": rmse(in.Perturbed, in.Original),
			"rmse_filtered":  rmse(estimate, in.Original),
		}, nil
	}),
}

// transposed returns the columns of rows.
func transposed(rows [][]float64) [][]float64 {
	cols := make([][]float64, len(rows[0]))
	for k := range cols {
		for _, row := range rows {
			cols[k] = append(cols[k], row[k])
		}
	}
	return cols
}

// linear returns mean + gain (row - mean).
func linear(gain mat.Matrix, mean, row []float64) []float64 {
	out := make([]float64, len(row))
	for k := range out {
		out[k] = mean[k]
		for l, v := range row {
			out[k] += gain.At(k, l) * (v - mean[l])
		}
	}
	return out
}

// rmse returns the root mean square difference of all cells.
func rmse(a, b [][]float64) float64 {
	sum, n := 0.0, 0
	for i, row := range a {
		for k, v := range row {
			sum += (v - b[i][k]) * (v - b[i][k])
			n++
		}
	}
	return math.Sqrt(sum / float64(n))
}
