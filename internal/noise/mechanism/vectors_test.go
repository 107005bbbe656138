package mechanism

import (
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// expect compares with a published figure, to its last digit.
func expect(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %v, expected %v", what, got, want)
	}
}

func ratio(t testing.TB, num, den uint64) Ratio {
	t.Helper()
	return must.Get(NewRatio(num, den))(t)
}

func laplace(t testing.TB, num, den, sensitivity uint64) Laplace {
	t.Helper()
	return must.Get(NewLaplace(ratio(t, num, den), sensitivity))(t)
}

func TestLaws(t *testing.T) {
	for _, c := range []struct {
		num, den                uint64
		p0, p1, variance, upper float64
	}{
		{1, 1, .462117, .170003, 1.841347, 3.319000812206423e-05},
		{1, 2, .244919, .148551, 7.835396, 0.004194097982724283},
		{1, 10, .049958, .045204, 199.8334, 0.1931290501163903},
	} {
		l := laplace(t, c.num, c.den, 1)
		expect(t, "P(0)", l.P(0), c.p0, 5e-7)
		expect(t, "P(1)", l.P(-1), c.p1, 5e-7)
		expect(t, "variance", l.Variance(), c.variance, 5e-5)
		expect(t, "tail", l.Upper(10), c.upper, 1e-12)
		m := l.Within(0.95)
		if 2*l.Upper(m+1) > 0.05 || 2*l.Upper(m) <= 0.05 {
			t.Errorf("epsilon %d/%d: 95 %% within %d", c.num, c.den, m)
		}
	}
	for _, c := range []struct {
		num, den             uint64
		p0, p1, p2, variance float64
	}{
		{1, 1, .398942, .241971, .053991, 0.9999997887677281},
		{4, 1, .199471, .176033, .120985, 4},
		{1, 4, .786571, .106451, .000264, 0.2150126750881385},
	} {
		g := NewGaussian(ratio(t, c.num, c.den))
		expect(t, "P(0)", g.P(0), c.p0, 5e-7)
		expect(t, "P(1)", g.P(1), c.p1, 5e-7)
		expect(t, "P(-2)", g.P(-2), c.p2, 5e-7)
		expect(t, "variance", g.Variance(), c.variance, 1e-9)
		expect(t, "half", g.Upper(0)-g.Upper(1), g.P(0), 1e-12)
	}
	// Above a sigma of 1,000 the tail is a bound; both sides of the border agree.
	below, above := NewGaussian(ratio(t, 1000_000, 1)), NewGaussian(ratio(t, 1000_001, 1))
	for _, k := range []int64{1, 500, 2000, 5000} {
		if a, b := above.Upper(k), below.Upper(k); !(a >= b && a-b <= 2*b/1000+above.P(k)) {
			t.Errorf("P(X >= %d) is %v, and %v above the border", k, b, a)
		}
	}
}

func TestCalibration(t *testing.T) {
	for _, c := range [][3]float64{{1, 1e-5, 3.730632}, {.5, 1e-5, 7.031827}, {.1, 1e-6, 36.304690},
		{2, 1e-6, 2.230476}, {1, 1e-9, 5.495266}, {10, 1e-6, .541087}} {
		sigma := must.Get(AnalyticSigma(c[0], c[1], 1))(t)
		expect(t, "sigma", sigma, c[2], 6e-7)
		twice, _ := AnalyticSigma(c[0], c[1], 2)
		expect(t, "sigma of sensitivity 2", twice, 2*sigma, 1e-9)
		if mu := 1 / sigma; GaussianDelta(mu, c[0]) > c[1] || GaussianDelta(float64(mu*1.0001), c[0]) <= c[1] {
			t.Errorf("%v is not the least sigma for %v", sigma, c)
		}
		expect(t, "epsilon", GaussianEpsilon(1/sigma, c[1]), c[0], 1e-6)
	}
	if s, err := TextbookSigma(1, 1e-5, 1); err != nil || math.Abs(s-4.844805262605389) > 1e-12 {
		t.Errorf("the textbook's sigma is %v, %v", s, err)
	}
	if _, err := TextbookSigma(10, 1e-6, 1); err == nil {
		t.Error("the textbook's formula was taken at an epsilon of 10, where its noise is too little")
	}
	if d := GaussianDelta(1/0.5298802526850473, 10); d < 1.9e-6 {
		t.Errorf("the textbook's noise at epsilon 10 has a delta of %v, expected above 1e-6", d)
	}
	for _, c := range [][4]float64{{.1, 1e-6, 2.450788, 2.141939}, {.5, 1e-6, 5.756522, 5.221534},
		{.02, 1e-5, .979705, .794315}} {
		expect(t, "simple", SimpleEpsilon(c[0], c[1]), c[2], 6e-7)
		expect(t, "tight", TightEpsilon(c[0], c[1]), c[3], 6e-7)
		rho := must.Get(Rho(TightEpsilon(c[0], c[1]), c[1]))(t)
		expect(t, "rho", rho, c[0], 1e-9)
	}
	for _, c := range [][2]float64{{.1, .00017714}, {1, .01497306}, {10, 1.0907857}} {
		rho, _ := Rho(c[0], 1e-9)
		expect(t, "rho", rho, c[1], 6e-8)
	}
	expect(t, "one Gaussian of rho .1", GaussianEpsilon(math.Sqrt(.2), 1e-6), 1.994527, 6e-7)
	expect(t, "ten Gaussians of sigma 10", GaussianEpsilon(math.Sqrt(.1), 1e-6), 1.367571, 6e-7)
	expect(t, "ten pure .1", Advanced(.1, 10, 1e-6), 1.767429, 6e-7)
}

