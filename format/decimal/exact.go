package decimal

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Files with typed columns hold decimal numbers as whole ones and a scale: 12345 of scale 2 is 123.45. They may have 38
// digits or 76, of which a float64 tells 15 apart, and whole numbers up to 2^53.

// largest is the number up to which whole numbers are told apart, and wide that of numbers with decimals.
const (
	largest = 1 << 53
	wide    = 1e15
)

// Exact returns k/10^scale; ok is false where a float64 would be that of another decimal number, too. Zeros at the end
// do not count: 1.500000000000000000 is 1.5. scale is 0 or more.
func Exact(k int64, scale int) (x float64, ok bool) {
	for scale > 0 && k%10 == 0 && (k <= -wide || k >= wide || scale >= len(pow10)) {
		if k == 0 {
			return 0, true
		}
		k, scale = k/10, scale-1
	}
	switch {
	case scale == 0:
		return float64(k), -largest <= k && k <= largest
	case k <= -wide || k >= wide:
		return 0, false
	case scale < len(pow10):
		return float64(k) / pow10[scale], true
	}
	x, err := strconv.ParseFloat(string(AppendScaled(nil, big.NewInt(k), scale)), 64)
	return x, err == nil && math.Abs(x) >= 0x1p-1022 // what is smaller has fewer digits
}

// ExactBig is Exact for a number of any size, which it may change.
func ExactBig(k *big.Int, scale int) (x float64, ok bool) {
	ten, rest := big.NewInt(10), new(big.Int)
	for !k.IsInt64() {
		if scale--; scale < 0 {
			return 0, false
		}
		if k.QuoRem(k, ten, rest); rest.Sign() != 0 {
			return 0, false
		}
	}
	return Exact(k.Int64(), scale)
}

// AppendScaled appends k/10^scale with as many decimals as scale.
func AppendScaled(dst []byte, k *big.Int, scale int) []byte {
	digits := new(big.Int).Abs(k).String()
	if k.Sign() < 0 {
		dst = append(dst, '-')
	}
	if short := scale + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	dst = append(dst, digits[:len(digits)-scale]...)
	if scale > 0 {
		dst = append(append(dst, '.'), digits[len(digits)-scale:]...)
	}
	return dst
}

// Scaled returns the whole number of a decimal one written in digits, as AppendScaled or strconv.FormatFloat do without
// an exponent; ok is false for any other text, and where it has more decimals than scale or, so scaled, more digits
// than precision.
func Scaled(text string, scale, precision int) (k *big.Int, ok bool) {
	whole, part, _ := strings.Cut(text, ".")
	if part = strings.TrimRight(part, "0"); len(part) > scale {
		return nil, false
	}
	bare := strings.TrimPrefix(whole, "-")
	for _, c := range bare + part {
		if c < '0' || c > '9' {
			return nil, false
		}
	}
	if bare == "" {
		return nil, false
	}
	k, ok = new(big.Int).SetString(whole+part+strings.Repeat("0", scale-len(part)), 10)
	return k, ok && len(new(big.Int).Abs(k).String()) <= precision
}

// Unscaled returns a number as a whole one of a scale, of at most so many digits; ok is false where Exact would not
// make the same number of it. Cost: that of a conversion to text, but for numbers of few digits.
func Unscaled(v float64, scale, precision int) (k *big.Int, ok bool) {
	if scale < len(pow10) {
		k := math.RoundToEven(v * pow10[scale])
		if math.Abs(k) < min(wide, math.Pow10(precision)) && k/pow10[scale] == v {
			return big.NewInt(int64(k)), true
		}
	}
	k, ok = Scaled(strconv.FormatFloat(v, 'f', -1, 64), scale, precision)
	if !ok {
		return nil, false
	}
	back, ok := ExactBig(new(big.Int).Set(k), scale)
	return k, ok && back == v
}
