package decimal

import (
	"math"
	"strconv"
)

// fromHalf returns the floating-point number of 16 bits (IEEE 754 binary16) that these bits are.
func fromHalf(h uint16) float64 {
	exponent, fraction := int(h>>10&31), float64(h&1023)
	x := 0.0
	switch exponent {
	case 0:
		x = math.Ldexp(fraction, -24)
	case 31:
		if x = math.Inf(1); fraction > 0 {
			return math.NaN()
		}
	default:
		x = math.Ldexp(1024+fraction, exponent-25)
	}
	if h>>15 == 1 {
		return -x
	}
	return x
}

// ToHalf returns the bits of the nearest such number, an even one of two that are as near.
func ToHalf(x float64) uint16 {
	if x != x {
		return 0x7e00
	}
	sign := uint16(math.Float64bits(x) >> 48 & 0x8000)
	if x = math.Abs(x); x == 0 {
		return sign
	}
	_, e := math.Frexp(x)
	e = max(e, -13) // of the smallest normal number
	k := math.RoundToEven(math.Ldexp(x, 11-e))
	if x >= 65520 { // from where on all is infinite
		return sign | 0x7c00
	}
	return sign | uint16(int(k)+(e+13)<<10) // a fraction that was rounded up to 2048 goes on to the next exponent
}

// Half returns the number with the fewest digits that has these bits as the nearest; a whole number stays what it
// is.
func Half(h uint16) float64 {
	x := fromHalf(h)
	if x == math.Trunc(x) {
		return x
	}
	for digits := 1; digits <= 5; digits++ {
		if v, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64); err == nil && ToHalf(v) == h {
			return v
		}
	}
	return x
}
