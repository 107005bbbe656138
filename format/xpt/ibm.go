package xpt

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Numbers are those of IBM's mainframes: a sign, an exponent of 16 less bias, and a fraction of 56 bits below 1.
const (
	bias         = 64
	fractionBits = 56
)

// number reads a number whose lowest bytes may have been left off, or the letter of a missing value: a small one,
// underscore, or 0 for the value . and for numbers.
func number(b []byte) (x float64, letter byte) {
	var all [8]byte
	copy(all[:], b)
	v := binary.BigEndian.Uint64(all[:])
	fraction := v << 8 >> 8
	if first := b[0]; fraction == 0 && first != 0 && first != 0x80 {
		switch {
		case first == '_':
			return math.NaN(), '_'
		case first >= 'A' && first <= 'Z':
			return math.NaN(), first - 'A' + 'a'
		}
		return math.NaN(), 0 // the value .
	}
	x = math.Ldexp(float64(fraction), 4*(int(all[0]&0x7f)-bias)-fractionBits)
	if v>>63 == 1 {
		x = -x
	}
	return x + 0, 0
}

// stored returns the bytes of a number; ok is false for one that is too large, or so small that digits are lost.
func stored(x float64) (v uint64, ok bool) {
	if x == 0 {
		return 0, true
	}
	fraction, exp := math.Frexp(math.Abs(x)) // at least 1/2 and below 1
	n := uint64(math.Ldexp(fraction, 53))
	sixteens := (exp + 4*bias + 3) >> 2 // so that the fraction is at least 1/16
	shift := fractionBits - 53 - (4*(sixteens-bias) - exp)
	for ; sixteens < 0; sixteens++ {
		shift -= 4
	}
	if shift < 0 {
		if bits.TrailingZeros64(n) < -shift {
			return 0, false
		}
		n >>= -shift
	} else {
		n <<= shift
	}
	if sixteens > 0x7f {
		return 0, false
	}
	v = uint64(sixteens)<<fractionBits | n
	if x < 0 {
		v |= 1 << 63
	}
	return v, true
}

// missing is how a missing value is stored, with the letter of its reason, or 0.
func missing(letter byte) uint64 {
	switch {
	case letter >= 'a' && letter <= 'z':
		return uint64(letter-'a'+'A') << fractionBits
	case letter == '_':
		return '_' << fractionBits
	}
	return '.' << fractionBits
}
