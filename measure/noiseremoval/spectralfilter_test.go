package noiseremoval

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/noisetest"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/rng"
)

// spectralTake measures with the defaults but for what set says.
func spectralTake(t testing.TB, r *measure.Release, set map[string]string) (measure.Value, SpectralDetail) {
	t.Helper()
	m := Spectral.New()
	must.NoError(t, m.Params().Apply(set))
	v := must.Get(m.Measure(context.Background(), r, rng.Source{}))(t)
	return v, v.Detail.(SpectralDetail)
}

// spectralTwin filters the rows of z by the singular value decomposition of the table, whose squared singular values
// over n are the eigenvalues of the covariance, and its right vectors the eigenvectors. Correlated noise is whitened by
// its Cholesky factor.
func spectralTwin(
	z *mat.Dense,
	noise *mat.SymDense,
	keep SpectralKeep,
) (estimate *mat.Dense, values []float64, kept int) {
	n, m := z.Dims()
	var ch mat.Cholesky
	if !ch.Factorize(noise) {
		panic("the noise is singular")
	}
	var l, inv mat.Dense
	var lower mat.TriDense
	ch.LTo(&lower)
	l.CloneFrom(&lower)
	if err := inv.Inverse(&l); err != nil {
		panic(err)
	}
	centred := mat.NewDense(n, m, nil)
	for k := range m {
		mean := stat.Mean(mat.Col(nil, k, z), nil)
		for i := range n {
			centred.Set(i, k, z.At(i, k)-mean)
		}
	}
	var white, v, part mat.Dense
	white.Mul(centred, inv.T())
	var svd mat.SVD
	svd.Factorize(&white, mat.SVDThin)
	svd.VTo(&v)
	q := math.Sqrt(float64(n) / float64(m))
	estimate = mat.NewDense(n, m, nil)
	for k, s := range svd.Values(nil) {
		value := s * s / float64(n)
		values = append(values, value)
		if noisy := value <= math.Pow(1+1/q, 2) && (keep == Above || value >= math.Pow(1-1/q, 2)); noisy {
			continue
		}
		kept++
		var score mat.VecDense
		score.MulVec(&white, v.ColView(k))
		part.Outer(1, &score, v.ColView(k))
		estimate.Add(estimate, &part)
	}
	var back mat.Dense
	back.Mul(estimate, l.T())
	back.Add(&back, z)
	back.Sub(&back, centred)
	return &back, values, kept
}

// TestFilterEqualsTwin filters random tables under random noise, independent and correlated.
func TestFilterEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		m := rapid.IntRange(1, 5).Draw(t, "columns")
		n := m + rapid.IntRange(1, 40).Draw(t, "more records")
		keep := rapid.SampledFrom([]SpectralKeep{Outside, Above}).Draw(t, "keep")
		root := mat.NewDense(m, m, nil)
		for j := range m {
			root.Set(j, j, 1+r.Float64())
			for k := range j {
				root.Set(j, k, r.NormFloat64())
			}
		}
		noise := noisetest.Of(root, 0.5)
		rel := noisetest.Release(noisetest.Draw(n, noisetest.Loadings(m, m, r.Uint64()), r.Uint64()), noise, r.Uint64())
		z, x := matrix(rel, true), matrix(rel, false)
		estimate, values, kept := spectralTwin(z, noise, keep)
		want := 0.0
		for i := range n {
			for k := range m {
				want += math.Pow(estimate.At(i, k)-x.At(i, k), 2) / noise.At(k, k) / float64(n*m)
			}
		}
		meter := &SpectralMeter{Keep: keep}
		v := must.Get(meter.Measure(context.Background(), rel, rng.Source{}))(t)
		d := v.Detail.(SpectralDetail)
		if diff := cmp.Diff(values, d.Eigenvalues, cmpopts.EquateApprox(1e-8, 1e-8)); diff != "" {
			t.Fatal(diff)
		}
		if d.Kept != kept || math.Abs(d.Estimate.RMSE-math.Sqrt(want)) > 1e-8 {
			t.Fatalf("kept %d with error %v, expected %d with %v", d.Kept, d.Estimate.RMSE, kept, math.Sqrt(want))
		}
	})
}

// matrix returns the released or the original values of a release without gaps.
func matrix(r *measure.Release, released bool) *mat.Dense {
	t := r.Original
	if released {
		t = r.Released
	}
	out := mat.NewDense(t.Rows(), t.Width(), nil)
	for k := range t.Width() {
		out.SetCol(k, t.Num(k))
	}
	return out
}

// TestUnits multiplies columns by constants: nothing changes but the standard deviations of the noise.
func TestUnits(t *testing.T) {
	r := noisetest.Release(noisetest.Draw(200, noisetest.Loadings(4, 2, 1), 2), noisetest.Identity(4, 0.3), 3)
	units := []float64{1, 1000, 0.01, 7}
	x, z := make([][]float64, 4), make([][]float64, 4)
	cov := mat.NewSymDense(4, nil)
	for k, u := range units {
		cov.SetSym(k, k, 0.3*u*u)
		for i := range 200 {
			x[k], z[k] = append(x[k], u*r.Original.Num(k)[i]), append(z[k], u*r.Released.Num(k)[i])
		}
	}
	scaled := &measure.Release{Original: noisetest.Table(x), Released: noisetest.Table(z), Paired: true,
		Making: measure.Making{
			Mechanisms: []noisemodel.Mechanism{noisetest.Noise{Names: []string{"x0", "x1", "x2", "x3"}, Cov: cov}},
		}}
	v, d := spectralTake(t, r, nil)
	w, e := spectralTake(t, scaled, nil)
	if math.Abs(w.Score/v.Score-1) > 1e-9 {
		t.Errorf("scores %v and %v", v.Score, w.Score)
	}
	if diff := cmp.Diff(v.Parts, w.Parts, cmpopts.EquateApprox(1e-9, 1e-9)); diff != "" {
		t.Error(diff)
	}
	if math.Abs(e.NoiseSD[1]/d.NoiseSD[1]-1000) > 1e-9 {
		t.Errorf("standard deviations of the noise %v and %v", d.NoiseSD, e.NoiseSD)
	}
}

