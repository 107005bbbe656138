package main

import (
	"fmt"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// items are numbers to wrap.
type items struct {
	Items []struct {
		B, L, U float64
		LoOpen  bool `json:"lo_open"`
	}
}

var wrapping = map[string]answer{
	"wrap_integer": on(func(in items) (any, error) {
		out := make([]float64, len(in.Items))
		for i, v := range in.Items {
			out[i] = wrap.Integer(v.B, v.L, v.U)
		}
		return out, nil
	}),
	"wrap_continuous": on(func(in items) (any, error) {
		out := make([]float64, len(in.Items))
		for i, v := range in.Items {
			iv := table.Interval{Lo: v.L, Hi: v.U, OpenLo: v.LoOpen}
			iv.OpenHi = !v.LoOpen && !iv.Contains(v.B) // what is outside a closed domain goes into [l, u)
			d := wrap.On(iv, 0)
			if d.Size() == 0 {
				return nil, fmt.Errorf("item %d: the domain has no values", i)
			}
			inside := d.Clip(v.B)
			out[i] = d.Add(inside, (v.B-inside)/d.Step())
		}
		return out, nil
	}),
	"rnat_kernel": on(func(in struct{ A, D, X int }) (any, error) {
		if in.X < in.A || in.X >= in.A+in.D {
			return nil, fmt.Errorf("x is %d, expected %d to %d", in.X, in.A, in.A+in.D-1)
		}
		row := wrap.Kernel(wrap.UniformLaw(in.D))[in.X-in.A]
		out := make([]object, in.D)
		for y, p := range row {
			out[y] = object{"y": in.A + y, "p": p}
		}
		return object{"probabilities": out}, nil
	}),
}
