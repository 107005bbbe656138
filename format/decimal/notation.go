package decimal

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"
)

// Notation is how the numbers of a column are written: the sign before decimals, and the one between groups of three
// digits, which may be left out in any number.
type Notation struct {
	Point byte   // '.' or ','
	Group string // between groups of three digits; empty where there is none
}

// plainPoint and plainComma are the notations without groups.
var plainPoint, plainComma = Notation{Point: '.'}, Notation{Point: ','}

// groupSigns are what stands between groups of three digits; those of a line are taken for one another.
var groupSigns = [][]string{{"."}, {","}, {" ", "\u00a0", "\u202f", "\u2009"}, {"'", "\u2019"}}

var errNotation = errors.New("expected a number that shows both signs, such as 1.234,56, 1,234.56, 1234.56, 1234,56, " +
	"1 234,56 or 1'234.56")

// ParseNotation returns the notation that an example shows: 1.234,56 has points between groups and a decimal comma. A
// sign that comes twice stands between groups. It fails where an example leaves open which sign does what, as 1.234.
func ParseNotation(example string) (Notation, error) {
	digitsOnly := func(s string) bool { return s != "" && digitsOf(s) == len(s) }
	for _, point := range []byte{',', '.'} {
		whole, fraction, found := strings.Cut(example, string(point))
		if !found || !digitsOnly(fraction) {
			continue
		}
		n := Notation{Point: point}
		if digitsOnly(whole) {
			if len(fraction) != 3 || len(whole) > 3 || whole[0] == '0' {
				return n, nil
			}
			continue // either sign could be meant
		}
		if r, size := utf8.DecodeRuneInString(whole[digitsOf(whole):]); size > 0 {
			n.Group = string(r)
		}
		if _, ok := n.Plain(nil, []byte(example)); ok && n.Group != string(point) && groupOf(n.Group) != nil {
			return n, nil
		}
	}
	for _, point := range []byte{',', '.'} { // 1.234.567 has no decimals, and tells all the same
		n := Notation{Point: point, Group: string(".,"[strings.IndexByte(",.", point)])}
		if _, ok := n.Plain(nil, []byte(example)); ok && strings.Count(example, n.Group) > 1 {
			return n, nil
		}
	}
	return Notation{}, errNotation
}

// String is an example of the notation.
func (n Notation) String() string { return "1" + n.Group + "234" + string(n.Point) + "56" }

// Plain appends a number without the signs between its groups, for Parse to read; false where its groups are not of
// this notation.
func (n Notation) Plain(dst, cell []byte) ([]byte, bool) {
	whole, rest := cell, []byte(nil)
	if at := bytes.IndexByte(cell, n.Point); at >= 0 {
		whole, rest = cell[:at], cell[at:]
	}
	if len(whole) > 0 && (whole[0] == '-' || whole[0] == '+') {
		dst, whole = append(dst, whole[0]), whole[1:]
	}
	first := digitsOf(whole)
	dst = append(dst, whole[:first]...)
	signs := groupOf(n.Group)
	for whole = whole[first:]; len(whole) > 0; whole = whole[3:] {
		size := prefixOf(whole, signs)
		if size == 0 {
			break
		}
		if whole = whole[size:]; first < 1 || first > 3 || digitsOf(whole) < 3 {
			return dst, false
		}
		dst = append(dst, whole[:3]...)
	}
	dst = append(dst, whole...) // an exponent; anything else Parse refuses
	return append(dst, rest...), digitsOf(whole) == 0
}

// Parse reads a number of this notation, as the function Parse does. It uses buf, which stays the caller's.
func (n Notation) Parse(cell []byte, buf *[]byte) (v float64, s Shape, ok bool) {
	if n.Group == "" {
		return Parse(cell, n.Point)
	}
	if *buf, ok = n.Plain((*buf)[:0], cell); !ok {
		return 0, s, false
	}
	return Parse(*buf, n.Point)
}

// AddAll makes room for the digits of n texts; false where one is no number of the notation.
func (s *Shape) AddAll(n int, text func(k int) string, in Notation) bool {
	var buf []byte
	for k := range n {
		_, one, ok := in.Parse([]byte(text(k)), &buf)
		if !ok {
			return false
		}
		s.Add(one)
	}
	return true
}

// Written changes the number at dst[start:], which has a decimal point, to this notation.
func (n Notation) Written(dst []byte, start int) []byte {
	at := bytes.IndexByte(dst[start:], '.')
	end := len(dst)
	if at >= 0 {
		end = start + at
		dst[end] = n.Point
	}
	if n.Group == "" || bytes.ContainsAny(dst[start:], "eE") {
		return dst
	}
	if dst[start] == '-' {
		start++
	}
	for at := end - 3; at > start; at -= 3 {
		dst = append(dst, n.Group...)
		copy(dst[at+len(n.Group):], dst[at:])
		copy(dst[at:], n.Group)
	}
	return dst
}

// groupOf returns the signs that are taken for a sign between groups, nil for none.
func groupOf(sign string) []string {
	for _, alike := range groupSigns {
		for _, s := range alike {
			if s == sign {
				return alike
			}
		}
	}
	return nil
}

// prefixOf is how long the sign is with which b begins, in bytes; 0 where it begins with none.
func prefixOf(b []byte, signs []string) int {
	for _, s := range signs {
		if len(b) >= len(s) && string(b[:len(s)]) == s {
			return len(s)
		}
	}
	return 0
}

// digitsOf counts the digits at the beginning.
func digitsOf[T string | []byte](s T) int {
	n := 0
	for n < len(s) && s[n]-'0' <= 9 {
		n++
	}
	return n
}

// Readings are what a number with one sign before exactly three digits may mean: a decimal sign, or one between groups.
func Readings(sign byte) (grouped, decimals Notation) {
	if sign == ',' {
		return Notation{Point: '.', Group: ","}, plainComma
	}
	return Notation{Point: ',', Group: "."}, plainPoint
}
