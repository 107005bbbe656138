// Package decimal reads and writes the decimal numbers of text files: exactly, and keeping count of the digits that
// make the grid of a column.
package decimal

import (
	"math"
	"strconv"
	"strings"

	"github.com/dither-data/dither/table"
)

// MaxDigits is how many decimal digits a float64 keeps through text and back, whatever they are.
const MaxDigits = 15

var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// Shape is how many digits the numbers of a column have before and after the point, at most. A number with an exponent
// counts as more digits than any grid has.
type Shape struct {
	ints int
	decs int // digits behind the point, as written
	grid int // digits behind the point without the zeros at the end
	seen evidence
}

// evidence is what numbers show of the sign before their decimals.
type evidence uint8

const (
	likeGroups  evidence = 1 << iota // 95.645, which may be 95 thousand
	likeBare                         // 725, which no thousand has
	decimalSign                      // 2.5, 0.125 or 1234.567, which groups of three digits are not
	ungrouped                        // 1234, which no sign groups
)

// Add makes room for the digits of o.
func (s *Shape) Add(o Shape) {
	s.ints, s.decs, s.grid = max(s.ints, o.ints), max(s.decs, o.decs), max(s.grid, o.grid)
	s.seen |= o.seen
}

// Doubtful reports whether what was read as decimals may be thousands: every number with a decimal sign has one to
// three digits before it, none of them a leading zero, and exactly three behind it, and no other number reaches 1,000.
// Where the sign is known to be the decimal one elsewhere in the file, only numbers are doubtful that have decimals
// beside others that have none, for a program writes all or strips zeros.
func (s Shape) Doubtful(known bool) bool {
	return s.seen&(likeGroups|decimalSign|ungrouped) == likeGroups && (!known || s.seen&likeBare != 0)
}

// Decides reports whether a number shows beyond doubt which sign is the decimal one.
func (s Shape) Decides() bool { return s.seen&decimalSign != 0 }

// Decimals returns how many digits there are behind the point, as written.
func (s Shape) Decimals() int { return s.decs }

// Step returns the grid of numbers of this shape: the greatest power of ten, up to 1, of which all are multiples, or 0
// where the digits are more than a float64 keeps. Zeros at the end do not count: 1.0 and 2.0 are integers.
func (s Shape) Step() float64 {
	if s.ints+s.grid > MaxDigits {
		return 0
	}
	return 1 / pow10[s.grid]
}

// Padded returns how many decimals the numbers are written with where those are more than the grid needs, MaxDigits at
// most; 0 where they are not, and for numbers that are on no grid.
func (s Shape) Padded() int {
	if s.decs == s.grid || s.ints+s.grid > MaxDigits {
		return 0
	}
	return min(s.decs, MaxDigits)
}

// Parse reads a decimal number: a sign, digits, a point with digits, an exponent. It refuses what is more likely a code
// than a quantity (a leading zero before another digit, an integer of more than 15 digits) and what is not finite. Up
// to 15 digits the quotient of two exact float64 is the correctly rounded value; beyond that strconv decides.
func Parse(b []byte, point byte) (v float64, s Shape, ok bool) {
	i, n := 0, len(b)
	if n > 0 && (b[0] == '-' || b[0] == '+') {
		i = 1
	}
	digits := i
	var mant uint64
	for ; i < n && b[i]-'0' <= 9; i++ {
		mant = mant*10 + uint64(b[i]-'0')
	}
	s.ints = i - digits
	if s.ints > 1 && b[digits] == '0' {
		return 0, s, false
	}
	if i == n && 0 < s.ints && s.ints <= MaxDigits {
		v = float64(mant)
		if s.seen = likeBare; s.ints > 3 {
			s.seen = ungrouped
		}
	} else if v, s, ok = parseReal(b, i, mant, s.ints, point); !ok {
		return 0, s, false
	}
	if s.ints == 1 && b[digits] == '0' {
		s.ints = 0
	}
	if b[0] == '-' && v != 0 {
		v = -v
	}
	return v, s, true
}

