package noiseremoval

import (
	_ "embed"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/noisetest"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect/protecttest"
)

//go:embed testdata/spectral_filter.json
var cases []byte

// TestWorkedExamples measures the tables of the worked examples (Islam 2007, section 3.2.2). Their figures are in the
// columns' own unit, ours in standard deviations of the noise.
func TestWorkedExamples(t *testing.T) {
	type in struct {
		Perturbed, Original [][]float64
		Sigma               float64
	}
	type out struct {
		Min         float64 `json:"lambda_min"`
		Max         float64 `json:"lambda_max"`
		Eigenvalues []float64
		Kept        int
		Perturbed   float64 `json:"rmse_perturbed"`
		Filtered    float64 `json:"rmse_filtered"`
	}
	for _, c := range protecttest.Cases[in, out](t, cases, "spectral_filter") {
		variance := c.Input.Sigma * c.Input.Sigma
		m := len(c.Input.Original[0])
		x, z := noisetest.Table(columns(c.Input.Original)), noisetest.Table(columns(c.Input.Perturbed))
		r := &measure.Release{Original: x, Released: z, Paired: true}
		n := noisetest.Noise{Cov: noisetest.Identity(m, variance)}
		for _, a := range r.Original.Attrs() {
			n.Names = append(n.Names, a.Name)
		}
		r.Mechanisms = []noisemodel.Mechanism{n}
		v, d := spectralTake(t, r, map[string]string{"keep": Outside})
		got := out{
			variance * d.Lower,
			variance * d.Upper,
			nil,
			d.Kept,
			c.Input.Sigma * d.Released.RMSE,
			c.Input.Sigma * v.Parts[0].Score,
		}
		for _, e := range d.Eigenvalues {
			got.Eigenvalues = append(got.Eigenvalues, variance*e)
		}
		if diff := cmp.Diff(c.Expected, got, cmpopts.EquateApprox(1e-8, 1e-8)); diff != "" {
			t.Errorf("%s: %s", c.Name, diff)
		}
	}
}

func columns(rows [][]float64) [][]float64 {
	cols := make([][]float64, len(rows[0]))
	for _, row := range rows {
		for k, v := range row {
			cols[k] = append(cols[k], v)
		}
	}
	return cols
}

// factors returns a signal in three of thirty directions, of variances 30, 20 and 10 there, and 2,000 records of it.
func factors(t *testing.T) (f *mat.Dense, x [][]float64) {
	t.Helper()
	var qr mat.QR
	qr.Factorize(noisetest.Loadings(30, 3, 1))
	var q mat.Dense
	qr.QTo(&q)
	f = mat.NewDense(30, 3, nil)
	for k, variance := range []float64{30, 20, 10} {
		for j := range 30 {
			f.Set(j, k, math.Sqrt(variance)*q.At(j, k))
		}
	}
	return f, noisetest.Draw(2000, f, 2)
}

// TestRankThree has 2,000 records of 30 attributes, of which three directions are data, under independent noise of
// variance 1. Three eigenvalues are kept, and of the noise a share of 3/30 stays, so that the mean square error is near
// 0.10 (Kargupta et al. 2003).
//
// The noise in the three directions is 3 * 2000 squared normals over 30 * 2000 cells: its mean square has the standard
// error 0.1 sqrt(2/6000) = 0.0018. Estimating the directions costs at most about m/n = 0.015 of a noise variance for
// each in signal lost and as much in noise followed, 0.003 over 30 attributes. So 0.012 is 5 standard errors and that:
// one false alarm in a million. That no eigenvalue of the noise leaves the bounds, which hold in the limit, is true for
// some nine seeds in ten and for this one.
func TestRankThree(t *testing.T) {
	_, x := factors(t)
	v, d := spectralTake(t, noisetest.Release(x, noisetest.Identity(30, 1), 3), nil)
	if d.Kept != 3 {
		t.Errorf("%d eigenvalues are kept, expected 3", d.Kept)
	}
	if mse := v.Parts[0].Score * v.Parts[0].Score; math.Abs(mse-0.1) > 0.012 {
		t.Errorf("the mean square error is %v, expected about 0.10", mse)
	}
}

// TestSpectralCorrelatedNoiseWithstands adds noise of the same variances, independent and correlated like the data (Kim
// 1986), both half of the data's.
//
// In units of independent noise the data's eigenvalues sum to 30/d = 60 over three directions, so these stand out and a
// share 3/30 of the noise stays: an error of sqrt(0.1) = 0.32; 0.40 leaves room for half as much again in the mean
// square, over ten times what TestRankThree derives. Correlated noise of covariance d Sx whitens data and noise alike:
// all eigenvalues are 1 + 1/d = 3 in expectation, with relative standard errors of about sqrt(2/2000) = 0.03, so none
// is near the upper bound (1 + sqrt(3/2000))^2 = 1.08, all are kept and the estimate is the release.
func TestSpectralCorrelatedNoiseWithstands(t *testing.T) {
	f, x := factors(t)
	correlated, independent := noisetest.Of(f, 0.5), noisetest.Identity(30, 0)
	for k := range 30 {
		independent.SetSym(k, k, correlated.At(k, k))
	}
	v, d := spectralTake(t, noisetest.Release(x, independent, 3), nil)
	if v.Parts[0].Score > 0.4 || d.Kept != 3 {
		t.Errorf("independent noise: error %v with %d eigenvalues kept, expected about 0.32 with 3", v.Parts[0].Score, d.Kept)
	}
	v, d = spectralTake(t, noisetest.Release(x, correlated, 3), nil)
	if math.Abs(v.Parts[0].Score/d.Released.RMSE-1) > 1e-6 || d.Kept != 3 || len(d.Eigenvalues) != 3 {
		t.Errorf("correlated noise: error %v of %v with %d of %d eigenvalues kept; expected that of the release",
			v.Parts[0].Score, d.Released.RMSE, d.Kept, len(d.Eigenvalues))
	}
}
