package mechanism

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// largest is what numerator and denominator of a Ratio are at most: 2^52, so that the samplers stay in 128 bits.
const largest = 1 << 52

// Ratio is a positive rational number in lowest terms, as samplers take it: numerator and denominator are from 1 to
// 2^52. The zero Ratio is none.
type Ratio struct{ Num, Den uint64 }

// NewRatio returns num/den.
func NewRatio(num, den uint64) (Ratio, error) {
	if num == 0 || den == 0 {
		return Ratio{}, errors.New("a parameter of noise must be positive")
	}
	d := gcd(num, den)
	r := Ratio{num / d, den / d}
	if r.Num > largest || r.Den > largest {
		return Ratio{}, fmt.Errorf("%d/%d has more digits than 52 bits: round it", r.Num, r.Den)
	}
	return r, nil
}

// ParseRatio reads a positive decimal such as 0.1 or 1e-3, or a fraction such as 1/3, exactly. Anything that can be
// read in two ways is refused.
func ParseRatio(text string) (Ratio, error) {
	r, err := Exactly(text)
	if err != nil {
		return Ratio{}, err
	}
	if !r.Num().IsUint64() || !r.Denom().IsUint64() {
		return Ratio{}, fmt.Errorf("%s has more digits than 52 bits: round it", text)
	}
	return NewRatio(r.Num().Uint64(), r.Denom().Uint64())
}

// Exactly reads a decimal or a fraction of digits, at least 0, exactly. Exponents are from -99 to 99.
func Exactly(text string) (*big.Rat, error) {
	bad := fmt.Errorf("%q is not a number such as 0.1, 1e-6 or 1/3", text)
	if text == "" || len(text) > 60 || strings.Trim(text, "0123456789.e-/") != "" || strings.HasPrefix(text, "-") {
		return nil, bad
	}
	if _, power, scientific := strings.Cut(text, "e"); scientific {
		if n, err := strconv.Atoi(power); err != nil || n < -99 || n > 99 || strings.Contains(text, "/") {
			return nil, bad
		}
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok || strings.Contains(text, "/") && strings.ContainsAny(text, ".-") {
		return nil, bad
	}
	return r, nil
}

// Decimal returns the number that a float64 was written as: of 0.1 that is 1/10. Where that has more digits than a
// Ratio takes, the result is AtMost.
func Decimal(x float64) (Ratio, error) {
	if !(x > 0) || math.IsInf(x, 1) {
		return Ratio{}, fmt.Errorf("%v is not a positive number", x)
	}
	if r, err := ParseRatio(strconv.FormatFloat(x, 'g', -1, 64)); err == nil {
		return r, nil
	}
	return AtMost(x)
}

// AtMost returns a ratio just below x, or x: within a part in 2^20 for x from 2^-32 to 2^52.
func AtMost(x float64) (Ratio, error) { return near(x, math.Floor) }

// Below returns a ratio just below a positive number, or it: within a part in 2^20, as AtMost does.
func Below(r *big.Rat) (Ratio, error) {
	x, _ := r.Float64()
	if c := new(big.Rat).SetFloat64(x); c != nil && c.Cmp(r) > 0 {
		x = math.Nextafter(x, 0)
	}
	return AtMost(x)
}

// AtLeast returns a ratio just above x, or x: within a part in 2^20 for x from 2^-32 to 2^51.
func AtLeast(x float64) (Ratio, error) { return near(x, math.Ceil) }

// near rounds to 20 bits behind the leading one, or to whole numbers where these are more.
func near(x float64, round func(float64) float64) (Ratio, error) {
	_, exponent := math.Frexp(x)
	shift := min(max(21-exponent, 0), 52)
	n := round(math.Ldexp(x, shift))
	if !(n >= 1 && n <= largest) {
		return Ratio{}, fmt.Errorf("noise cannot have the parameter %v: it is beyond 2^52, or too small", x)
	}
	return NewRatio(uint64(n), 1<<shift)
}

// Float returns the nearest float64.
func (r Ratio) Float() float64 { return float64(r.Num) / float64(r.Den) }

// Rat returns the number.
func (r Ratio) Rat() *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(r.Num), new(big.Int).SetUint64(r.Den))
}

// String is that of the fraction, as ParseRatio reads it.
func (r Ratio) String() string {
	if r.Den == 1 {
		return strconv.FormatUint(r.Num, 10)
	}
	return fmt.Sprintf("%d/%d", r.Num, r.Den)
}

// Over returns r/k.
func (r Ratio) Over(k uint64) (Ratio, error) {
	if k == 0 {
		return Ratio{}, errors.New("a share of nothing")
	}
	d := gcd(r.Num, k)
	hi, den := bits.Mul64(r.Den, k/d)
	if hi != 0 {
		return Ratio{}, fmt.Errorf("%v/%d has more digits than 52 bits", r, k)
	}
	return NewRatio(r.Num/d, den)
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
