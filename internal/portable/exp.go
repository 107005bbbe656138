package portable

import "math"

// steps is how many powers of two lie between 1 and 2 in the table.
const steps = 128

// powers holds 2^(j/128).
var powers = func() (t [steps]pair) {
	// the root is that of 2, taken seven times: Newton's step on a pair
	root := pair{2, 0}
	for range 7 {
		r := math.Sqrt(root.hi)
		rest := root.plus(pair{-times(r, r).hi, -times(r, r).lo})
		root = fold(r, (rest.hi+rest.lo)/(2*r))
	}
	t[0] = pair{1, 0}
	for j := 1; j < steps; j++ {
		// by halves, so that errors do not add up
		if j%2 == 0 {
			t[j] = t[j/2].times(t[j/2])
		} else {
			t[j] = t[j-1].times(root)
		}
	}
	return t
}()

// Parts of ln 2 / 128: products of the first with whole numbers below 2^18 are exact.
const (
	step1 = 0x1.62e42fef80000p-8
	step2 = 0x1.1cf79abc9e3b4p-43
	round = 0x1.8p52 // a float near it has no fraction
)

// Exp returns e^x. Error: 0.52 ulp. Cost: about 6 ns.
func Exp(x float64) float64 {
	switch {
	case x != x || math.IsInf(x, 1):
		return x
	case x > 709.8:
		return math.Inf(1)
	case x < -745.2:
		return 0
	}
	return exp(x, 0)
}

// exp returns e^(x + lo), where lo is small and x is in the range that Exp checks.
func exp(x, lo float64) float64 {
	k := float64(x*(steps/math.Ln2)) + round - round
	r := x - float64(k*step1) - float64(k*step2) + lo
	return raised(int(k), less1(r))
}

// less1 returns e^r - 1 for |r| < 0.003.
func less1(r float64) float64 {
	p := 1.0/120 + float64(r*(1.0/720))
	p = 1.0/24 + float64(r*p)
	p = 1.0/6 + float64(r*p)
	p = 0.5 + float64(r*p)
	return r + float64(float64(r*r)*p)
}

// raised returns 2^(k/128) (1 + p).
func raised(k int, p float64) float64 {
	t := &powers[k&(steps-1)]
	y := t.hi + (t.lo + float64(t.hi*p))
	e := k >> 7
	if e > -1022 && e < 1024 {
		return math.Float64frombits(math.Float64bits(y) + uint64(e)<<52)
	}
	return math.Ldexp(y, e)
}

// Exp2 returns 2^x; whole numbers have their exact power. Error: 0.52 ulp.
func Exp2(x float64) float64 {
	switch {
	case x != x || math.IsInf(x, 1):
		return x
	case x >= 1024:
		return math.Inf(1)
	case x < -1075:
		return 0
	}
	k := float64(x*steps) + round - round
	return raised(int(k), less1(float64((x-k/steps)*math.Ln2)))
}

// Expm1 returns e^x - 1, also for small x. Error: 1 ulp.
func Expm1(x float64) float64 {
	switch {
	case x != x || math.IsInf(x, 1) || x == 0:
		return x
	case x > 709.8:
		return math.Inf(1)
	case x < -38:
		return -1
	}
	k := float64(x*(steps/math.Ln2)) + round - round
	r := x - float64(k*step1) - float64(k*step2)
	p := less1(r)
	if k == 0 {
		return p
	}
	t, e := &powers[int(k)&(steps-1)], int(k)>>7
	if e > 60 {
		return raised(int(k), p) - 1
	}
	scale := math.Float64frombits(uint64(1023+e) << 52)
	// (1 + s) (1 + p) - 1 = s + p + s p
	s, low := add(float64(t.hi*scale), -1), float64(t.lo*scale)
	all := add(s.hi, p)
	return all.hi + (all.lo + (s.lo + (low + (float64(s.hi*p) + float64((s.lo+low)*p)))))
}

// Tanh returns the hyperbolic tangent. Error: 2 ulp.
func Tanh(x float64) float64 {
	a := math.Abs(x)
	if a > 22 {
		return math.Copysign(1, x)
	}
	t := Expm1(2 * a)
	return math.Copysign(t/(t+2), x)
}
