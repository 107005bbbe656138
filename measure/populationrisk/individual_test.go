package populationrisk

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/combin"
)

// TestIndividualIsTheExpectation sums 1/h over the negative binomial law.
func TestIndividualIsTheExpectation(t *testing.T) {
	for _, f := range []int{1, 2, 3, 4, 10, 49, 50, 51, 200} {
		for _, p := range []float64{0.05, 0.3, 0.49, 0.5, 0.51, 0.9, 0.999} {
			want := 0.0
			for h := f; h < f+40*int(float64(f)/p+50); h++ {
				law := combin.LogGeneralizedBinomial(
					float64(h-1),
					float64(f-1),
				) + float64(f)*math.Log(p) + float64(h-f)*math.Log1p(-p)
				want += math.Exp(law) / float64(h)
			}
			// The logarithm of the binomial coefficient has an error of 1e-16 of its size, up to 1e4.
			if got := Individual(f, p); math.Abs(got/want-1) > 1e-10 {
				t.Errorf("f = %d, p = %v: %v, expected %v", f, p, got, want)
			}
		}
	}
}

// TestIndividualIsTheIntegral takes p int_0^1 u^(f-1) / (p + (1-p) u) du by Gauss-Legendre, on both sides of where the
// recursion hands over to the series.
func TestIndividualIsTheIntegral(t *testing.T) {
	for _, f := range []int{3, 7, 50, 51, 1000} {
		for _, p := range []float64{0.5 - 1e-12, 0.5, 0.2, 1e-2} {
			want := quad.Fixed(func(u float64) float64 { return p * math.Pow(u, float64(f-1)) / (p + (1-p)*u) }, 0, 1, 2000,
				nil, 0)
			if got := Individual(f, p); math.Abs(got/want-1) > 1e-11 {
				t.Errorf("f = %d, p = %v: %v, expected %v", f, p, got, want)
			}
		}
	}
}

// Franconi & Polettini 2004: the closed forms for f = 1 and 2, and the ends: the whole population in the sample, hardly
// anyone.
func TestClosedForms(t *testing.T) {
	for _, p := range []float64{1e-6, 0.001, 0.1, 0.4999, 0.5, 0.7, 0.99} {
		q := 1 - p
		one := p / q * math.Log(1/p)
		two := p/q - p*p/(q*q)*math.Log(1/p)
		if got := Individual(1, p); math.Abs(got/one-1) > 1e-12 {
			t.Errorf("f = 1, p = %v: %v, expected %v", p, got, one)
		}
		if got := Individual(2, p); math.Abs(got/two-1) > 1e-11 {
			t.Errorf("f = 2, p = %v: %v, expected %v", p, got, two)
		}
	}
	for _, f := range []int{1, 2, 3, 100, 1_000_000} {
		if got := Individual(f, 1); got != 1/float64(f) {
			t.Errorf("f = %d, p = 1: %v, expected 1/f", f, got)
		}
		if got := Individual(f, 1.5); got != 1/float64(f) {
			t.Errorf("f = %d, p = 1.5: %v, expected 1/f", f, got)
		}
		for _, p := range []float64{1e-300, 1e-9, 0.3, 0.6} {
			if got := Individual(f, p); !(got >= p/float64(f) && got <= 1/float64(f)) {
				t.Errorf("f = %d, p = %v: %v is not between p/f and 1/f", f, p, got)
			}
		}
	}
}
