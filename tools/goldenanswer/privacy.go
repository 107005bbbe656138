package main

import (
	"github.com/dither-data/dither/internal/noise/additive"
	"github.com/dither-data/dither/internal/noise/uncertainty"
)

var privacyFigures = map[string]answer{
	"conditional_privacy": on(func(in struct{ Joint [][]float64 }) (any, error) {
		f, err := (&uncertainty.Joint{Weights: in.Joint}).Figures()
		if err != nil {
			return nil, err
		}
		return object{
			"h_x":                f.Entropy,
			"h_x_given_y":        f.Conditional(),
			"privacy_x":          f.Privacy(),
			"privacy_x_given_y":  f.Remaining(),
			"mutual_information": f.Information,
			"privacy_loss":       f.Loss(),
		}, nil
	}),
	"gaussian_privacy": on(func(in struct {
		X     float64 `json:"sd_x"`
		Noise float64 `json:"sd_noise"`
	}) (any, error) {
		f := uncertainty.Normal(in.X, in.Noise)
		return object{"privacy_x": f.Privacy(), "privacy_x_given_y": f.Remaining(), "privacy_loss": f.Loss()}, nil
	}),
	"uniform_privacy": on(func(in struct {
		X     float64 `json:"x_width"`
		Noise float64 `json:"noise_width"`
	}) (any, error) {
		f := uncertainty.Uniform(in.X, in.Noise)
		return object{"privacy_x": f.Privacy(), "privacy_x_given_y": f.Remaining()}, nil
	}),
	"interval_privacy": on(func(in struct {
		Noise kindOfNoise
		C     float64
	}) (any, error) {
		n, err := in.Noise.noise()
		if err != nil {
			return nil, err
		}
		return object{"width": additive.Width(n, in.C)}, nil
	}),
}
