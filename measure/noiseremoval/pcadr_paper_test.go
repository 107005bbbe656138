package noiseremoval

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/measure/internal/noisetest"
)

// signal returns 20 attributes with variances 16, 9, 4, 0.25, 0.25, ... in random orthogonal directions, as a root of
// the covariance.
func signal(tail float64) *mat.Dense {
	var qr mat.QR
	qr.Factorize(noisetest.Loadings(20, 20, 1))
	var q mat.Dense
	qr.QTo(&q)
	f := mat.NewDense(20, 20, nil)
	for k := range 20 {
		variance := tail
		if k < 3 {
			variance = []float64{16, 9, 4}[k]
		}
		for j := range 20 {
			f.Set(j, k, math.Sqrt(variance)*q.At(j, k))
		}
	}
	return f
}

// TestErrorFormula compares with s^2 p/m + (sum of the eigenvalues not kept)/m (Huang, Du & Chen 2005), in units of s^2
// = 2.
//
// 20,000 records. The noise kept is p n squared normals, the signal dropped (m-p) n of variance v: their mean squares
// have relative standard errors sqrt(2/(pn)) and sqrt(2/((m-p)n)), at most 0.01 for p or m-p = 1. Estimated directions
// mix: the components beyond p lose to, and take from, those kept at most some m/n = 0.001 of a variance each where the
// gap is large, and more where it is not, for p in the flat tail; but there an exchange of equal variances changes
// nothing. So 5 standard errors and 0.01 bound the relative error by 0.06.
func TestErrorFormula(t *testing.T) {
	const n, m, s2 = 20_000, 20, 2.0
	r := noisetest.Release(noisetest.Draw(n, signal(0.25), 2), noisetest.Identity(m, s2), 3)
	for _, p := range []int{1, 2, 3, 5, 12, 19, 20} {
		want := float64(p) / m
		for k := p; k < m; k++ {
			v := 0.25
			if k < 3 {
				v = []float64{16, 9, 4}[k]
			}
			want += v / s2 / m
		}
		_, d := pcadrTake(t, r, p)
		if got := d.Estimate.RMSE * d.Estimate.RMSE; math.Abs(got/want-1) > 0.06 {
			t.Errorf("%d components: mean square error %v, expected %v", p, got, want)
		}
	}
	// The eigenvalues are 8, 4.5, 2 and 0.125 in units of the noise: the gap after the first is the largest.
	if _, d := pcadrTake(t, r, 0); d.Kept != 1 {
		t.Errorf("%d components are kept of %v", d.Kept, d.Eigenvalues)
	}
}

// TestPCADRCorrelatedNoiseWithstands adds noise of the same variances to data in three of twenty directions,
// independent and correlated like the data: the defence of Huang, Du & Chen 2005.
//
// Noise has half of the data's variance. In units of independent noise the three eigenvalues sum to 2 * 20, and kept
// with p = 3 they leave 3/20 of the noise, an error of 0.39; p < 3 would cost at least the smallest eigenvalue over 20.
// With 2,000 records the mean square of the noise kept has the relative standard error sqrt(2/6000) = 0.02, and what
// estimating the directions adds is below 3 * 2 * 20/2000 / 20 = 0.003 of 0.15; so 0.45, a third more in the mean
// square, is over 10 standard errors away. Correlated noise lies in the three directions that hold the data, with all
// of them kept the estimate is the release, with fewer it loses signal as well: the error is that of the release, 1
// with a standard error below sqrt(2/2000)/2 = 0.016; 0.9 is six of them below.
func TestPCADRCorrelatedNoiseWithstands(t *testing.T) {
	f := mat.DenseCopyOf(signal(0).Slice(0, 20, 0, 3))
	for j := range 20 { // one variance for all three, so that the gap is after the third
		for k, v := range []float64{16, 9, 4} {
			f.Set(j, k, f.At(j, k)/math.Sqrt(v)*3)
		}
	}
	x := noisetest.Draw(2000, f, 2)
	correlated, independent := noisetest.Of(f, 0.5), noisetest.Identity(20, 0)
	for k := range 20 {
		independent.SetSym(k, k, correlated.At(k, k))
	}
	v, d := pcadrTake(t, noisetest.Release(x, independent, 3), 0)
	if v.Parts[0].Score > 0.45 || d.Kept != 3 {
		t.Errorf("independent noise: error %v with %d components kept, expected about 0.39 with 3", v.Parts[0].Score, d.Kept)
	}
	if v, _ := pcadrTake(t, noisetest.Release(x, correlated, 3), 0); v.Parts[0].Score < 0.9 {
		t.Errorf("correlated noise: error %v, expected about 1", v.Parts[0].Score)
	}
}
