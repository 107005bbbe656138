package portable

import "math"

// logs holds, for each of 128 intervals of a float's mantissa from about 0.709 to 1.418, a factor of 11 bits near the
// inverse of the middle and the negative of its logarithm, whose first part is a multiple of 2^-42.
var logs = func() (t [steps]struct{ inverse, hi, lo float64 }) {
	for j := range t {
		middle := math.Float64frombits(lowest + uint64(j)<<45 + 1<<44)
		f := math.RoundToEven(1024/middle) / 1024
		// -log f = -2 atanh((f-1)/(f+1)), by its series
		z := pair{f - 1, 0}.over(f + 1)
		square, power, sum := z.times(z), z, pair{}
		for n := 1.0; n < 50; n += 2 {
			sum = sum.plus(power.over(n))
			power = power.times(square)
		}
		hi := math.RoundToEven(-2*sum.hi*0x1p42) * 0x1p-42
		rest := pair{-2 * sum.hi, -2 * sum.lo}.plus(pair{-hi, 0})
		t[j].inverse, t[j].hi, t[j].lo = f, hi, rest.hi
	}
	return t
}()

// lowest is the lowest mantissa of the table; 1 is the middle of an interval.
const lowest = 0x3fe6b00000000000

// Parts of ln 2: the first is a multiple of 2^-42.
const (
	ln2hi = 0x1.62e42fefa38p-1
	ln2lo = 0x1.ef35793c76730p-45
)

// reduced splits a positive, finite x into a logarithm hi + lo and 1 + r + rest: log x = hi + lo + log(1 + r + rest).
func reduced(x float64) (hi, lo, r, rest float64) {
	bits, e := math.Float64bits(x), 0
	if bits < 1<<52 {
		bits, e = math.Float64bits(x*0x1p52), -52
	}
	at := bits - lowest
	t := &logs[at>>45&(steps-1)]
	up := int64(at) >> 52
	bits -= uint64(up) << 52
	k := float64(up + int64(e))
	// products of 26 and 27 bits with 11 are exact
	top := math.Float64frombits(bits &^ (1<<27 - 1))
	low := float64((math.Float64frombits(bits) - top) * t.inverse)
	high := float64(top*t.inverse) - 1
	s := add(high, low)
	return float64(k*ln2hi) + t.hi, float64(k*ln2lo) + t.lo, s.hi, s.lo
}

// tailOfLog returns (log(1 + r) - r + r²/2) / r³ for |r| < 0.006.
func tailOfLog(r float64) float64 {
	q := float64(r * r)
	a := 1.0/3 - float64(r*0.25)
	b := 1.0/5 - float64(r*(1.0/6))
	c := 1.0/7 - float64(r*0.125)
	return a + float64(q*(b+float64(q*c)))
}

// Log returns the natural logarithm. Error: 0.52 ulp. Cost: about 6 ns.
func Log(x float64) float64 {
	if !(x > 0) || x > math.MaxFloat64 {
		return outsideLog(x)
	}
	hi, lo, r, rest := reduced(x)
	s := add(hi, r)
	q := float64(r * r)
	return s.hi + (s.lo + (lo + rest + (float64(float64(q*r)*tailOfLog(r)) - 0.5*q)))
}

func outsideLog(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x > 0:
		return x
	}
	return math.NaN()
}

// log returns log(x (1 + more)) to about 66 bits, for x that is positive and finite, and tiny more.
func log(x, more float64) pair {
	hi, lo, r, rest := reduced(x)
	q := times(r, r)
	s := add(hi, r)
	t := add(s.hi, -0.5*q.hi)
	return fold(t.hi, t.lo+(s.lo+(lo+(more+(rest-float64(r*rest)-0.5*q.lo+float64(float64(q.hi*r)*tailOfLog(r)))))))
}

// Log1p returns log(1 + x), also for small x. Error: 0.55 ulp.
func Log1p(x float64) float64 {
	if !(x > -1) || x > math.MaxFloat64 {
		return outsideLog(1 + x)
	}
	if math.Abs(x) < 0x1p-54 {
		return x
	}
	u := add(1, x)
	l := log(u.hi, u.lo/u.hi)
	return l.hi + l.lo
}

// Log2 returns the logarithm to base 2; powers of two have their exact one. Error: 0.52 ulp.
func Log2(x float64) float64 {
	if !(x > 0) || x > math.MaxFloat64 {
		return outsideLog(x)
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	l := log(m, 0).times(oneByLn2)
	s := add(float64(e), l.hi)
	return s.hi + (s.lo + l.lo)
}

// Log10 returns the logarithm to base 10; powers of ten have their exact one. Error: 0.52 ulp.
func Log10(x float64) float64 {
	if !(x > 0) || x > math.MaxFloat64 {
		return outsideLog(x)
	}
	l := log(x, 0).times(oneByL10)
	return l.hi + l.lo
}

// Pow returns x^y. Error: 0.6 ulp.
func Pow(x, y float64) float64 {
	odd := math.Abs(y) < 0x1p53 && math.Mod(y, 2) != 0 && y == math.Trunc(y)
	switch {
	case y == 0 || x == 1:
		return 1
	case x != x || y != y:
		return math.NaN()
	case x == 0 || math.IsInf(x, 0):
		return powOfEnd(x, y, odd)
	case math.IsInf(y, 0):
		if x == -1 {
			return 1
		}
		if math.Abs(x) > 1 == (y > 0) {
			return math.Inf(1)
		}
		return 0
	case x < 0 && y != math.Trunc(y):
		return math.NaN()
	}
	l := log(math.Abs(x), 0)
	z := times(l.hi, y)
	z.lo += float64(l.lo * y)
	r := 0.0
	switch {
	case z.hi > 709.8: // the second part of what overflows is no number
		r = math.Inf(1)
	case z.hi < -745.2:
	default:
		r = exp(z.hi, z.lo)
	}
	if x < 0 && odd {
		return -r
	}
	return r
}

// powOfEnd returns x^y for x of 0 or infinity.
func powOfEnd(x, y float64, odd bool) float64 {
	r := math.Inf(1)
	if (x == 0) == (y > 0) {
		r = 0
	}
	if odd {
		return math.Copysign(r, x)
	}
	return r
}

// Hypot returns the square root of p² + q². Error: 1 ulp.
func Hypot(p, q float64) float64 {
	p, q = math.Abs(p), math.Abs(q)
	if math.IsInf(p, 1) || math.IsInf(q, 1) {
		return math.Inf(1)
	}
	if m := max(p, q); m > 0x1p500 {
		return float64(Hypot(p*0x1p-600, q*0x1p-600) * 0x1p600)
	} else if m < 0x1p-480 && m > 0 {
		return float64(Hypot(p*0x1p600, q*0x1p600) * 0x1p-600)
	}
	return math.Sqrt(float64(p*p) + float64(q*q))
}
