package vector

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-12*max(1, math.Abs(a), math.Abs(b)) || a != a && b != b
}

// TestGonum holds everything against gonum, which has another order of sums.
func TestGonum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 70 {
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = r.NormFloat64()+3, r.NormFloat64()-1
		}
		added, to := append([]float64{}, x...), make([]float64, n)
		AddScaled(added, 1.7, y)
		floats.AddScaledTo(to, x, 1.7, y)
		got := map[string][2]float64{
			"sum": {Sum(x), floats.Sum(x)}, "dot": {Dot(x, y), floats.Dot(x, y)},
			"added": {Sum(added), floats.Sum(to)}, "added to": {Sum(AddScaledTo(make([]float64, n), x, 1.7, y)), floats.Sum(to)},
			"distance": {Distance(x, y, 1), floats.Distance(x, y, 1)}, "norm": {Norm(x), floats.Norm(x, 2)},
			"most": {Distance(x, y, math.Inf(1)), floats.Distance(x, y, math.Inf(1))},
		}
		if n > 2 {
			got["log sum"] = [2]float64{LogSumExp(x), floats.LogSumExp(x)}
			got["mean"] = [2]float64{Mean(x), stat.Mean(x, nil)}
			got["variance"] = [2]float64{Variance(x), stat.Variance(x, nil)}
			got["sd"] = [2]float64{StdDev(x), stat.StdDev(x, nil)}
			got["variance of all"] = [2]float64{PopVariance(x), stat.PopVariance(x, nil)}
			got["covariance"] = [2]float64{Covariance(x, y), stat.Covariance(x, y, nil)}
			got["correlation"] = [2]float64{Correlation(x, y), stat.Correlation(x, y, nil)}
			at, slope := Line(x, y)
			at2, slope2 := stat.LinearRegression(x, y, nil, false)
			got["at"], got["slope"] = [2]float64{at, at2}, [2]float64{slope, slope2}
			m, sd := MeanStdDev(x)
			m2, sd2 := PopMeanStdDev(x)
			got["means"], got["sd of all"] = [2]float64{m, m2}, [2]float64{sd2, sd * math.Sqrt(float64(n-1)/float64(n))}
		}
		for name, v := range got {
			if !near(v[0], v[1]) {
				t.Errorf("%s of %d numbers: %v, gonum has %v", name, n, v[0], v[1])
			}
		}
	}
}

// TestOrder pins the order of sums to the bit: another order is another release.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	x, y := make([]float64, 23), make([]float64, 23)
	for i := range x {
		x[i], y[i] = math.Ldexp(r.Float64(), r.IntN(4)), math.Ldexp(r.Float64(), r.IntN(4))
	}
	for n, want := range map[int][2]uint64{
		3:  {0x4018e3d0aabceb8e, 0x4023b991dd9fc629},
		7:  {0x4026c920ab5f10b6, 0x402f25cf2f9fd5ee},
		23: {0x4047088513956d4a, 0x40558988e2abf55c},
	} {
		if got := [2]uint64{math.Float64bits(Sum(x[:n])), math.Float64bits(Dot(x[:n], y[:n]))}; got != want {
			t.Errorf("%d: {%#x, %#x}", n, got[0], got[1])
		}
	}
}

func TestNormOfExtremes(t *testing.T) {
	for _, f := range []float64{1e-200, 1e200} {
		if got := Norm([]float64{3 * f, 4 * f}); !near(got/f, 5) {
			t.Error(got)
		}
	}
}
