package portable

import "math"

// Parts of pi/2: products of the first two with whole numbers below 2^20 are exact.
const (
	quarter1 = 0x1.921fb54400000p+0
	quarter2 = 0x1.0b4611a600000p-34
	quarter3 = 0x1.3198a2e037073p-69
	// farthest is the largest angle that they reduce.
	farthest = 0x1p20
)

// Sincos returns the sine and the cosine of an angle of at most 2^20, and NaN for what is beyond. Error: 1 ulp.
func Sincos(x float64) (sin, cos float64) {
	if !(math.Abs(x) <= farthest) {
		return math.NaN(), math.NaN()
	}
	k := float64(x*(2/math.Pi)) + round - round
	a := add(x-float64(k*quarter1), -float64(k*quarter2))
	r := a.hi - float64(k*quarter3)
	rest := (a.hi - r) - float64(k*quarter3) + a.lo
	sin, cos = sine(r, rest), cosine(r, rest)
	switch int(k) & 3 {
	case 1:
		return cos, -sin
	case 2:
		return -sin, -cos
	case 3:
		return -cos, sin
	}
	return sin, cos
}

// Sin returns the sine; see Sincos.
func Sin(x float64) float64 {
	s, _ := Sincos(x)
	return s
}

// Cos returns the cosine; see Sincos.
func Cos(x float64) float64 {
	_, c := Sincos(x)
	return c
}

// sine returns sin(r + rest) for |r| <= pi/4 and tiny rest, by its series.
func sine(r, rest float64) float64 {
	q := float64(r * r)
	p := 1.0/6227020800 - float64(q*(1.0/1307674368000-float64(q*(1.0/355687428096000))))
	p = 1.0/362880 - float64(q*(1.0/39916800-float64(q*p)))
	p = 1.0/6 - float64(q*(1.0/120-float64(q*(1.0/5040-float64(q*p)))))
	return r + (float64(rest*(1-0.5*q)) - float64(float64(q*r)*p))
}

// cosine returns cos(r + rest) for |r| <= pi/4 and tiny rest, by its series.
func cosine(r, rest float64) float64 {
	q := float64(r * r)
	p := 1.0/479001600 - float64(q*(1.0/87178291200-float64(q*(1.0/20922789888000))))
	p = 1.0/40320 - float64(q*(1.0/3628800-float64(q*p)))
	p = 1.0/24 - float64(q*(1.0/720-float64(q*p)))
	half := 0.5 * q
	top := 1 - half
	return top + ((1 - top - half) + (float64(float64(q*q)*p) - float64(r*rest)))
}
