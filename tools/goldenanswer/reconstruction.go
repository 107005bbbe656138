package main

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/dither-data/dither/internal/noise/additive"
	"github.com/dither-data/dither/internal/noise/reconstruction"
)

var reconstructions = map[string]answer{
	"reconstruct": on(func(in struct {
		Edges, W   []float64
		Noise      kindOfNoise
		Iterations int
	}) (any, error) {
		l, err := in.Noise.noise()
		if err != nil {
			return nil, err
		}
		o := reconstruction.Options{Kernel: reconstruction.Midpoints, Stop: reconstruction.Never, Rounds: in.Iterations}
		ob, err := reconstruction.Values(in.Edges, in.W, additive.Added{Noise: l}, o)
		if err != nil {
			return nil, err
		}
		r, err := ob.Reconstruct(context.Background(), o)
		if err != nil {
			return nil, err
		}
		return object{"f": r.Shares}, nil
	}),
	"information_loss": on(func(in struct{ F, G []float64 }) (any, error) {
		loss, err := reconstruction.Loss(in.F, in.G)
		return object{"loss": loss}, err
	}),
	"epsilon_gaussian": on(func(in struct {
		Epsilon, Sigma float64
		X, U           []float64
	}) (any, error) {
		n := additive.Holed{Epsilon: in.Epsilon, Sigma: in.Sigma}
		if err := n.Check(); err != nil {
			return nil, err
		}
		a, outside := n.Hole()
		meanAbsolute := 2 * n.Sigma * distuv.UnitNormal.Prob(a) / outside
		quantile := func(u float64) float64 { return -n.Quantile((1 - u) / 2) } // of the absolute noise
		return object{"a": a, "outside": outside, "variance": n.Variance(), "mean_abs": meanAbsolute,
			"density": each(in.X, n.Density), "cdf": each(in.X, n.CDF), "abs_quantile": each(in.U, quantile)}, nil
	}),
	"speedup": on(func(in struct {
		One  float64 `json:"time_1"`
		Many float64 `json:"time_n"`
		N    int
	}) (any, error) {
		s := in.One / in.Many
		return object{"speedup": s, "efficiency": s / float64(in.N)}, nil
	}),
}

// kindOfNoise is a law of noise as the cases write it.
type kindOfNoise struct {
	Kind  string
	Half  float64 `json:"half_width"`
	Sigma float64
}

func (k kindOfNoise) noise() (additive.Noise, error) {
	switch k.Kind {
	case "uniform":
		return additive.Uniform{Half: k.Half}, nil
	case "normal":
		return additive.Normal{Sigma: k.Sigma}, nil
	}
	return nil, fmt.Errorf("noise is %q, expected uniform or normal", k.Kind)
}

func each(x []float64, f func(float64) float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = f(v)
	}
	return out
}
