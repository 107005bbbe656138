package noiseremoval

import (
	"context"
	"math"
	"math/rand/v2"
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
	"github.com/dither-data/dither/rng"
)

func pcadrTake(t testing.TB, r *measure.Release, components int) (measure.Value, PCADRDetail) {
	t.Helper()
	m := PCADR.New().(*PCADRMeter)
	m.Components = components
	v := must.Get(m.Measure(context.Background(), r, rng.Source{}))(t)
	return v, v.Detail.(PCADRDetail)
}

// pcadrTwin reconstructs the rows of z: the columns are divided by the noise's standard deviations, and the components
// are the left singular vectors of the covariance less that of the noise. It repairs nothing.
func pcadrTwin(z *mat.Dense, noise *mat.SymDense, components int) (estimate *mat.Dense, values []float64, kept int) {
	n, m := z.Dims()
	scaled, corr := mat.NewDense(n, m, nil), mat.NewSymDense(m, nil)
	mean, sd := make([]float64, m), make([]float64, m)
	for k := range m {
		sd[k] = math.Sqrt(noise.At(k, k))
		mean[k] = stat.Mean(mat.Col(nil, k, z), nil)
		for i := range n {
			scaled.Set(i, k, (z.At(i, k)-mean[k])/sd[k])
		}
		for l := range k + 1 {
			corr.SetSym(k, l, noise.At(k, l)/sd[k]/sd[l])
		}
	}
	var cov mat.SymDense
	stat.CovarianceMatrix(&cov, scaled, nil)
	corr.ScaleSym(-1, corr)
	cov.AddSym(&cov, corr)
	var svd mat.SVD
	svd.Factorize(&cov, mat.SVDFull)
	values = svd.Values(nil)
	kept = components
	if kept == 0 {
		kept = 1
		for k := 2; k < m; k++ {
			if values[k-1]-values[k] > values[kept-1]-values[kept] {
				kept = k
			}
		}
	}
	var u, score mat.Dense
	svd.UTo(&u)
	first := u.Slice(0, m, 0, kept)
	score.Mul(scaled, first)
	estimate = mat.NewDense(n, m, nil)
	estimate.Mul(&score, first.T())
	for k := range m {
		for i := range n {
			estimate.Set(i, k, mean[k]+sd[k]*estimate.At(i, k))
		}
	}
	return estimate, values, kept
}

// TestPCADRMeasureEqualsTwin reconstructs random tables with so little noise that nothing needs repair.
func TestPCADRMeasureEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		m := rapid.IntRange(1, 5).Draw(t, "columns")
		n := 10*m + rapid.IntRange(1, 40).Draw(t, "more records")
		components := rapid.IntRange(0, m).Draw(t, "components")
		root := mat.NewDense(m, m, nil)
		for j := range m {
			root.Set(j, j, 1+r.Float64())
			for k := range j {
				root.Set(j, k, r.NormFloat64())
			}
		}
		signal := noisetest.Loadings(m, m, r.Uint64())
		for k := range m {
			signal.Set(k, k, signal.At(k, k)+3)
		}
		noise := noisetest.Of(root, 1e-4)
		rel := noisetest.Release(noisetest.Draw(n, signal, r.Uint64()), noise, r.Uint64())
		z, want := mat.NewDense(n, m, nil), 0.0
		for k := range m {
			z.SetCol(k, rel.Released.Num(k))
		}
		estimate, values, kept := pcadrTwin(z, noise, components)
		for k := range m {
			for i, x := range rel.Original.Num(k) {
				want += math.Pow(estimate.At(i, k)-x, 2) / noise.At(k, k) / float64(n*m)
			}
		}
		meter := &PCADRMeter{Components: components}
		v := must.Get(meter.Measure(context.Background(), rel, rng.Source{}))(t)
		d := v.Detail.(PCADRDetail)
		if values[m-1] < 1e-6*values[0] {
			return // needs repair
		}
		if diff := cmp.Diff(values, d.Eigenvalues, cmpopts.EquateApprox(1e-8, 1e-8)); diff != "" {
			t.Fatal(diff)
		}
		if d.Kept != kept || math.Abs(d.Estimate.RMSE/math.Sqrt(want)-1) > 1e-6 {
			t.Fatalf("kept %d with error %v, expected %d with %v", d.Kept, d.Estimate.RMSE, kept, math.Sqrt(want))
		}
	})
}

func TestLargestGap(t *testing.T) {
	for _, c := range []struct {
		values []float64
		kept   int
	}{
		{[]float64{5}, 1}, {[]float64{5, 5}, 1}, {[]float64{9, 8, 1, 0.5}, 2}, {[]float64{9, 1, 0.9}, 1},
		{[]float64{9, 7, 5}, 1},
		{[]float64{3, 3, 3, 0}, 3},
	} {
		if got := largestGap(c.values); got != c.kept {
			t.Errorf("%v: %d are kept, expected %d", c.values, got, c.kept)
		}
	}
}

func TestPCADRRefusals(t *testing.T) {
	if _, err := PCADRKeep(noisetest.Identity(3, 1), 4); err == nil ||
		!strings.Contains(err.Error(), "components=4, but only 3") {
		t.Errorf("four components of three columns: %v", err)
	}
}
