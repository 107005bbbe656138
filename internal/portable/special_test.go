package portable

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/dither-data/dither/internal/testkit/long"
)

func TestErf(t *testing.T) {
	worst := map[string]float64{}
	r := rand.New(rand.NewPCG(5, 6))
	for i := range long.Of(120, 1200) {
		x := r.Float64() * 27
		if i%2 == 0 {
			x = math.Exp(-r.Float64() * 30)
		}
		c := bigErfc(num(x))
		if f, _ := c.Float64(); f < 1e-300 {
			continue
		}
		for name, u := range map[string]float64{
			"erfc":     ulps(Erfc(x), c),
			"erfc < 0": ulps(Erfc(-x), sub(num(2), c)),
			"erf":      ulps(Erf(x), sub(num(1), c)),
			"math":     ulps(math.Erfc(x), c),
		} {
			worst[name] = max(worst[name], u)
		}
	}
	if t.Log(worst); worst["erfc"] > 3 || worst["erfc < 0"] > 1 || worst["erf"] > 1.5 {
		t.Error(worst)
	}
	for _, x := range special {
		if !alike(Erf(x), math.Erf(x)) || !alike(Erfc(x), math.Erfc(x)) {
			t.Errorf("erf(%v) %v erfc %v, in package math %v %v", x, Erf(x), Erfc(x), math.Erf(x), math.Erfc(x))
		}
	}
}

// TestQuantile puts quantiles into the exact law: what they miss is a share of the law's density there.
func TestQuantile(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	worst := 0.0
	root2 := new(big.Float).SetPrec(bits).Sqrt(num(2))
	for i := range long.Of(60, 600) {
		p := r.Float64()
		if i%2 == 0 {
			p = math.Exp(-r.Float64() * 690)
		}
		x := Quantile(p)
		back, _ := sub(quo(bigErfc(quo(num(-x), root2)), num(2)), num(p)).Float64()
		if p > 0.5 {
			back, _ = sub(num(1-p), quo(bigErfc(quo(num(x), root2)), num(2))).Float64()
		}
		density := math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)
		worst = max(worst, math.Abs(back/density)/max(math.Abs(x)*0x1p-53, 1e-16))
		for name, pair := range map[string][2]float64{
			"Erfinv":  {Erfinv(2*p - 1), math.Erfinv(2*p - 1)},
			"Erfcinv": {Erfcinv(p), math.Erfcinv(p)},
		} {
			if p > 1e-3 && !(math.Abs(pair[0]-pair[1]) <= 1e-13*math.Abs(pair[1])) { // package math loses digits below
				t.Errorf("%s at %v: %v, in package math %v", name, p, pair[0], pair[1])
			}
		}
	}
	if t.Logf("%.2f ulp", worst); worst > 6 {
		t.Errorf("%.2f ulp", worst)
	}
	for _, p := range []float64{0, 0.5, 1, -1, 2, math.NaN()} {
		none := !(p >= 0 && p <= 1)
		if q := Quantile(p); none && q == q || !none && q != distuv.UnitNormal.Quantile(p) {
			t.Errorf("the quantile of %v is %v", p, Quantile(p))
		}
	}
}

func TestLgamma(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for i := range 20000 {
		x := math.Exp(r.NormFloat64() * 5)
		if i%3 == 0 {
			x = 3 * r.Float64()
		}
		want, _ := math.Lgamma(x)
		if got := Lgamma(x); !(math.Abs(got-want) <= 8e-15*max(1, math.Abs(want))) { // package math is 6e-15 off near 1.2
			t.Errorf("of %v: %v, in package math %v", x, got, want)
		}
	}
	// factorials are products of whole numbers
	f := num(1)
	for n := 1.0; n < 150; n++ {
		f = mul(f, num(n))
		if u := ulps(Lgamma(n+1), bigLog(f)); n > 1 && u > 3 {
			t.Errorf("the logarithm of %v! is %.1f ulp off", n, u)
		}
	}
	if Lgamma(1) != 0 || Lgamma(2) != 0 || !math.IsInf(Lgamma(0), 1) || !math.IsNaN(Lgamma(-1)) {
		t.Error(Lgamma(1), Lgamma(2), Lgamma(0), Lgamma(-1))
	}
}

func TestLogBinomial(t *testing.T) {
	for n := range 60 {
		for k := range n + 1 {
			want, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(n), int64(k))).Float64()
			if got := Exp(LogBinomial(float64(n), float64(k))); !near(got, want, 1e-12) {
				t.Errorf("%d over %d: %v, should be %v", n, k, got, want)
			}
		}
	}
}

func near(a, b, by float64) bool { return a == b || math.Abs(a-b) <= by*math.Abs(b)+1e-300 }

func TestLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 3000 {
		a, b := max(0.5, math.Exp(r.NormFloat64()*2)), max(0.5, math.Exp(r.NormFloat64()*2))
		x, p := r.Float64(), r.Float64()
		for name, pair := range map[string][2]float64{
			"upper gamma":    {GammaUpper(a, 3*a*x), mathext.GammaIncRegComp(a, 3*a*x)},
			"lower gamma":    {GammaLower(a, 3*a*x), mathext.GammaIncReg(a, 3*a*x)},
			"beta":           {Beta(a, b, x), mathext.RegIncBeta(a, b, x)},
			"chi-squared":    {ChiSquaredUpper(2*a, 2*ChiSquaredQuantile(2*a, p)/2), 1 - p},
			"gamma quantile": {GammaLower(a, GammaQuantile(a, p)), p},
			"beta quantile":  {Beta(a, b, BetaQuantile(a, b, p)), p},
			"Student":        {StudentQuantile(a, (1+p)/2), distuv.StudentsT{Sigma: 1, Nu: a}.Quantile((1 + p) / 2)},
		} {
			by := 1e-11
			if name == "Student" {
				by = 1e-7 // gonum's own error
			}
			if !near(pair[0], pair[1], by) && math.Abs(pair[0]-pair[1]) > 1e-13 {
				t.Errorf("%s of %v, %v at %v, %v: %v, should be %v", name, a, b, x, p, pair[0], pair[1])
			}
		}
	}
}

// TestPoisson compares counts with the law's probabilities by the chi-squared test.
func TestPoisson(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, mean := range []float64{0, 0.3, 4, 9.9, 10, 37, 800} {
		const n = 40000
		counts := map[float64]float64{}
		for range n {
			counts[Poisson(r, mean)]++
		}
		if mean == 0 {
			if counts[0] != n {
				t.Error(counts)
			}
			continue
		}
		law := distuv.Poisson{Lambda: mean}
		chi, cells, rest := 0.0, 0.0, 0.0
		for k := 0.0; k < 2*mean+60; k++ {
			e := n * law.Prob(k)
			if e < 10 {
				rest += counts[k] - e
				continue
			}
			chi += (counts[k] - e) * (counts[k] - e) / e
			cells++
		}
		if p := ChiSquaredUpper(cells, chi); p < 1e-4 || math.Abs(rest) > 120 {
			t.Errorf("mean %v: chi-squared %v of %v cells, p = %v", mean, chi, cells, p)
		}
	}
}
