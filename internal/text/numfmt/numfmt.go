// Package numfmt writes numbers for readers: with separators between thousands, true minus signs, and no meaningless
// digits.
package numfmt

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Count writes a number of things with thousands separators: 30,162. A fraction, as weighted records have, keeps one
// decimal.
func Count(n float64) string {
	if math.IsNaN(n) {
		return "not known"
	}
	if r := math.Round(n); math.Abs(n-r) < 0.05 {
		return Group(strconv.FormatFloat(r, 'f', 0, 64), 4)
	}
	return Group(strconv.FormatFloat(n, 'f', 1, 64), 4)
}

// Number writes a value in the fewest digits that tell it from its neighbours on a scale of the given resolution:
// Number(0.1+0.2, 0.01) is 0.3. A value that would vanish keeps its digits. Resolution 0 takes seven significant
// digits. From 10,000 on it separates thousands.
func Number(v, resolution float64) string {
	switch {
	case math.IsNaN(v):
		return "missing"
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "−∞"
	}
	var s string
	if resolution > 0 && resolution >= math.Abs(v)*1e-12 {
		s = strconv.FormatFloat(v, 'f', decimals(resolution), 64)
	} else {
		s = strconv.FormatFloat(v, 'g', 7, 64)
		if f, err := strconv.ParseFloat(s, 64); err == nil && math.Abs(f) < 1e9 && (math.Abs(f) >= 1e-4 || f == 0) {
			s = strconv.FormatFloat(f, 'f', -1, 64)
		}
	}
	if len(s) > 13 || v != 0 && strings.Trim(s, "-0.") == "" {
		s = strconv.FormatFloat(v, 'g', 4, 64)
	}
	if strings.Contains(s, ".") && !strings.Contains(s, "e") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return Group(s, 5)
}

// decimals returns how many decimals show multiples of step.
func decimals(step float64) int {
	d := 0
	for ; d < 12 && math.Abs(step-math.Round(step)) > 1e-6*step; d++ {
		step = float64(step * 10)
	}
	return d
}

// Fixed writes a value with the given number of decimals, thousands separated from 10,000 on.
func Fixed(v float64, decimals int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) >= 1e12 {
		return Number(v, 0)
	}
	return Group(strconv.FormatFloat(v, 'f', decimals, 64), 5)
}

// Rounded writes a number with so many significant digits.
func Rounded(v float64, digits int) string { return Number(Significant(v, digits), 0) }

// Round is the number that Fixed writes: with so many decimals, half to even in the digits of v itself.
func Round(v float64, decimals int) float64 { return rounded(v, 'f', decimals) }

// Significant is the number that Rounded writes: with so many significant digits.
func Significant(v float64, digits int) float64 { return rounded(v, 'g', digits) }

func rounded(v float64, format byte, digits int) float64 {
	if r, err := strconv.ParseFloat(strconv.FormatFloat(v, format, digits, 64), 64); err == nil {
		return r
	}
	return v
}

// Group puts commas between thousands when the whole part has at least from digits, writes a true minus sign and never
// -0.
func Group(s string, from int) string {
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	whole, rest := s, ""
	if k := strings.IndexAny(s, ".e"); k >= 0 {
		whole, rest = s[:k], s[k:]
	}
	if len(whole) >= from {
		for k := len(whole) - 3; k > 0; k -= 3 {
			whole = whole[:k] + "," + whole[k:]
		}
	}
	if s = whole + rest; neg && strings.Trim(s, "0.") != "" {
		return "−" + s
	}
	return s
}

// Percent writes a share in [0, 1] in per cent with one decimal. Only exact shares come out as 0 and as 100: what would
// be rounded to them is written as under 0.1 and over 99.9.
func Percent(share float64) string {
	if math.IsNaN(share) || math.IsInf(share, 0) {
		return "not known"
	}
	switch v := math.Round(share*1000) / 10; {
	case v == 0 && share > 0:
		return "under 0.1 %"
	case v >= 100 && share < 1:
		return "over 99.9 %"
	default:
		return figure(v) + " %"
	}
}

// figure writes a number with at most one decimal.
func figure(v float64) string {
	return Group(strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0"), 5)
}

// Counted writes a number of things with their name in the singular: 1 record, 30,162 records, 3 people.
func Counted(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case noun == "person":
		return Count(float64(n)) + " people"
	}
	return Count(float64(n)) + " " + noun + "s"
}

// Are writes a number of things that are something: 1 record is, 30,162 records are.
func Are(n int, noun string) string { return Verb(n, noun, "is", "are") }

// Verb writes a number of things with a verb in the singular or the plural: 1 record repeats, 30,162 records repeat.
func Verb(n int, noun, one, many string) string {
	if n == 1 {
		return Counted(n, noun) + " " + one
	}
	return Counted(n, noun) + " " + many
}

// Sprintf is fmt.Sprintf for sentences: every whole number that %d writes gets separators between thousands.
func Sprintf(format string, args ...any) string {
	counts := make([]any, len(args))
	for k, a := range args {
		counts[k] = a
		if n, ok := a.(int); ok {
			counts[k] = count(n)
		}
	}
	return fmt.Sprintf(format, counts...)
}

// count is a number of things in a sentence.
type count int

// Format writes the count, by whatever verb.
func (c count) Format(f fmt.State, _ rune) { io.WriteString(f, Count(float64(c))) }
