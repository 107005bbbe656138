package profile

import (
	"math"
	"strings"
)

// isDate reports whether a text starts with a day of the calendar and ends there or goes on with a time. It takes the year of
// four digits first or last, the same mark out of - . / twice, and day and month in either order where the year is last.
func isDate(s string) bool {
	day, _, _ := strings.Cut(s, " ")
	if at := strings.IndexByte(day, 'T'); at > 0 {
		day = day[:at]
	}
	if n, ok := decimal(day); ok && len(day) == 8 {
		return len(day) < len(s) && isDay(float64(n))
	}
	for _, mark := range []string{"-", ".", "/"} {
		a, rest, found := strings.Cut(day, mark)
		if !found {
			continue
		}
		b, c, _ := strings.Cut(rest, mark)
		x, ok1 := decimal(a)
		y, ok2 := decimal(b)
		z, ok3 := decimal(c)
		switch {
		case !ok1 || !ok2 || !ok3 || len(b) > 2:
			return false
		case len(a) == 4:
			return len(c) <= 2 && isCalendar(x, y, z)
		case len(c) == 4 && len(a) <= 2:
			return isCalendar(z, y, x) || isCalendar(z, x, y)
		}
		return false
	}
	return false
}

// isDay reports whether a number reads as a date, yyyymmdd.
func isDay(v float64) bool {
	if v != math.Trunc(v) || v < 1e7 || v >= 1e8 {
		return false
	}
	n := int(v)
	return isCalendar(n/10000, n/100%100, n%100)
}

// isCalendar allows for 29 February in every year.
func isCalendar(year, month, day int) bool {
	if year < 1800 || year > 2200 || month < 1 || month > 12 || day < 1 {
		return false
	}
	return day <= [...]int{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
}

// decimal reads one to eight digits.
func decimal(s string) (n int, ok bool) {
	if s == "" || len(s) > 8 {
		return 0, false
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, true
}

// numbers reports whether a text may number something: it holds a digit, and neither a decimal mark nor a sign of comparison.
func numbers(s string) bool {
	return strings.ContainsAny(s, "0123456789") && !strings.ContainsAny(s, ".,<>%")
}
