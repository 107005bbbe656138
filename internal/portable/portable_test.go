package portable

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
)

// functions lists what is held against math/big and against package math: arguments from..to, uniform or, where log is
// set, uniform in their logarithm; the error that the comment promises, and that of package math beside it.
var functions = []struct {
	name     string
	own, std func(float64) float64
	exact    func(*big.Float) *big.Float
	from, to float64
	log      bool
	ulp, far float64
}{
	{"exp", Exp, math.Exp, bigExp, -745, 709.7, false, 1, 2},
	{"exp near 0", Exp, math.Exp, bigExp, -1, 1, false, 0.52, 2},
	{"exp", Exp, math.Exp, bigExp, -708, 709.7, false, 0.52, 2},
	{"exp2", Exp2, math.Exp2, bigExp2, -1020, 1023, false, 0.52, 2},
	{"expm1", Expm1, math.Expm1, bigExpm1, -1, 1, false, 1, 2},
	{"expm1 near 0", Expm1, math.Expm1, bigExpm1, 1e-20, 1, true, 1, 2},
	{"expm1", Expm1, math.Expm1, bigExpm1, -40, 700, false, 1, 2},
	{"log", Log, math.Log, bigLog, 1e-307, 1e308, true, 0.52, 2},
	{"log near 1", Log, math.Log, bigLog, 0.5, 2, false, 0.52, 2},
	{"log at 1", Log, math.Log, bigLog, 1 - 0x1p-8, 1 + 0x1p-8, false, 0.52, 2},
	{"log2", Log2, math.Log2, bigLogTo(2), 1e-307, 1e308, true, 0.52, 4},
	{"log2 near 1", Log2, math.Log2, bigLogTo(2), 0.5, 2, false, 0.52, 1e9},
	{"log10", Log10, math.Log10, bigLogTo(10), 1e-307, 1e308, true, 0.52, 4},
	{"log1p", Log1p, math.Log1p, bigLog1p, 1e-20, 1e300, true, 0.55, 2},
	{"log1p below 0", Log1p, math.Log1p, bigLog1p, -1 + 0x1p-40, 0, false, 0.55, 2},
	{"tanh", Tanh, math.Tanh, func(x *big.Float) *big.Float {
		e := bigExp(mul(num(2), x))
		return quo(sub(e, num(1)), sum(e, num(1)))
	}, 1e-10, 25, true, 2, 4},
	{"sin", Sin, math.Sin, func(x *big.Float) *big.Float { s, _ := bigSincos(x); return s }, -10, 10, false, 1, 2},
	{"sin far", Sin, math.Sin, func(x *big.Float) *big.Float { s, _ := bigSincos(x); return s }, 10, 0x1p20, true, 1, 1e9},
	{"cos", Cos, math.Cos, func(x *big.Float) *big.Float { _, c := bigSincos(x); return c }, -10, 10, false, 1, 2},
	{"cos far", Cos, math.Cos, func(x *big.Float) *big.Float { _, c := bigSincos(x); return c }, 10, 0x1p20, true, 1, 1e9},
}

func bigExp2(x *big.Float) *big.Float  { return bigExp(mul(x, bigLog(num(2)))) }
func bigExpm1(x *big.Float) *big.Float { return sub(bigExp(x), num(1)) }
func bigLog1p(x *big.Float) *big.Float { return bigLog(sum(num(1), x)) }

func bigLogTo(base float64) func(*big.Float) *big.Float {
	return func(x *big.Float) *big.Float { return quo(bigLog(x), bigLog(num(base))) }
}

func TestFunctions(t *testing.T) {
	for _, f := range functions {
		t.Run(f.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			worst, at, far, apart := 0.0, 0.0, 0.0, 0.0
			for i := range long.Of(300, 3000) {
				x := f.from + r.Float64()*(f.to-f.from)
				if f.log {
					x = math.Exp(math.Log(f.from) + r.Float64()*(math.Log(f.to)-math.Log(f.from)))
				}
				if i < long.Of(40, 400) {
					e := f.exact(num(x))
					if u := ulps(f.own(x), e); u > worst {
						worst, at = u, x
					}
				}
				if u := ulps(f.own(x), num(f.std(x))); u > far {
					far, apart = u, x
				}
			}
			if t.Logf("%.3f ulp at %v; %.0f from package math at %v", worst, at, far, apart); worst > f.ulp || far > f.far {
				t.Errorf("%.3f ulp at %v, promised %v; %v from package math at %v", worst, at, f.ulp, far, apart)
			}
		})
	}
}

