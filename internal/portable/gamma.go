package portable

import "math"

// excess holds zeta(k) - 1 for k from 2, by its sum and the first terms of Euler and Maclaurin for the rest.
var excess = func() (z [40]float64) {
	const first = 40
	for i := range z {
		k := float64(i + 2)
		s := 0.0
		for n := first - 1.0; n > 1; n-- {
			s += power(1/n, i+2)
		}
		m := power(1.0/first, i+2)
		third := float64(float64(k*(k+1))*(k+2)) / (first * first * first)
		fifth := float64(float64(third*(k+3))*(k+4)) / (first * first)
		z[i] = float64(m*(first/(k-1)+0.5+(k/(12*first)-third/720+fifth/30240))) + s
	}
	return z
}()

// power returns x to the power of n by products alone.
func power(x float64, n int) float64 {
	y := 1.0
	for range n {
		y = float64(y * x)
	}
	return y
}

// stirling holds B(2k) / (2k (2k-1)), the coefficients of Stirling's series.
var stirling = []float64{
	1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156, -3617.0 / 122400,
}

// gamma1 is 1 - Euler's constant.
const gamma1 = 0.42278433509846713939

// Lgamma returns the logarithm of the gamma function of x > 0, +Inf at 0 and NaN below. Error: 3 ulp, and 1e-15 near 1
// and 2, where it is 0.
func Lgamma(x float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0 || math.IsInf(x, 1):
		return math.Inf(1)
	case x < 0.5:
		return Lgamma(1+x) - Log(x)
	case x < 1.5:
		return around2(x-1) - Log1p(x-1)
	case x <= 2.5:
		return around2(x - 2)
	case x < 14:
		p := pair{1, 0}
		for x > 2.5 { // differences of floats with whole numbers are exact downwards
			x--
			p = p.times(pair{x, 0})
		}
		l := log(p.hi, p.lo/p.hi)
		return l.hi + (l.lo + around2(x-2))
	case x > 1e17:
		return float64(x * (Log(x) - 1))
	}
	l := log(x, 0)
	main := times(l.hi, x-0.5)
	s := add(main.hi, -x)
	t := add(s.hi, logRoot2Pi)
	q := 1 / x
	tail := float64(q * polynomial(float64(q*q), stirling))
	return t.hi + (t.lo + (s.lo + (main.lo + float64(l.lo*(x-0.5)) + tail)))
}

const logRoot2Pi = 0.91893853320467274178

// around2 returns the logarithm of gamma(2 + z) for |z| <= 1/2, by its series.
func around2(z float64) float64 {
	y := 0.0
	for i := len(excess) - 1; i >= 0; i-- {
		y = excess[i]/float64(i+2) - float64(z*y)
	}
	return float64(z * (gamma1 + float64(z*y)))
}

// LogBinomial returns the logarithm of n! / (k! (n-k)!) for real numbers.
func LogBinomial(n, k float64) float64 { return Lgamma(n+1) - Lgamma(k+1) - Lgamma(n-k+1) }

// most bounds the terms of series and fractions: all converge far earlier, except where a parameter exceeds 1e8.
const most = 100_000

// GammaUpper returns the share of the gamma law of shape a > 0 that is above x: the regularised upper incomplete gamma
// function. Error: 1e-13 of it.
func GammaUpper(a, x float64) float64 {
	if x < a+1 {
		return 1 - gammaLower(a, x)
	}
	// the continued fraction, by Lentz's method
	b, c := x+1-a, math.Inf(1)
	d := 1 / b
	h := d
	for n := 1.0; n < most; n++ {
		f := float64(n * (a - n))
		b += 2
		d = 1 / (float64(f*d) + b)
		c = b + f/c
		step := float64(c * d)
		if h = float64(h * step); math.Abs(step-1) < 1e-16 {
			break
		}
	}
	return float64(gammaDensity(a, x) * h)
}

// GammaLower is the share that is not above x.
func GammaLower(a, x float64) float64 {
	if x < a+1 {
		return gammaLower(a, x)
	}
	return 1 - GammaUpper(a, x)
}

// gammaDensity is x^a e^-x / gamma(a).
func gammaDensity(a, x float64) float64 { return Exp(float64(a*Log(x)) - x - Lgamma(a)) }