// TestSingularNoise has noise in the direction (1, 1) only: the difference of the columns is released as it is and
// kept, and the sum is noise and goes.
func TestSingularNoise(t *testing.T) {
	const n = 500
	r := rand.New(rand.NewPCG(1, 2))
	x, z := make([][]float64, 2), make([][]float64, 2)
	for range n {
		u, e := 5*r.NormFloat64(), r.NormFloat64()
		x[0], x[1] = append(x[0], u), append(x[1], -u)
		z[0], z[1] = append(z[0], u+e), append(z[1], -u+e)
	}
	rel := &measure.Release{Original: noisetest.Table(x), Released: noisetest.Table(z), Paired: true,
		Making: measure.Making{Mechanisms: []noisemodel.Mechanism{
			noisetest.Noise{Names: []string{"x0", "x1"}, Cov: mat.NewSymDense(2, []float64{1, 1, 1, 1})},
		}}}
	v, d := spectralTake(t, rel, nil)
	// Only the mean of n standard normals of noise is left, below 4/sqrt(n) but once in 15,000 times.
	if len(d.Eigenvalues) != 1 || d.Kept != 0 || v.Parts[0].Score > 4/math.Sqrt(n) {
		t.Errorf("eigenvalues %v, kept %d, error %v", d.Eigenvalues, d.Kept, v.Parts[0].Score)
	}
}

// TestFewRecords has as many records as columns: the lower bound is 0, and the eigenvalue 0 that every centred table of
// so few records has is not below it.
func TestFewRecords(t *testing.T) {
	for seed := range uint64(20) {
		_, d := spectralTake(t,
			noisetest.Release(noisetest.Draw(4, noisetest.Loadings(4, 4, seed), seed), noisetest.Identity(4, 1), seed), nil)
		if d.Lower != 0 || d.Eigenvalues[3] < 0 || d.Eigenvalues[3] > 1e-9 {
			t.Fatalf("lower bound %v, eigenvalues %v", d.Lower, d.Eigenvalues)
		}
		for _, v := range d.Eigenvalues[:d.Kept] {
			if v <= d.Upper {
				t.Errorf("%d of %v are kept, with bounds 0 and %v", d.Kept, d.Eigenvalues, d.Upper)
			}
		}
	}
}

// TestSpectralRefusals has fewer records than columns, and no noise at all.
func TestSpectralRefusals(t *testing.T) {
	one := noisetest.Identity(3, 1)
	if _, err := New(one, one, 2, Outside); err == nil || !strings.Contains(err.Error(), "found 2 for 3") {
		t.Errorf("two records of three columns: %v", err)
	}
	if _, err := New(one, mat.NewSymDense(3, nil), 9, Outside); err == nil {
		t.Error("noise of variance 0 is taken out")
	}
}

// TestClipped has values in [0, 1], some on its ends, and more noise than data, clipped to [0, 1]: released values vary
// less than the noise. Without data in any direction the mean is the guess, whose error is the data's standard
// deviation; the release's is larger.
func TestClipped(t *testing.T) {
	const n, sigma = 3000, 0.5
	x := noisetest.Draw(n, noisetest.Identity(4, 0.2), 1)
	for _, c := range x {
		for i, v := range c {
			c[i] = min(1, max(0, 0.5+v))
		}
	}
	r := noisetest.Release(x, noisetest.Identity(4, sigma*sigma), 2)
	var z [][]float64
	for k := range 4 {
		z = append(z, slices.Clone(r.Released.Num(k)))
		for i, v := range z[k] {
			z[k][i] = min(1, max(0, v))
		}
	}
	r = &measure.Release{
		Original: r.Original,
		Released: noisetest.Table(z),
		Paired:   true,
		Making:   measure.Making{Mechanisms: r.Mechanisms},
	}
	printed, d := spectralTake(t, r, map[string]string{"keep": Outside})
	if d.Kept != 4 || d.Below != 4 ||
		!strings.Contains(strings.Join(message.Written(printed.Notes), "; "), "taken as data: 4") {
		t.Errorf("outside: %d kept, %d below, notes %q", d.Kept, d.Below, printed.Notes)
	}
	v, d := spectralTake(t, r, nil)
	// Data of standard deviation 0.2, clipped at 2.5 of them, have an error of 0.4 standard deviations of the noise, with
	// a relative standard error of 1/sqrt(2 * 12000) = 0.0065: 0.02 is over 5 of them and what clipping changes. In their
	// own standard deviations it is 1 but for what the mean of the released values is off, below 0.02 too: the score is
	// near its cap.
	if e := v.Parts[0].Score; math.Abs(e-0.4) > 0.02 || e > printed.Parts[0].Score-0.1 || v.Score < 0.98 || d.Kept != 0 ||
		!strings.Contains(strings.Join(message.Written(v.Notes), "; "), "taken as noise: 4") {
		t.Errorf("score %v, %v as printed, %d kept, notes %q", v.Score, printed.Score, d.Kept, v.Notes)
	}
}
