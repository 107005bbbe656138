package noiseremoval

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure/internal/noisetest"
)

// TestBEDRCorrelatedNoiseWithstands adds noise of variance d = 1/2 of the data's to 2,000 records of data in three of
// thirty directions, independent and correlated like the data: the defence of Huang, Du & Chen 2005. UDR leaves 1/(1+d)
// of the noise's variance in both cases, an error of 0.816.
//
// Independent noise: in units of the noise the data's three eigenvalues are some 20, of which BE-DR leaves 20/21 each,
// so an error of sqrt(3 * 20/21 / 30) = 0.31. With estimated covariances it also follows the noise in the other
// directions, where the estimated signal is the positive part of a sample eigenvalue less 1, below (1 +
// sqrt(30/2000))^2 - 1 = 0.26 and half of that on average; its square, times 27/30, adds below 0.05 to the mean square.
// So 0.4 is a bound: sqrt(0.095 + 0.05) = 0.38 and 5 standard errors of 0.095 sqrt(2/6000) in the mean square.
//
// Correlated noise: BE-DR is UDR, both shrink by 1/(1+d), but for the estimated covariances: their 3 x 3 entries have
// relative errors of some sqrt(2/2000) = 0.03, which enter the error in the second order: below 0.01 of it.
func TestBEDRCorrelatedNoiseWithstands(t *testing.T) {
	f := noisetest.Loadings(30, 3, 1)
	x := noisetest.Draw(2000, f, 2)
	correlated, independent := noisetest.Of(f, 0.5), noisetest.Identity(30, 0)
	for k := range 30 {
		independent.SetSym(k, k, correlated.At(k, k))
	}
	v, d := bedrTake(t, noisetest.Release(x, independent, 3))
	udr := math.Sqrt(1 / 1.5)
	// The mean square of UDR's error is over 60,000 cells of three independent signals and as many noises: 0.03 is over 5
	// standard errors of n = 2000.
	if v.Parts[0].Score > 0.4 || math.Abs(d.UDR.RMSE-udr) > 0.03 {
		t.Errorf("independent noise: BE-DR %v, UDR %v, expected about 0.31 and %v", v.Parts[0].Score, d.UDR.RMSE, udr)
	}
	v, d = bedrTake(t, noisetest.Release(x, correlated, 3))
	if math.Abs(v.Parts[0].Score/d.UDR.RMSE-1) > 0.01 || math.Abs(d.UDR.RMSE-udr) > 0.06 {
		t.Errorf("correlated noise: BE-DR %v, UDR %v, expected %v", v.Parts[0].Score, d.UDR.RMSE, udr)
	}
}

// TestEstimatesCovariance has the covariance of the original from the released one: with 50,000 records BE-DR comes
// within a hundredth of the error that it has with the true covariances, the trace of Sx - Sx (Sx+Sr)^-1 Sx in units of
// the noise.
//
// The mean square over n records and 6 attributes has the relative standard error sqrt(2/50000) = 0.0063 at most, half
// of that in the root; what the 21 estimated entries cost is of the order 21/50000. So 0.02 is over 5 standard errors.
func TestEstimatesCovariance(t *testing.T) {
	f := noisetest.Loadings(6, 6, 4)
	x, e := noisetest.Of(f, 1), noisetest.Identity(6, 0.7)
	gain := must.Get(Gain(x, e))(t)
	var explained mat.Dense
	explained.Mul(gain, x)
	want := math.Sqrt((mat.Trace(x) - mat.Trace(&explained)) / 0.7 / 6)
	if _, d := bedrTake(t, noisetest.Release(noisetest.Draw(50_000, f, 5), e, 6)); math.Abs(
		d.Estimate.RMSE/want-1,
	) > 0.02 {
		t.Errorf("error %v, expected %v", d.Estimate.RMSE, want)
	}
}

// TestUnchangedColumn adds noise of variance 1/4 to X, of variance 1, that has the correlation 0.99 with S, which is
// released as it is. The best linear estimate given both leaves v/4 / (v + 1/4) with v = 1 - 0.99^2, an error of 0.272
// standard deviations of the noise; UDR, which looks at X only, leaves 1/1.25 of the noise's variance, an error of
// 0.894.
//
// The mean squares over 5,000 records have relative standard errors of sqrt(2/5000) = 0.02, half of it in the root:
// 0.05 is 5 of them.
func TestUnchangedColumn(t *testing.T) {
	const n = 5000
	u := noisetest.Draw(n, mat.NewDense(2, 2, []float64{1, 0, 0.99, math.Sqrt(1 - 0.99*0.99)}), 1)
	r := noisetest.Beside(noisetest.Release(u[:1], noisetest.Identity(1, 0.25), 2), u[1:])
	v, d := bedrTake(t, r)
	left := 1 - 0.99*0.99
	if want := math.Sqrt(left / (left + 0.25)); math.Abs(v.Parts[0].Score/want-1) > 0.05 ||
		math.Abs(d.UDR.RMSE/math.Sqrt(1/1.25)-1) > 0.05 {
		t.Errorf("BE-DR %v, expected %v; UDR %v, expected %v", v.Parts[0].Score, want, d.UDR.RMSE, math.Sqrt(1/1.25))
	}
}