func gammaLower(a, x float64) float64 {
	if !(x > 0) {
		return 0
	}
	term := 1 / a
	s := term
	for n := 1.0; n < most && term > s*1e-17; n++ {
		term = float64(term * (x / (a + n)))
		s += term
	}
	return float64(gammaDensity(a, x) * s)
}

// Beta returns the share of the beta law of parameters a, b > 0 that is not above x: the regularised incomplete beta
// function. Error: 1e-13.
func Beta(a, b, x float64) float64 {
	switch {
	case !(x > 0):
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2):
		return 1 - Beta(b, a, 1-x)
	}
	front := Exp(Lgamma(a+b) - Lgamma(a) - Lgamma(b) + float64(a*Log(x)) + float64(b*Log1p(-x)))
	// the continued fraction, by Lentz's method
	c, d := 1.0, 1/(1-float64((a+b)*x)/(a+1))
	h := d
	for n := 1.0; n < most; n++ {
		even := float64(float64(n*(b-n))*x) / float64((a+2*n-1)*(a+2*n))
		d = 1 / (1 + float64(even*d))
		c = 1 + even/c
		h = float64(h * float64(c*d))
		odd := -float64(float64((a+n)*(a+b+n))*x) / float64((a+2*n)*(a+2*n+1))
		d = 1 / (1 + float64(odd*d))
		c = 1 + odd/c
		step := float64(c * d)
		if h = float64(h * step); math.Abs(step-1) < 1e-16 {
			break
		}
	}
	return float64(front*h) / a
}

// BetaQuantile returns x with Beta(a, b, x) = p.
func BetaQuantile(a, b, p float64) float64 {
	scale := Lgamma(a+b) - Lgamma(a) - Lgamma(b)
	return solve(a/(a+b), 0, 1, func(x float64) (off, slope float64) {
		return Beta(a, b, x) - p, Exp(scale + float64((a-1)*Log(x)) + float64((b-1)*Log1p(-x)))
	})
}

// GammaQuantile returns x with GammaLower(a, x) = p, for a law of rate 1.
func GammaQuantile(a, p float64) float64 {
	switch {
	case !(p > 0):
		return 0
	case p >= 1:
		return math.Inf(1)
	}
	// the cube root is nearly normal (Wilson and Hilferty 1931)
	third := 1 - 1/(9*a) + Quantile(p)/(3*math.Sqrt(a))
	start := float64(a * float64(third*float64(third*third)))
	if !(start > 0) {
		start = Exp((Log(p) + Lgamma(a+1)) / a) // of the first term of the series
	}
	hi := max(a+1, start)
	for GammaLower(a, hi) < p {
		hi *= 2
	}
	return solve(start, 0, hi, func(x float64) (off, slope float64) {
		slope = gammaDensity(a, x) / x
		if p > 0.5 {
			return (1 - p) - GammaUpper(a, x), slope
		}
		return GammaLower(a, x) - p, slope
	})
}

// ChiSquaredQuantile returns the quantile of the chi-squared law with so many degrees of freedom.
func ChiSquaredQuantile(free, p float64) float64 { return 2 * GammaQuantile(free/2, p) }

// ChiSquaredUpper returns the share of the chi-squared law that is above x.
func ChiSquaredUpper(free, x float64) float64 { return GammaUpper(free/2, x/2) }

// StudentQuantile returns the quantile of Student's law with so many degrees of freedom.
func StudentQuantile(free, p float64) float64 {
	if p < 0.5 {
		return -StudentQuantile(free, 1-p)
	}
	if p == 0.5 {
		return 0
	}
	x := BetaQuantile(free/2, 0.5, 2*(1-p)) // free / (free + t²)
	return math.Sqrt(free * (1 - x) / x)
}

// solve returns where a rising function is 0, by Newton's steps from a start; where they leave the bracket, or do not
// halve what is off, it is halved.
func solve(x, lo, hi float64, f func(float64) (off, slope float64)) float64 {
	if !(x > lo && x < hi) {
		x = lo + (hi-lo)/2
	}
	was := math.Inf(1)
	for range 300 {
		off, slope := f(x)
		switch {
		case off == 0:
			return x
		case off < 0:
			lo = x
		default:
			hi = x
		}
		y := x - off/slope
		if !(y > lo && y < hi) || math.Abs(off) > was/2 {
			y = lo + (hi-lo)/2
		}
		if math.Abs(y-x) <= 0x1p-52*math.Abs(x) {
			return y
		}
		x, was = y, math.Abs(off)
	}
	return x
}
