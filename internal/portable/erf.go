package portable

import (
	"math"
	"sync"
)

// The scaled complement w(x) = exp(x²) erfc(x) is smooth: each octave from 1/2 to 32 has 16 pieces, and each piece a
// Taylor polynomial about its middle.
const (
	pieces = 16
	degree = 11
	octave = 1022 // the exponent of the first
)

// scaled holds the coefficients, from the constant up. They are the iterated integrals of erfc, scaled: by the
// recurrence n a[n] = 2c a[n-1] + 2 a[n-2], a[-1] = -1/√π, of which they are the solution that vanishes: Miller's
// algorithm (Gautschi 1961) runs it downwards from afar, where all terms have one sign, and scales to a[-1].
var scaled = sync.OnceValue(func() *[6 * pieces][degree]float64 {
	var t [6 * pieces][degree]float64
	for i := range t {
		c := math.Ldexp(1+(float64(i%pieces)+0.5)/pieces, i/pieces-1)
		var a [degree]float64
		above, here := 0.0, 1e-300
		for n := int(400/(c*c)) + 60; n >= 0; n-- { // here is a[n], above a[n+1]
			if n < degree {
				a[n] = here
			}
			above, here = here, (float64(float64(n+1)*above)-float64(2*c*here))/2
			if math.Abs(here) > 1e250 {
				above, here = float64(above*1e-250), float64(here*1e-250)
			}
		}
		for n := range a {
			t[i][n] = float64(a[n] / here * (-1 / math.SqrtPi))
		}
	}
	return &t
})

// series is the series of erf(x)/x · √π/2 in x², for |x| < 1/2.
var series = func() (c [14]float64) {
	f := 1.0
	for n := range c {
		c[n] = 1 / float64(f*float64(2*n+1))
		f = float64(f * float64(-n-1))
	}
	return c
}()

// Erf returns the error function. Error: 1.5 ulp.
func Erf(x float64) float64 {
	switch a := math.Abs(x); {
	case x != x || x == 0:
		return x
	case a < 0.5:
		q := polynomial(float64(x*x), series[1:])
		// 2/√π in two parts, as the product with x is all there is to round
		y := float64(float64(x*x) * q)
		return float64(x*(2/math.SqrtPi)) + (float64(x*rootLow) + float64(float64(x*(2/math.SqrtPi))*y))
	case a > 6:
		return math.Copysign(1, x)
	default:
		return math.Copysign(1-Erfc(a), x)
	}
}

// rootLow is what the constant 2/√π leaves out as a float.
const rootLow = 0x1.1ae3a914fed80p-56

// Erfc returns the complement of the error function. Error: 3 ulp.
func Erfc(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 27.3:
		return 0
	case x < -6:
		return 2
	case x < -0.5:
		return 2 - Erfc(-x)
	case x < 0.5:
		return 1 - Erf(x)
	}
	bits := math.Float64bits(x)
	octaves := int(bits>>52) - octave
	at := octaves*pieces + int(bits>>48&(pieces-1))
	middle := math.Float64frombits(bits&^(1<<48-1) | 1<<47)
	w := polynomial(x-middle, scaled()[at][:])
	square := times(x, x)
	return float64(exp(-square.hi, -square.lo) * w)
}

// Quantile returns the standard normal quantile of p, from -Inf for 0 to +Inf for 1, and NaN for what is no
// probability. Error: 3 ulp, and 1e-16 near 0.
func Quantile(p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p == 0.5:
		return 0
	case p > 0.5:
		return -lower(1 - p)
	}
	return lower(p)
}

// lower returns the quantile of p < 1/2: a rational start (Abramowitz and Stegun 26.2.23, within 0.00045), and Halley's
// steps, each of which triples the digits.
func lower(p float64) float64 {
	if p == 0 {
		return math.Inf(-1)
	}
	if p > 0.5-0x1p-20 { // the density is flat there
		return float64((p - 0.5) * math.Sqrt(2*math.Pi))
	}
	t := math.Sqrt(-2 * Log(p))
	a := 2.515517 + float64(t*(0.802853+float64(t*0.010328)))
	b := 1 + float64(t*(1.432788+float64(t*(0.189269+float64(t*0.001308)))))
	x := a/b - t
	for range 2 {
		// (cumulative - p) / density, as a share of the quantile's slope
		square := times(x, x)
		e := float64((Erfc(-x/math.Sqrt2)/2 - p) * math.Sqrt(2*math.Pi) * exp(square.hi/2, square.lo/2))
		x -= e / (1 + float64(x*e)/2)
	}
	return x
}

// Erfcinv returns what Erfc maps to p, from 0 to 2. Error: 4 ulp, and 1e-16 near 0.
func Erfcinv(p float64) float64 {
	if p > 1 {
		return lower(1-p/2) / math.Sqrt2
	}
	return -Quantile(p/2) / math.Sqrt2
}

// Erfinv returns what Erf maps to p, from -1 to 1. Error: 4 ulp.
func Erfinv(p float64) float64 {
	a := math.Abs(p)
	if !(a <= 1) {
		return math.NaN()
	}
	if a > 0.5 {
		return math.Copysign(lower((1-a)/2)/math.Sqrt2, p)
	}
	// Halley's steps on erf itself, which is exact near 0: erf(x) - p over its slope
	x := float64(p * (math.SqrtPi / 2))
	for range 4 {
		e := float64((Erf(x) - p) * (math.SqrtPi / 2) * Exp(float64(x*x)))
		x -= e / (1 + float64(x*e))
	}
	return x
}
