package confidence

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s is %v, expected %v", what, got, want)
	}
}

// TestMean compares with the textbook: mean 3, standard deviation sqrt(14/3), half of a population of 8.
func TestMean(t *testing.T) {
	mean, lo, hi := Mean([]float64{1, 2, 3, 6}, 8)
	half := 1.959963984540054 * math.Sqrt(14.0/3/4*0.5)
	near(t, "mean", mean, 3)
	near(t, "lower end", lo, 3-half)
	near(t, "upper end", hi, 3+half)
	if mean, lo, hi := Mean([]float64{1, 2, 3, 6}, 4); mean != 3 || lo != 3 || hi != 3 {
		t.Errorf("a whole population has %v in %v to %v", mean, lo, hi)
	}
	if mean, lo, hi := Mean([]float64{1, math.NaN(), 3}, 3); mean != 2 || lo != 2 || hi != 2 {
		t.Errorf("a population with a value missing has %v in %v to %v", mean, lo, hi)
	}
	if mean, lo, hi := Mean([]float64{5}, 9); mean != 5 || !math.IsInf(lo, -1) || !math.IsInf(hi, 1) {
		t.Errorf("one value has %v in %v to %v", mean, lo, hi)
	}
	if mean, lo, hi := Mean([]float64{math.NaN()}, 9); mean == mean || lo == lo || hi == hi {
		t.Errorf("no value has %v in %v to %v", mean, lo, hi)
	}
}

// TestCoverage draws 2,000 samples of 60 from a population of 150: 95 % of the intervals hold the mean. The bound is
// five standard errors, sqrt(0.95 0.05/2000) = 0.0049, and a hundredth for what the normal law is off: a false alarm in
// some million seeds, and the seed is fixed. Without the correction for the finite population 99 % would.
func TestCoverage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	population := make([]float64, 150)
	for i := range population {
		population[i] = r.NormFloat64()
	}
	truth, _, _ := Mean(population, 150)
	held := 0.0
	for range 2000 {
		sample := make([]float64, 60)
		for k, i := range r.Perm(150)[:60] {
			sample[k] = population[i]
		}
		if _, lo, hi := Mean(sample, 150); lo <= truth && truth <= hi {
			held++
		}
	}
	if share := held / 2000; math.Abs(share-0.95) > 0.035 {
		t.Errorf("%v of the intervals hold the mean", share)
	}
}

// TestWilson compares with values worked out by hand from the quadratic (p-q)² = z² q(1-q)/n, whose roots the ends are.
func TestWilson(t *testing.T) {
	for _, c := range [][2]float64{{0, 10}, {10, 10}, {3, 10}, {1, 3}, {50, 1000}, {2.5, 7}} {
		lo, hi := Wilson(c[0], c[1])
		p := c[0] / c[1]
		for _, q := range []float64{lo, hi} {
			if q > 0 && q < 1 {
				near(t, "the quadratic", (p-q)*(p-q), 1.959963984540054*1.959963984540054*q*(1-q)/c[1])
			}
		}
		if !(lo <= p && p <= hi && lo >= 0 && hi <= 1) {
			t.Errorf("%v of %v: %v to %v", c[0], c[1], lo, hi)
		}
	}
	if lo, hi := Wilson(0, 0); lo != 0 || hi != 1 {
		t.Errorf("no trials: %v to %v", lo, hi)
	}
	if lo, hi := Wilson(0, 10); lo != 0 || math.Abs(hi-0.2775) > 1e-4 {
		t.Errorf("0 of 10: %v to %v", lo, hi)
	}
}
