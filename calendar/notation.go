package calendar

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
)

// Notation says how a column writes its dates, in the letters of which such formats are made: "yyyy-mm-dd",
// "dd.mm.yyyy", "m/d/yyyy h:mm", "yyyy-mm-ddThh:mm:ss.fffZ", "yyyymmdd", "m/d/yyyy h:mm AM", "yyyy-mm-dd
// hh:mm:ss+01:00". Year, month and day stand in the orders yyyy-mm-dd, dd-mm-yyyy and mm-dd-yyyy, twice the same mark
// out of - . / between them; a time follows behind a blank or a T, with AM (or am) where its hours are twelve, and then
// a Z or a distance from UTC, the same in all dates: they are times of the clock there. One letter for two (d, m, h)
// says that no zero leads. Years of two digits say in which year their hundred begins: "dd.mm.yy from 1926" is from
// 1926 to 2025. A month in words stands as December, in its language and its letters: "dd Dec yyyy", "dd-DEC-yy from
// 1926", "d. Dezember yyyy", "December d, yyyy"; where two languages have one word for it, as another month in the
// second: "dd mrt yyyy". Of ddmmyyyy and mmddyyyy the first zero may be missing where a date is
// read. Times that end in Z may be read with other distances from UTC. Months alone are "yyyymm" and "yyyy-mm", times
// of the day "hh:mm", "h:mm" and "hh:mm:ss". The zero Notation is that of numbers that are no dates.
type Notation string

// Some notations that are common.
const (
	ISO     Notation = "yyyy-mm-dd"
	ISOTime Notation = "yyyy-mm-ddThh:mm:ss"
)

// maxFraction is how many decimals seconds may have: 2^53 millionths of a second are 285 years.
const maxFraction = 6

// Parse reads a notation, in letters of either case, and returns it as it is written here.
func Parse(text string) (Notation, error) {
	l, err := compile(text)
	if err != nil {
		return "", err
	}
	return l.Notation(), nil
}

// Layout is a notation that is ready to read and to write.
type Layout struct {
	shape
	monthFirst           bool // the month stands before the day, the year last
	bareDay, bareMonth   bool // no zero leads
	bareHour             bool
	hundred              int     // the year in which years of two digits begin
	perDay               int     // units
	perMinute, perSecond int     // units; 0 where the unit is longer
	words                *worded // nil where the month is a number
	partial              partial
}

var layouts sync.Map // by notation

// Layout prepares a notation, which is one that Parse or Seen returned; any other is an error.
func (n Notation) Layout() (*Layout, error) {
	if l, ok := layouts.Load(n); ok {
		return l.(*Layout), nil
	}
	l, err := compile(string(n))
	if err != nil {
		return nil, err
	}
	if n != l.Notation() {
		return nil, fmt.Errorf("the notation of dates %q is written %q", n, l.Notation())
	}
	layouts.Store(n, l)
	return l, nil
}

// must is Layout for a notation that was checked where it entered the program.
func (n Notation) must() *Layout {
	l, err := n.Layout()
	if err != nil {
		panic("calendar: " + err.Error())
	}
	return l
}

// Unit says of what a date of the notation is a number, in the plural: days, minutes, seconds.
func (n Notation) Unit() string {
	l := n.must()
	switch {
	case l.partial == monthly:
		return "months"
	case l.clock == 0:
		return "days"
	case l.clock == 1:
		return "minutes"
	case l.fraction == 0:
		return "seconds"
	case l.fraction == 3:
		return "milliseconds"
	case l.fraction == 6:
		return "microseconds"
	}
	return fmt.Sprintf("1e-%d seconds", l.fraction)
}

// PerDay returns how many units a day has, of months in the mean.
func (n Notation) PerDay() float64 {
	l := n.must()
	if l.partial == monthly {
		return 12 / daysPerYear
	}
	return float64(l.perDay)
}

// Append appends a date as the notation writes it. A number between two units is the earlier one.
func (n Notation) Append(dst []byte, v float64) []byte { return n.must().Append(dst, v) }