func TestPow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	worst := 0.0
	for range 500 {
		x := math.Exp(r.NormFloat64() * 20)
		y := r.NormFloat64() * min(600/math.Abs(math.Log(x)), 1e6)
		if want := math.Pow(x, y); want == 0 || math.IsInf(want, 0) {
			continue
		}
		u := ulps(Pow(x, y), bigExp(mul(num(y), bigLog(num(x)))))
		worst = max(worst, u)
	}
	if t.Logf("%.3f ulp", worst); worst > 0.6 {
		t.Errorf("%.3f ulp", worst)
	}
	for x := 2.0; x < 20; x++ {
		want := 1.0
		for y := 0.0; y < 12; y++ {
			if got := Pow(x, y); got != want {
				t.Errorf("%v to the power of %v is %v", x, y, got)
			}
			want *= x
		}
	}
}

// special are the arguments with rules of their own.
var special = []float64{
	0, math.Copysign(0, -1), 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1.5, -2.5, math.Inf(1), math.Inf(-1), math.NaN(),
	math.MaxFloat64, -math.MaxFloat64, 5e-324, -5e-324, 1e-300, 1e300, -1e300, 1 << 53, 710, -746, -800, 1024, -1080,
}

func alike(a, b float64) bool {
	return a == b && math.Signbit(a) == math.Signbit(b) || a != a && b != b ||
		math.Abs(a-b) <= 1e-14*math.Abs(b) && math.Signbit(a) == math.Signbit(b)
}

func TestSpecialCases(t *testing.T) {
	for name, f := range map[string][2]func(float64) float64{
		"Exp": {Exp, math.Exp}, "Exp2": {Exp2, math.Exp2}, "Expm1": {Expm1, math.Expm1}, "Log": {Log, math.Log},
		"Log2": {Log2, math.Log2}, "Log10": {Log10, math.Log10}, "Log1p": {Log1p, math.Log1p}, "Tanh": {Tanh, math.Tanh},
	} {
		for _, x := range special {
			if x == 5e-324 && (name == "Log" || name == "Log10") {
				continue // package math is wrong there on amd64; TestTiny
			}
			if got, want := f[0](x), f[1](x); !alike(got, want) {
				t.Errorf("%s(%v) is %v, in package math %v", name, x, got, want)
			}
		}
	}
	for _, x := range special {
		for _, y := range special {
			if got, want := Pow(x, y), math.Pow(x, y); !alike(got, want) {
				t.Errorf("Pow(%v, %v) is %v, in package math %v", x, y, got, want)
			}
			if got, want := Hypot(x, y), math.Hypot(x, y); !alike(got, want) {
				t.Errorf("Hypot(%v, %v) is %v, in package math %v", x, y, got, want)
			}
		}
	}
}

// TestTiny takes logarithms of what has no full mantissa.
func TestTiny(t *testing.T) {
	for e := -1074; e < -1020; e++ {
		x := math.Ldexp(1, e)
		if got := Log2(x); got != float64(e) {
			t.Errorf("the logarithm of 2^%d to base 2 is %v", e, got)
		}
		if u := ulps(Log(x), bigLog(num(x))); u > 0.52 {
			t.Errorf("the logarithm of 2^%d is %v: %.2f ulp", e, Log(x), u)
		}
	}
}

func TestPowersOfTen(t *testing.T) {
	x := 1.0
	for e := range 23 { // all that are exact
		if got := Log10(x); got != float64(e) {
			t.Errorf("the logarithm of 10^%d to base 10 is %v", e, got)
		}
		x *= 10
	}
}

func BenchmarkFunctions(b *testing.B) {
	for _, f := range functions {
		for name, g := range map[string]func(float64) float64{"own": f.own, "math": f.std} {
			b.Run(f.name+" "+name, func(b *testing.B) {
				x, step := max(f.from, -100), (min(f.to, 100)-max(f.from, -100))/1024
				s := 0.0
				for i := range b.N {
					s += g(x + float64(i&1023)*step)
				}
				_ = s
			})
		}
	}
}
