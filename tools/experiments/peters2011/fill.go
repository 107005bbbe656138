package main

import (
	"context"
	"math"

	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/measure/queryattack"
	"github.com/dither-data/dither/mine/bore"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// fill lets an intruder who has nothing but the release work out by BORE what is critical there, put that into every
// empty cell of its class, and ask again.
func (r *result) fill(ctx context.Context, t, released *table.Table, f *filling, k int, weight float64) error {
	model, err := bore.New().Fit(ctx, released, rng.Source{})
	if err != nil {
		return err
	}
	m := model.(*bore.Model)
	class, cols := released.Cat(m.Class), released.Columns()
	cells, right := 0.0, 0.0
	for c := range m.Columns {
		j := m.Columns[c].Attribute
		truth, guess := m.Columns[c].Cuts.Codes(t.Column(j)), typical(m, c, released)
		codes, numbers := append([]int32{}, cols[j].Cat...), append([]float64{}, cols[j].Num...)
		for i := range released.Rows() {
			if !released.MissingAt(i, j) {
				continue
			}
			critical := m.Critical(c, int(class[i]))
			if truth[i] >= 0 { // it was suppressed
				cells++
				if critical == truth[i] {
					right++
				}
			}
			switch cols[j].Kind {
			case table.Numeric:
				numbers[i] = guess[class[i]]
			case table.Categorical:
				codes[i] = critical
			case table.SetValued: // is not among the columns
			}
		}
		switch cols[j].Kind {
		case table.Numeric:
			cols[j].Num = numbers
		case table.Categorical:
			cols[j].Cat = codes
		case table.SetValued: // is not among the columns
		}
	}
	filled, err := released.WithColumns(cols)
	if err != nil {
		return err
	}
	d, err := r.ask(ctx, t, filled, queryattack.Strict, k)
	if err != nil {
		return err
	}
	f.cells += weight * cells
	f.right += weight * right / max(1, cells)
	f.find += weight * d.Right.Mean
	return nil
}

// typical returns, by class, the median number in its critical bin; NaN for categories.
func typical(m *bore.Model, c int, t *table.Table) []float64 {
	out := make([]float64, len(m.Sizes))
	values := t.Num(m.Columns[c].Attribute)
	for k := range out {
		var in []float64
		for _, v := range values {
			if code := m.Columns[c].Cuts.Code(v); code >= 0 && code == m.Critical(c, k) {
				in = append(in, v)
			}
		}
		out[k] = math.NaN()
		if in != nil {
			out[k] = t.Attr(m.Columns[c].Attribute).Snap(quantile.Of(in).Median)
		}
	}
	return out
}