// Number reads a date in the notation or, where the text is none, in the one of ISO 8601, as "2020-12-31" or with a
// time "2020-12-31 23:59". A day of which a notation with times says no time begins at midnight, and day is true.
func (n Notation) Number(text string) (v float64, day, ok bool) {
	l := n.must()
	if v, ok = l.Number([]byte(text)); ok {
		return v, l.clock == 0, true
	}
	var s Seen
	if l.partial == timely || !s.Add([]byte(text)) || !s.yearFirst || s.clock > l.clock ||
		len(s.zone) > 1 && s.zone != l.zone {
		return 0, false, false
	}
	f, _ := s.scan([]byte(text))
	if l.partial == monthly {
		return n.FromDays(float64(days(f.year, f.a, f.b))), false, true
	}
	if f.micro%pow10[maxFraction-l.fraction] != 0 {
		return 0, false, false
	}
	return float64(l.number(days(f.year, f.a, f.b), f.clock(), f.micro)), s.clock == 0, true
}

// exact is the number from which on not every whole number is a float64.
const exact = 1 << 53

// Whole returns the coarsest of day, minute, second and unit of which all numbers are multiples, in units; a second at
// least where one is 2^53 units from 1970, or further, which a float64 does not tell from its neighbours. NaN counts
// for nothing. Cost: O(len(values)).
func (n Notation) Whole(values []float64) float64 {
	l := n.must()
	grid, large := l.perDay, false
	for _, v := range values {
		if v != v {
			continue
		}
		large = large || math.Abs(v) >= exact
		for k := int(v); k%grid != 0; {
			switch {
			case grid > l.perMinute && l.perMinute > 0:
				grid = l.perMinute
			case grid > l.perSecond && l.perSecond > 0:
				grid = l.perSecond
			default:
				grid = 1
			}
		}
	}
	if large {
		grid = max(grid, l.perSecond)
	}
	return float64(grid)
}

// compile reads a notation.
func compile(text string) (*Layout, error) {
	wrong := func(why string) (*Layout, error) {
		return nil, fmt.Errorf("%q is not a valid date notation: %s; expected one such as yyyy-mm-dd, dd.mm.yyyy, "+
			"m/d/yyyy h:mm or yyyy-mm-dd hh:mm:ss", text, why)
	}
	l := &Layout{}
	whole, from, short := strings.Cut(text, " from ")
	if p, ok := compilePart(whole); ok && !short {
		return p, nil
	}
	if w, ok := compileWords(whole); ok {
		l = w
	} else if s := l.date(strings.ToLower(whole)); s == "?" {
		return wrong("it does not begin with year, month and day")
	} else if !l.time(s, strings.Contains(text, "AM")) {
		return wrong("what follows the day is not a time")
	}
	if two := l.digits == 2; two || short {
		var err error
		switch l.hundred, err = strconv.Atoi(from); {
		case !two:
			return wrong("only years of two digits begin somewhere")
		case !short:
			return nil, fmt.Errorf("%q: years of two digits may be of any hundred; say in which year it begins, such as %q "+
				"for 1926 to 2025", text, text+" from 1926")
		case err != nil || l.hundred < firstYear || l.hundred > lastYear-99:
			return wrong("behind from, the year is expected in which the hundred years begin")
		}
	}
	return l, nil
}

// date takes the day off a notation and returns what is left; "?" where there is none.
func (l *Layout) date(s string) string {
	for _, order := range []string{"yyyymmdd", "ddmmyyyy", "mmddyyyy"} {
		if rest, ok := strings.CutPrefix(s, order); ok && (order[0] == 'y' || rest == "") {
			l.yearFirst, l.monthFirst, l.digits = order[0] == 'y', order[0] == 'm', 4
			return rest
		}
	}
	part, mark, rest, ok := triple(s)
	if !ok {
		return "?"
	}
	l.mark = mark
	if l.yearFirst = strings.HasPrefix(part[0], "y"); l.yearFirst {
		part[0], part[2] = part[2], part[0]
	}
	if l.monthFirst = strings.HasPrefix(part[0], "m"); l.monthFirst {
		part[0], part[1] = part[1], part[0]
	}
	day, month, year := part[0], part[1], part[2]
	switch {
	case l.yearFirst && l.monthFirst,
		day != "d" && day != "dd",
		month != "m" && month != "mm",
		year != "yy" && year != "yyyy":
		return "?"
	}
	l.bareDay, l.bareMonth, l.digits = len(day) == 1, len(month) == 1, len(year)
	return rest
}