// parseReal goes on behind the integer digits, at b[i], and returns the absolute value.
func parseReal(b []byte, i int, mant uint64, ints int, point byte) (v float64, s Shape, ok bool) {
	s.ints = ints
	n := len(b)
	if i == n {
		return 0, s, false // nothing, or more digits than an integer may have
	}
	at := -1
	if b[i] == point {
		at = i
		for i++; i < n && b[i]-'0' <= 9; i++ {
			mant = mant*10 + uint64(b[i]-'0')
		}
		s.decs = i - at - 1
		for s.grid = s.decs; s.grid > 0 && b[at+s.grid] == '0'; s.grid-- {
		}
	}
	if s.ints+s.decs == 0 {
		return 0, s, false
	}
	s.seen = decimalSign
	if i == n && s.decs == 3 && 1 <= s.ints && s.ints <= 3 && b[at-s.ints] != '0' {
		s.seen = likeGroups
	}
	if i == n && s.ints+s.decs <= MaxDigits {
		return float64(mant) / pow10[s.decs], s, true
	}
	if i < n {
		if i = exponentEnd(b, i); i != n {
			return 0, s, false
		}
		s.ints = MaxDigits + 1
	}
	text := b
	if at >= 0 && point != '.' {
		text = append([]byte(nil), b...)
		text[at] = '.'
	}
	v, err := strconv.ParseFloat(string(text), 64)
	return math.Abs(v), s, err == nil
}

// exponentEnd returns the end of the exponent at b[i], or -1 when there is none.
func exponentEnd(b []byte, i int) int {
	if b[i] != 'e' && b[i] != 'E' {
		return -1
	}
	i++
	if i < len(b) && (b[i] == '+' || b[i] == '-') {
		i++
	}
	digits := i
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	if i == digits {
		return -1
	}
	return i
}

// Append appends v as table.AppendNumber does, given table.Decimals(step). A number on a grid of at most 15 decimals is
// its integer multiple with a point put in, which is exact while the multiple has at most 15 digits. From 1e15 on, a
// continuous number has an exponent, because that many digits alone are read as a code.
func Append(dst []byte, v, step float64, decs int) []byte {
	if step == 0 {
		if math.Abs(v) >= 1e15 {
			return strconv.AppendFloat(dst, v, 'e', -1, 64)
		}
		return strconv.AppendFloat(dst, v, 'f', -1, 64)
	}
	if decs > 0 && decs <= MaxDigits {
		k := math.RoundToEven(v * pow10[decs])
		if math.Abs(k) < 1e15 && k/pow10[decs] == v {
			return appendFixed(dst, int64(k), decs)
		}
	}
	if decs == 0 && math.Abs(v) < 1e15 && v == math.Trunc(v) {
		return strconv.AppendInt(dst, int64(v), 10)
	}
	return table.AppendNumber(dst, v, step)
}

// appendFixed appends k/10^decs.
func appendFixed(dst []byte, k int64, decs int) []byte {
	if k < 0 {
		dst = append(dst, '-')
		k = -k
	}
	start := len(dst)
	dst = strconv.AppendInt(dst, k, 10)
	for len(dst)-start <= decs {
		dst = append(dst, '0')
		copy(dst[start+1:], dst[start:])
		dst[start] = '0'
	}
	at := len(dst) - decs
	dst = append(dst, 0)
	copy(dst[at+1:], dst[at:])
	dst[at] = '.'
	return dst
}

// Pad appends to a number of decs decimals, as Append wrote it, the zeros that make them want. A number without a fixed
// number of decimals, decs below 0, stays as it is.
func Pad(dst []byte, decs, want int) []byte {
	if decs < 0 || decs >= want {
		return dst
	}
	if decs == 0 {
		dst = append(dst, '.')
	}
	for ; decs < want; decs++ {
		dst = append(dst, '0')
	}
	return dst
}

// PadLabel is Pad for a label: one that is no number on a grid stays as it is.
func PadLabel(l string, want int) string {
	if want == 0 {
		return l
	}
	_, s, ok := Parse([]byte(l), '.')
	if !ok || s.Step() == 0 || strings.HasSuffix(l, ".") {
		return l
	}
	return string(Pad([]byte(l), s.decs, want))
}

// Grid returns the coarsest power of ten of which all numbers are multiples, as far as text of at most MaxDigits digits
// can tell: 1, 0.1, 0.01 and so on, or 0 where there is none. NaN counts for nothing. Cost: O(len(values)).
func Grid(values []float64) float64 {
	d, largest := 0, 0.0
	for _, v := range values {
		if v != v {
			continue
		}
		largest = max(largest, math.Abs(v))
		for d <= MaxDigits && math.RoundToEven(v*pow10[d])/pow10[d] != v {
			d++
		}
		if d > MaxDigits || largest*pow10[d] >= 1e15 {
			return 0
		}
	}
	return 1 / pow10[d]
}
