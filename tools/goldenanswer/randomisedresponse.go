package main

import (
	"errors"

	"github.com/dither-data/dither/noisemodel/transition"
)

var randomisedResponse = map[string]answer{
	"warner": on(func(in struct{ Yes, N, P float64 }) (any, error) {
		share, variance, err := transition.EstimateUniform(in.Yes, in.N, 2, in.P)
		return object{"estimate": share, "variance": variance}, err
	}),
	"pram": on(func(in struct {
		P      transition.Matrix
		Counts []float64
	}) (any, error) {
		if len(in.Counts) == 0 {
			return nil, errors.New("there are no counts")
		}
		if err := in.P.Check(len(in.Counts)); err != nil {
			return nil, err
		}
		inverted, err := in.P.Estimate(in.Counts)
		return object{"expected": in.P.Expected(in.Counts), "inverted": inverted}, err
	}),
}
