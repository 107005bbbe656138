package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/dither-data/dither/mine/kmeans"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

var kmeansFigures = map[string]answer{
	"normalise": on(func(in struct{ Values []float64 }) (any, error) {
		if len(in.Values) == 0 {
			return nil, errors.New("there are no values")
		}
		out := object{}
		for name, by := range map[string]string{"minmax": kmeans.MinMax, "zscore": kmeans.ZScore} {
			centre, width := kmeans.Scaling(in.Values, by)
			scaled := make([]float64, len(in.Values)) // 0 where the values are all alike
			for i, v := range in.Values {
				if width > 0 {
					scaled[i] = (v - centre) / width
				}
			}
			out[name] = scaled
		}
		return out, nil
	}),
	"kmeans": on(func(in struct{ Rows, Centroids [][]float64 }) (any, error) {
		if len(in.Rows) == 0 || len(in.Centroids) == 0 {
			return nil, errors.New("there are no rows or no centroids")
		}
		for i, row := range in.Rows {
			if len(row) != len(in.Rows[0]) || len(row) == 0 {
				return nil, fmt.Errorf("row %d has %d values, expected %d of at least 1", i, len(row), len(in.Rows[0]))
			}
		}
		l := kmeans.New()
		l.Tolerance, l.Scale, l.Empty = 0, kmeans.Unscaled, kmeans.Keep
		l.From = in.Centroids
		var cols []table.Column
		for k, col := range transposed(in.Rows) {
			cols = append(cols, table.NumColumn(fmt.Sprint("column ", k), 0, col))
		}
		t, err := table.New(cols...)
		if err != nil {
			return nil, err
		}
		found, err := l.Fit(context.Background(), t, rng.Source{})
		if err != nil {
			return nil, err
		}
		m := found.(*kmeans.Model)
		return object{"labels": m.Labels(), "centroids": m.Centroids}, nil
	}),
}
