package uncertainty_test

import (
	_ "embed"
	"testing"

	"github.com/dither-data/dither/internal/noise/additive"
	"github.com/dither-data/dither/internal/noise/uncertainty"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
)

//go:embed testdata/privacy_entropy.json
var golden []byte

// Nai Fovino & Masera 2008, eq. 3.1 and 3.3, on discrete pairs.
func TestEquation33Discrete(t *testing.T) {
	type in struct{ Joint [][]float64 }
	type out struct {
		HX          float64 `json:"h_x"`
		Conditional float64 `json:"h_x_given_y"`
		Privacy     float64 `json:"privacy_x"`
		Remaining   float64 `json:"privacy_x_given_y"`
		Information float64 `json:"mutual_information"`
		Loss        float64 `json:"privacy_loss"`
	}
	for _, c := range protecttest.Cases[in, out](t, golden, "conditional_privacy") {
		f := must.Get((&uncertainty.Joint{Weights: c.Input.Joint}).Figures())(t)
		protecttest.Near(t, c.Name+": entropy", f.Entropy, c.Expected.HX, c.Tolerance.Abs)
		protecttest.Near(t, c.Name+": conditional entropy", f.Conditional(), c.Expected.Conditional, c.Tolerance.Abs)
		protecttest.Near(t, c.Name+": privacy", f.Privacy(), c.Expected.Privacy, c.Tolerance.Abs)
		protecttest.Near(t, c.Name+": conditional privacy", f.Remaining(), c.Expected.Remaining, c.Tolerance.Abs)
		protecttest.Near(t, c.Name+": information", f.Information, c.Expected.Information, c.Tolerance.Abs)
		protecttest.Near(t, c.Name+": loss", f.Loss(), c.Expected.Loss, c.Tolerance.Abs)
	}
}

// Agrawal & Aggarwal 2001, section 2.1, and Nai Fovino & Masera 2008, eq. 3.3: normal noise.
func TestEquation33Normal(t *testing.T) {
	type in struct {
		X     float64 `json:"sd_x"`
		Noise float64 `json:"sd_noise"`
	}
	type out struct {
		Privacy   float64 `json:"privacy_x"`
		Remaining float64 `json:"privacy_x_given_y"`
		Loss      float64 `json:"privacy_loss"`
	}
	for _, c := range protecttest.Cases[in, out](t, golden, "gaussian_privacy") {
		f := uncertainty.Normal(c.Input.X, c.Input.Noise)
		protecttest.Near(t, c.Name+": privacy", f.Privacy(), c.Expected.Privacy, c.Tolerance.Abs)
		protecttest.Near(t, c.Name+": conditional privacy", f.Remaining(), c.Expected.Remaining, c.Tolerance.Abs)
		protecttest.Near(t, c.Name+": loss", f.Loss(), c.Expected.Loss, c.Tolerance.Abs)
	}
}

// Nai Fovino & Masera 2008, eq. 3.3: uniform noise.
func TestEquation33Uniform(t *testing.T) {
	type in struct {
		X     float64 `json:"x_width"`
		Noise float64 `json:"noise_width"`
	}
	type out struct {
		Privacy   float64 `json:"privacy_x"`
		Remaining float64 `json:"privacy_x_given_y"`
	}
	for _, c := range protecttest.Cases[in, out](t, golden, "uniform_privacy") {
		f := uncertainty.Uniform(c.Input.X, c.Input.Noise)
		protecttest.Near(t, c.Name+": privacy", f.Privacy(), c.Expected.Privacy, c.Tolerance.Abs)
		protecttest.Near(t, c.Name+": conditional privacy", f.Remaining(), c.Expected.Remaining, c.Tolerance.Abs)
	}
}

// Agrawal & Srikant 2000, table 1: the privacy of uniform and normal noise at three confidences.
func TestTable1IntervalPrivacy(t *testing.T) {
	type in struct {
		Noise struct {
			Kind  string
			Half  float64 `json:"half_width"`
			Sigma float64
		}
		C float64
	}
	type out struct{ Width float64 }
	for _, c := range protecttest.Cases[in, out](t, golden, "interval_privacy") {
		got := additive.Width(additive.Normal{Sigma: c.Input.Noise.Sigma}, c.Input.C)
		if c.Input.Noise.Kind == "uniform" {
			got = additive.Width(additive.Uniform{Half: c.Input.Noise.Half}, c.Input.C)
		}
		protecttest.Near(t, c.Name+": width", got, c.Expected.Width, c.Tolerance.Abs)
	}
	// The normal row is quoted as 1.34, 3.92 and 6.8 standard deviations; these are the exact multiples.
	for c, want := range map[float64]float64{0.5: 1.349, 0.95: 3.920, 0.999: 6.581} {
		protecttest.Near(t, "normal width", additive.Width(additive.Normal{Sigma: 1}, c), want, 5e-4)
		protecttest.Near(t, "uniform width", additive.Width(additive.Uniform{Half: 3}, c), 6*c, 1e-15)
	}
}
