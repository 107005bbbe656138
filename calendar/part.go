package calendar

import (
	"bytes"
	"math"
	"strings"
)

// partial is what a notation writes less than a day and a time. The zero partial is that of dates.
type partial uint8

const (
	whole   partial = iota
	monthly         // year and month, counted in months since 1970-01
	timely          // a time of the day, counted in units since midnight
)

// daysPerYear is the mean length of a Gregorian year, by which months are a unit beside days.
const daysPerYear = 365.2425

// Monthly reports whether dates of the notation are months.
func (n Notation) Monthly() bool { return n.must().partial == monthly }

// Timely reports whether the notation is that of times of the day, which say no day.
func (n Notation) Timely() bool { return n != "" && n.must().partial == timely }

// Since says what the numbers of a notation are: units since the beginning of 1970, or of the day.
func (n Notation) Since() string {
	if n.Timely() {
		return n.Unit() + " since midnight"
	}
	return n.Unit() + " since 1970-01-01"
}

// Days returns when a date of the notation begins in days since 1970-01-01, the time as a part of the day. It is
// NaN for NaN.
func (n Notation) Days(v float64) float64 {
	l := n.must()
	if l.partial == monthly && v == v {
		return float64(Month.First(int(math.Floor(v)) + epochMonth))
	}
	return v / n.PerDay()
}

// FromDays returns the date of the notation at a number of days since 1970-01-01: of months the one that holds it.
func (n Notation) FromDays(days float64) float64 {
	if n.must().partial == monthly && days == days {
		return float64(Month.At(int(math.Floor(days))) - epochMonth)
	}
	return float64(days * n.PerDay())
}

// Later returns a date of the notation so many days later, of months the one that holds that day.
func (n Notation) Later(v, days float64) float64 {
	if n.must().partial == monthly {
		return n.FromDays(n.Days(v) + days)
	}
	return v + float64(days*n.PerDay())
}

// epochMonth is the number of January 1970 among the parts of Month.
const epochMonth = 12 * 1970

// compilePart reads the notations of months and of times of the day; false for any other.
func compilePart(text string) (*Layout, bool) {
	l := &Layout{}
	switch s := strings.ToLower(text); {
	case s == "yyyymm", s == "yyyy-mm":
		l.partial, l.yearFirst, l.digits, l.perDay = monthly, true, 4, 1
		if s == "yyyy-mm" {
			l.mark = '-'
		}
		return l, true
	case strings.HasPrefix(s, "h") && l.time(" "+s, strings.Contains(text, "AM")) && l.zone == "":
		l.partial = timely
		return l, true
	}
	return nil, false
}

// partNumber is Number for months and times of the day.
func (l *Layout) partNumber(text []byte) (v float64, ok bool) {
	if l.partial == timely {
		f, ok := l.shape.time(append([]byte{l.apart}, text...), 0, fields{})
		if !ok || odd(f.hourBare, f.written, l.bareHour) {
			return 0, false
		}
		return float64(l.number(0, f.clock(), f.micro)), true
	}
	year, at := fixed(text, 0, 4)
	if at > 0 && l.mark != 0 {
		if at >= len(text) || text[at] != l.mark {
			return 0, false
		}
		at++
	}
	if at < 0 {
		return 0, false
	}
	month, end := fixed(text, at, 2)
	if end != len(text) || !exists(year, month, 1) {
		return 0, false
	}
	return float64(12*year + month - 1 - epochMonth), true
}

// partNotation is Notation for months and times of the day, with the time as it is written behind a day.
func (l *Layout) partNotation(time string) Notation {
	switch {
	case l.partial == timely:
		return Notation(time[1:])
	case l.mark == 0:
		return "yyyymm"
	}
	return "yyyy-mm"
}

// bounds are the first number that is written and the one behind the last.
func (l *Layout) bounds() (lo, hi float64) {
	switch l.partial {
	case monthly:
		return 12*firstYear - epochMonth, 12*(lastYear+1) - epochMonth
	case timely:
		return 0, float64(l.perDay)
	case whole:
	}
	from, to := first, last
	if l.digits == 2 {
		from, to = days(l.hundred, 1, 1), days(l.hundred+99, 12, 31)
	}
	return float64(float64(from) * float64(l.perDay)), float64(float64(to+1) * float64(l.perDay))
}

// appendMonths appends a month.
func (l *Layout) appendMonths(dst []byte, v float64) []byte {
	lo, hi := l.bounds()
	m := int(max(lo, min(math.Floor(v), hi-1))) + epochMonth
	if dst = pad(dst, m/12, 4); l.mark != 0 {
		dst = append(dst, l.mark)
	}
	return pad(dst, m%12+1, 2)
}

// Months returns the notation of which all numbers are months written without a mark, yyyymm, of the years 1900 to
// 2100: of several years and at least half a year's months, which numbers of another kind hardly are by chance; ""
// where they are not. Cost: O(numbers), less for others as a rule.
func Months(numbers []float64) Notation {
	var seen [13]bool
	months, lo, hi := 0, math.Inf(1), math.Inf(-1)
	for _, v := range numbers {
		if v != v {
			continue
		}
		if v != math.Trunc(v) || v < 190001 || v > 210012 {
			return ""
		}
		m := int(v) % 100
		if m < 1 || m > 12 {
			return ""
		}
		if !seen[m] {
			seen[m] = true
			months++
		}
		lo, hi = min(lo, math.Floor(v/100)), max(hi, math.Floor(v/100))
	}
	if months < 6 || lo == hi {
		return ""
	}
	return "yyyymm"
}

// Parts returns the notation of which all texts are times of the day (08:30, 8:30, 08:30:15) or months (2020-03); ""
// where they are not of one. Cost: O(texts).
func Parts(texts []string) Notation {
	if len(texts) == 0 {
		return ""
	}
	zero, bare := false, false
	n := Notation("yyyy-mm")
	if at := strings.IndexByte(texts[0], ':'); at > 0 {
		n = "hh:mm"
		if bytes.Count([]byte(texts[0]), []byte{':'}) == 2 {
			n = "hh:mm:ss"
		}
	}
	loose := n.must()
	for _, t := range texts {
		if n != "yyyy-mm" { // which of both ways the hour is written is settled below
			short := strings.IndexByte(t, ':') == 1
			zero, bare = zero || !short && strings.HasPrefix(t, "0"), bare || short
			if short {
				t = "0" + t
			}
		}
		if _, ok := loose.partNumber([]byte(t)); !ok || zero && bare {
			return ""
		}
	}
	if bare {
		return n[1:]
	}
	return n
}