// The discrete Gaussian's own delta is near that of the real-valued one, and never above what its rho implies.
func TestDiscreteDelta(t *testing.T) {
	for _, sigma2 := range []uint64{1, 4, 25, 10_000} {
		g := NewGaussian(ratio(t, sigma2, 1))
		for _, epsilon := range []float64{.1, .5, 1, 3} {
			own, ideal := g.Delta(epsilon, 1), GaussianDelta(1/g.Sigma(), epsilon)
			if math.Abs(own-ideal) > 0.05*ideal+0.3*g.P(int64(epsilon*g.sigma2.Float())) {
				t.Errorf("sigma %v, epsilon %v: delta %v, real-valued noise %v", g.Sigma(), epsilon, own, ideal)
			}
			if own > 0 && TightEpsilon(RhoOfGaussian(1, g.Sigma()), own) < epsilon-1e-9 {
				t.Errorf("sigma %v: rho implies less than epsilon %v at delta %v", g.Sigma(), epsilon, own)
			}
		}
	}
}

func TestResponses(t *testing.T) {
	for _, c := range []struct {
		r       Reports
		p, q, v float64
	}{
		{Responses(2, math.Log(3)), .75, .25, .75},
		{Responses(5, 1), .404610, .148848, 1.936764},
		{Responses(10, 2), .450853, .061016, .376998},
		{Encodings(1), .5, .268941, 3.682694},
		{Encodings(2), .5, .119203, .724062},
	} {
		expect(t, "p", c.r.P, c.p, 6e-7)
		expect(t, "q", c.r.Q, c.q, 6e-7)
		expect(t, "n var", c.r.VarianceOfRare(), c.v, 6e-7)
	}
	share, se := Responses(2, math.Log(3)).Share(400, 1000)
	expect(t, "share", share, .3, 1e-9)
	expect(t, "standard error", se, .030983866769659328, 1e-9)
}

func TestSelectionLaws(t *testing.T) {
	s := must.Get(NewSelection(ratio(t, 1, 1), 1))(t)
	scores := []int64{10, 8, 0}
	for i, want := range []float64{.727475, .267623, .004902} {
		expect(t, "exponential", s.ExponentialLaw(scores)[i], want, 6e-7)
	}
	for i, want := range []float64{.813518, .183527, .002956} {
		expect(t, "permute and flip", s.PermuteAndFlipLaw(scores)[i], want, 6e-7)
	}
	half, _ := NewSelection(ratio(t, 1, 2), 1)
	for i, want := range []float64{0.10403230037811162, 0.35619249653168983, 0.35619249653168983, 0.18358270655850864} {
		expect(t, "permute and flip", half.PermuteAndFlipLaw([]int64{3, 7, 7, 5})[i], want, 1e-12)
	}
}

func TestSamplingAndThresholds(t *testing.T) {
	epsilon, delta := Sampled(1, 1e-6, .01)
	expect(t, "sampled epsilon", epsilon, .01703686323617655, 1e-12)
	expect(t, "sampled delta", delta, 1e-8, 1e-20)
	expect(t, "before sampling", BeforeSampling(.1, .01), 2.4438321761375685, 1e-9)
	for _, c := range []struct {
		den, want   uint64
		delta, real float64
	}{{1, 15, 1e-6, 14.122}, {2, 24, 1e-5, 22.640}} {
		l := laplace(t, 1, c.den, 1)
		expect(t, "threshold", LaplaceThreshold(1/float64(c.den), c.delta), c.real, 6e-4)
		if got := l.Threshold(c.delta, 1, 1); got != int64(c.want) {
			t.Errorf("the threshold is %d, expected %d", got, c.want)
		}
	}
}

func TestRatio(t *testing.T) {
	for text, want := range map[string]Ratio{"0.1": {1, 10}, "1e-6": {1, 1_000_000}, "2": {2, 1}, "6/4": {3, 2},
		".5": {1, 2}} {
		if r, err := ParseRatio(text); err != nil || r != want {
			t.Errorf("%s is %v, %v", text, r, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "1,5", "0x1", "1_000", "inf", "NaN", "1e400", "1/2/3", "1/0", "0.5/2",
		" 1", "1e", "1e-999999999", "0.12345678901234567890"} {
		if r, err := ParseRatio(text); err == nil {
			t.Errorf("%q was read as %v", text, r)
		}
	}
	if r, err := Decimal(0.1); err != nil || r != (Ratio{1, 10}) {
		t.Errorf("0.1 is %v, %v", r, err)
	}
	for _, x := range []float64{math.Pi, 1e-9, 1 / 3.0, 1e15 / 7, 12345.678901234567} {
		lo, err := AtMost(x)
		hi, err2 := AtLeast(x)
		if err != nil || err2 != nil || lo.Float() > x || hi.Float() < x || hi.Float()-lo.Float() > x*0x1p-19 {
			t.Errorf("%v is between %v and %v", x, lo, hi)
		}
	}
	for _, x := range []float64{0, -1, math.NaN(), math.Inf(1), 1e17} {
		if r, err := AtLeast(x); err == nil {
			t.Errorf("%v became %v", x, r)
		}
	}
	if r, err := ratio(t, 1, 10).Over(14); err != nil || r != (Ratio{1, 140}) {
		t.Errorf("a fourteenth of 0.1 is %v, %v", r, err)
	}
	if l := laplace(t, 1, 10, 3); l.Scale() != (Ratio{30, 1}) {
		t.Errorf("the scale for a sensitivity of 3 is %v", l.Scale())
	}
}
