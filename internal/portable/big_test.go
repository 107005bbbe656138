package portable

import (
	"math"
	"math/big"
	"testing"
)

// What the functions are held against: their series in 300 bits.

const bits = 300

func num(x float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(x) }

func op(f func(z, x, y *big.Float) *big.Float, x, y *big.Float) *big.Float {
	return f(new(big.Float).SetPrec(bits), x, y)
}

func mul(x, y *big.Float) *big.Float { return op((*big.Float).Mul, x, y) }
func quo(x, y *big.Float) *big.Float { return op((*big.Float).Quo, x, y) }
func sum(x, y *big.Float) *big.Float { return op((*big.Float).Add, x, y) }
func sub(x, y *big.Float) *big.Float { return op((*big.Float).Sub, x, y) }

func small(x, than *big.Float) bool {
	return x.Sign() == 0 || x.MantExp(nil) < than.MantExp(nil)-bits
}

// bigExp halves x until its series is short, and squares as often.
func bigExp(x *big.Float) *big.Float {
	halved := 0
	y := new(big.Float).SetPrec(bits).Set(x)
	if x.Sign() != 0 {
		halved = max(0, x.MantExp(nil)+16)
		y.SetMantExp(y, -halved)
	}
	term, s := num(1), num(1)
	for n := 1.0; !small(term, s); n++ {
		term = quo(mul(term, y), num(n))
		s = sum(s, term)
	}
	for range halved {
		s = mul(s, s)
	}
	return s
}

// bigLog splits off a power of two, and takes 2 atanh((m-1)/(m+1)) of the rest's eighth root.
func bigLog(x *big.Float) *big.Float {
	m := new(big.Float).SetPrec(bits)
	e := x.MantExp(m)
	l := atanhLog(m)
	return sum(l, mul(num(float64(e)), sub(num(0), atanhLog(num(0.5)))))
}

func atanhLog(m *big.Float) *big.Float {
	z := quo(sub(m, num(1)), sum(m, num(1)))
	square, power, s := mul(z, z), z, num(0)
	for n := 1.0; power.Sign() != 0; n += 2 {
		t := quo(power, num(n))
		if s = sum(s, t); small(t, s) {
			break
		}
		power = mul(power, square)
	}
	return mul(num(2), s)
}

// bigSincos takes the series of an angle halved ten times, and doubles it.
func bigSincos(x *big.Float) (sin, cos *big.Float) {
	halved := max(0, x.MantExp(nil)+10)
	y := new(big.Float).SetPrec(bits).SetMantExp(x, -halved)
	sin, cos = num(0), num(0)
	term := num(1)
	for n := 0; n == 0 || n < 100; n++ {
		switch n & 3 {
		case 0:
			cos = sum(cos, term)
		case 1:
			sin = sum(sin, term)
		case 2:
			cos = sub(cos, term)
		case 3:
			sin = sub(sin, term)
		}
		term = quo(mul(term, y), num(float64(n+1)))
	}
	for range halved {
		sin, cos = mul(num(2), mul(sin, cos)), sub(mul(cos, cos), mul(sin, sin))
	}
	return sin, cos
}

// bigErfc takes the series of erf for what is small, and the continued fraction, which needs few terms, beyond.
func bigErfc(x *big.Float) *big.Float {
	rootPi := new(big.Float).SetPrec(bits).Sqrt(bigPi())
	if f, _ := x.Float64(); f < 6 {
		square, term, s := mul(x, x), x, num(0)
		for n := 0.0; ; n++ {
			t := quo(term, num(2*n+1))
			if s = sum(s, t); small(t, s) || t.Sign() == 0 {
				break
			}
			term = sub(num(0), quo(mul(term, square), num(n+1)))
		}
		return sub(num(1), quo(mul(num(2), s), rootPi))
	}
	f := num(0)
	for n := 400.0; n > 0; n-- {
		f = quo(num(n/2), sum(x, f))
	}
	return quo(bigExp(sub(num(0), mul(x, x))), mul(rootPi, sum(x, f)))
}

// bigPi is Machin's.
func bigPi() *big.Float {
	arctan := func(n float64) *big.Float {
		power, s := quo(num(1), num(n)), num(0)
		for k := 1.0; ; k += 2 {
			t := quo(power, num(k))
			if s = sum(s, t); small(t, s) {
				return s
			}
			power = sub(num(0), quo(power, num(n*n)))
		}
	}
	return mul(num(4), sub(mul(num(4), arctan(5)), arctan(239)))
}

// ulps returns how far got is from want, in the last place of want.
func ulps(got float64, want *big.Float) float64 {
	w, _ := want.Float64()
	if w == got {
		return 0 // within half a unit; the exact distance does not matter
	}
	if math.IsNaN(got) || math.IsInf(got, 0) || math.IsInf(w, 0) {
		return math.Inf(1)
	}
	e := max(want.MantExp(nil)-53, -1074)
	d, _ := new(big.Float).SetMantExp(sub(num(got), want), -e).Float64()
	return math.Abs(d)
}

func TestBigPi(t *testing.T) {
	if p, _ := bigPi().Float64(); p != math.Pi {
		t.Fatal(p)
	}
}
