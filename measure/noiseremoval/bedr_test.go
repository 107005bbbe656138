package noiseremoval

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/noisetest"
	"github.com/dither-data/dither/rng"
)

func bedrTake(t testing.TB, r *measure.Release) (measure.Value, BEDRDetail) {
	t.Helper()
	v := must.Get(BEDR.New().Measure(context.Background(), r, rng.Source{}))(t)
	return v, v.Detail.(BEDRDetail)
}

// covariance returns a random positive definite matrix.
func covariance(r *rand.Rand, m int) *mat.SymDense {
	root := mat.NewDense(m, m, nil)
	for j := range m {
		root.Set(j, j, 1+r.Float64())
		for k := range j {
			root.Set(j, k, r.NormFloat64())
		}
	}
	return noisetest.Of(root, 1)
}

// bedrTwin returns the sum over cells of the squared error in units of the noise: (C - R) C^-1 (z - mean) with an
// explicit inverse, in the columns' own units, and the same with the variances only. Ok is false when C - R is not
// positive definite.
func bedrTwin(x, z *mat.Dense, noise *mat.SymDense) (be, udr float64, ok bool) {
	n, m := z.Dims()
	var c, left mat.SymDense
	stat.CovarianceMatrix(&c, z, nil)
	left.ScaleSym(-1, noise)
	left.AddSym(&left, &c)
	var chol mat.Cholesky
	if !chol.Factorize(&left) || chol.Cond() > 1e6 {
		return 0, 0, false
	}
	var inv, gain mat.Dense
	if inv.Inverse(&c) != nil {
		return 0, 0, false
	}
	gain.Mul(&left, &inv)
	mean := make([]float64, m)
	for k := range m {
		mean[k] = stat.Mean(mat.Col(nil, k, z), nil)
	}
	for i := range n {
		for k := range m {
			guess := mean[k]
			for l := range m {
				guess += gain.At(k, l) * (z.At(i, l) - mean[l])
			}
			be += math.Pow(guess-x.At(i, k), 2) / noise.At(k, k)
			guess = mean[k] + max(0, left.At(k, k))/c.At(k, k)*(z.At(i, k)-mean[k])
			udr += math.Pow(guess-x.At(i, k), 2) / noise.At(k, k)
		}
	}
	return be, udr, true
}

// TestBEDRMeasureEqualsTwin reconstructs random tables.
func TestBEDRMeasureEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		m := rapid.IntRange(1, 5).Draw(t, "columns")
		n := 10*m + rapid.IntRange(1, 40).Draw(t, "more records")
		noise := covariance(r, m)
		noise.ScaleSym(rapid.SampledFrom([]float64{0.01, 0.1, 1}).Draw(t, "noise"), noise)
		rel := noisetest.Release(noisetest.Draw(n, covariance(r, m), r.Uint64()), noise, r.Uint64())
		x, z := mat.NewDense(n, m, nil), mat.NewDense(n, m, nil)
		for k := range m {
			x.SetCol(k, rel.Original.Num(k))
			z.SetCol(k, rel.Released.Num(k))
		}
		be, udr, ok := bedrTwin(x, z, noise)
		v := must.Get((&BEDRMeter{}).Measure(context.Background(), rel, rng.Source{}))(t)
		d := v.Detail.(BEDRDetail)
		if !ok {
			return // needs repair
		}
		if want := math.Sqrt(be / float64(n*m)); math.Abs(d.Estimate.RMSE/want-1) > 1e-8 {
			t.Fatalf("BE-DR: error %v, expected %v", d.Estimate.RMSE, want)
		}
		if want := math.Sqrt(udr / float64(n*m)); math.Abs(d.UDR.RMSE/want-1) > 1e-8 || v.Parts[3].Score != d.UDR.RMSE {
			t.Fatalf("UDR: error %v, part %v, expected %v", d.UDR.RMSE, v.Parts[3], want)
		}
	})
}

// TestBestLinear compares the expected error of the gain, the trace of (I-G) Sx (I-G)' + G Sr G', with that of other
// gains nearby: none is smaller.
func TestBestLinear(t *testing.T) {
	expected := func(gain *mat.Dense, x, e mat.Symmetric) float64 {
		m := x.SymmetricDim()
		var rest, half, lost, left mat.Dense
		rest.Sub(noisetest.Identity(m, 1), gain)
		half.Mul(&rest, x)
		lost.Mul(&half, rest.T())
		half.Reset()
		half.Mul(gain, e)
		left.Mul(&half, gain.T())
		return mat.Trace(&lost) + mat.Trace(&left)
	}
	long.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		m := rapid.IntRange(1, 5).Draw(t, "columns")
		x, e := covariance(r, m), covariance(r, m)
		gain := must.Get(Gain(x, e))(t)
		best := expected(gain, x, e)
		for range 5 {
			other := mat.DenseCopyOf(gain)
			other.Apply(func(_, _ int, v float64) float64 { return v + 0.01*r.NormFloat64() }, other)
			if worse := expected(other, x, e); worse < best*(1-1e-12) {
				t.Fatalf("another gain has the expected error %v, below %v", worse, best)
			}
		}
	})
}

// TestSingular has two equal columns with the same noise: the pseudo-inverse shrinks both alike.
func TestSingular(t *testing.T) {
	x, e := mat.NewSymDense(2, []float64{3, 3, 3, 3}), mat.NewSymDense(2, []float64{1, 1, 1, 1})
	gain := must.Get(Gain(x, e))(t)
	var got mat.VecDense
	got.MulVec(gain, mat.NewVecDense(2, []float64{1, 1}))
	if math.Abs(got.AtVec(0)-0.75) > 1e-12 || math.Abs(got.AtVec(1)-0.75) > 1e-12 {
		t.Errorf("(1, 1) is shrunk to %v, expected 0.75 times", got.RawVector().Data)
	}
}

func TestUnivariateGain(t *testing.T) {
	z := mat.NewSymDense(3, []float64{4, 1, 1, 1, 1, 0, 1, 0, 0.5})
	if got := UnivariateGain(z, noisetest.Identity(3, 1)); got.At(0, 0) != 0.75 || got.At(1, 1) != 0 || got.At(2, 2) != 0 {
		t.Errorf("gain %v", mat.Formatted(got))
	}
}