// triple takes three runs of one letter each, y, m or d, with the same mark between them, off a notation.
func triple(s string) (part [3]string, mark byte, rest string, ok bool) {
	for k := range part {
		n := 0
		for n < len(s) && strings.IndexByte("ymd", s[n]) >= 0 && s[n] == s[0] {
			n++
		}
		if part[k], s = s[:n], s[n:]; k == len(part)-1 {
			break
		}
		if s == "" || strings.IndexByte("-./", s[0]) < 0 || k == 1 && s[0] != mark {
			return part, mark, s, false
		}
		mark, s = s[0], s[1:]
	}
	return part, mark, s, true
}

// time reads what follows the day, in lower case; upper says that AM is meant where it says am.
func (l *Layout) time(s string, upper bool) bool {
	l.perDay = 1
	if s == "" {
		return true
	}
	if l.apart = s[0]; l.apart == 't' {
		l.apart = 'T'
	}
	if l.apart != ' ' && l.apart != 'T' {
		return false
	}
	s = s[1:]
	rest, ok := strings.CutPrefix(s, "hh:mm")
	if !ok {
		rest, l.bareHour = strings.CutPrefix(s, "h:mm")
		ok = l.bareHour
	}
	l.clock, l.perDay, l.perMinute = 1, 24*60, 1
	if more, seconds := strings.CutPrefix(rest, ":ss"); seconds {
		rest, l.clock, l.perDay, l.perMinute, l.perSecond = more, 2, 24*60*60, 60, 1
		if decimals, some := strings.CutPrefix(rest, "."); some {
			rest = strings.TrimLeft(decimals, "f")
			l.fraction = len(decimals) - len(rest)
			if l.fraction < 1 || l.fraction > maxFraction {
				return false
			}
			l.perDay, l.perMinute, l.perSecond = l.perDay*pow10[l.fraction], 60*pow10[l.fraction], pow10[l.fraction]
		}
	}
	if blank := strings.HasPrefix(rest, " am"); blank || strings.HasPrefix(rest, "am") {
		if l.half = 'a'; upper {
			l.half = 'A'
		}
		rest, l.halfApart = strings.TrimPrefix(rest, " ")[2:], blank
	}
	l.zone = strings.ToUpper(rest)
	distance := strings.TrimPrefix(rest, " ")
	return ok && (rest == "" || rest == "z" || strings.IndexAny(distance, "+-") == 0 && isZone([]byte(distance)))
}

// Notation is what the layout was made of.
func (l *Layout) Notation() Notation {
	if l.words != nil {
		return l.words.notation(l)
	}
	day, month, hour := "dd", "mm", "hh"
	if l.bareDay {
		day = "d"
	}
	if l.bareMonth {
		month = "m"
	}
	if l.bareHour {
		hour = "h"
	}
	mark, year := string(l.mark), strings.Repeat("y", l.digits)
	parts := []string{day, month, year}
	switch {
	case l.mark == 0:
		mark = ""
		switch {
		case l.yearFirst:
			parts = []string{year, month, day}
		case l.monthFirst:
			parts = []string{month, day, year}
		}
	case l.yearFirst:
		parts = []string{year, month, day}
	case l.monthFirst:
		parts = []string{month, day, year}
	}
	s := strings.Join(parts, mark)
	if l.partial != whole {
		s = ""
	}
	if l.clock > 0 {
		s += string(l.apart) + hour + ":mm" + strings.Repeat(":ss", int(l.clock)-1)
	}
	if l.fraction > 0 {
		s += "." + strings.Repeat("f", l.fraction)
	}
	if l.half != 0 {
		if l.halfApart {
			s += " "
		}
		s += string([]byte{l.half, l.half + 'M' - 'A'})
	}
	if s += l.zone; l.partial != whole {
		return l.partNotation(s)
	}
	if l.digits == 2 {
		s += " from " + strconv.Itoa(l.hundred)
	}
	return Notation(s)
}
