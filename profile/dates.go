package profile

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// isDate reports whether a text starts with a day of the calendar and ends there or goes on with a time. It takes the
// year of four digits first or last, the same mark out of - . / twice, and day and month in either order where the year
// is last.
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

// months are the beginnings of the names of the months in English and German, in order.
var months = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
	"jän", "feb", "mär", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "dez"}

// loosely reads a text as a day of the calendar written as people do: "3. 5. 1950", "3.5.50", "3 May 1950", "May 3,
// 1950", "03051950". Alone such a text proves little; where nearly all of many texts of a column read so, they are
// dates. Two digits are a year of the twentieth century: which one is meant does not matter to whether it is a date.
func loosely(s string) (year int, ok bool) {
	if n, digits := decimal(s); digits && len(s) == 8 {
		return unmarked(n)
	}
	words := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("-./, ", r) })
	if len(words) > 3 && strings.Contains(words[3], ":") {
		words = words[:3]
	}
	if len(words) != 3 {
		return 0, false
	}
	month := 0
	if k := slices.IndexFunc(words[:2], func(w string) bool { return monthOf(w) > 0 }); k >= 0 {
		month, words = monthOf(words[k]), slices.Delete(words, k, k+1)
	}
	var v [3]int
	for k, w := range words {
		if v[k], ok = decimal(w); !ok || len(w) > 4 || len(w) == 3 {
			return 0, false
		}
	}
	last := len(words) - 1
	if len(words[0]) == 4 {
		v[0], v[last], words[0], words[last] = v[last], v[0], words[last], words[0]
	}
	year = v[last]
	switch {
	case len(words[0]) > 2 || len(words[last]) == 1:
		return 0, false
	case len(words[last]) == 2:
		year += 1900
	}
	if month > 0 {
		return year, isCalendar(year, month, v[0])
	}
	return year, isCalendar(year, v[1], v[0]) || isCalendar(year, v[0], v[1])
}

// unmarked reads a number of eight digits as a day: yyyymmdd, ddmmyyyy or mmddyyyy.
func unmarked(n int) (year int, ok bool) {
	for _, d := range [][3]int{
		{n / 10000, n / 100 % 100, n % 100},
		{n % 10000, n / 10000 % 100, n / 1000000},
		{n % 10000, n / 1000000, n / 10000 % 100},
	} {
		if isCalendar(d[0], d[1], d[2]) {
			return d[0], true
		}
	}
	return 0, false
}

// monthOf returns the number of the month that a word names or begins to name, or 0.
func monthOf(word string) int {
	w := strings.ToLower(word)
	if k := slices.IndexFunc(months, func(m string) bool { return strings.HasPrefix(w, m) }); k >= 0 {
		return k%12 + 1
	}
	return 0
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

// numbers reports whether a text may number something: it holds a digit, and neither a decimal mark nor a sign of
// comparison.
func numbers(s string) bool {
	return strings.ContainsAny(s, "0123456789") && !strings.ContainsAny(s, measured)
}

// names reports whether a text may number or name something: it holds a digit, a capital or a blank, and nothing of a
// measurement or a range.
func names(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r == ' ' || unicode.IsDigit(r) || unicode.IsUpper(r) }) &&
		!strings.ContainsAny(s, measured+"[(")
}

// measured are a decimal mark and signs of comparison.
const measured = ".,<>%"
