package calendar

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Level is a part of the calendar that a day lies in.
type Level uint8

// The levels, each inside the next one.
const (
	Day Level = iota
	Month
	Quarter
	Year
	Decade
)

// Levels are the levels from the finest to the coarsest.
var Levels = []Level{Day, Month, Quarter, Year, Decade}

// months is how many months a level but the first has.
func (l Level) months() int {
	return [...]int{Day: 0, Month: 1, Quarter: 3, Year: 12, Decade: 120}[l]
}

// At returns the number of the part of a level that a day lies in: consecutive parts have consecutive numbers.
func (l Level) At(day int) int {
	if l == Day {
		return day
	}
	year, month, _ := civil(day)
	return (12*year + month - 1) / l.months()
}

// First returns the first day of a part. A decade may begin in the year 0, which is no year of a date.
func (l Level) First(part int) int {
	if l == Day {
		return part
	}
	m := part * l.months()
	return days(m/12, m%12+1, 1)
}

// Label names a part: 1950-03-02, 1950-03, 1950-Q1, 1950, 1950s.
func (l Level) Label(part int) string {
	if l == Day {
		year, month, day := civil(part)
		return fmt.Sprintf("%04d-%02d-%02d", year, month, day)
	}
	m := part * l.months()
	switch l {
	case Month:
		return fmt.Sprintf("%04d-%02d", m/12, m%12+1)
	case Quarter:
		return fmt.Sprintf("%04d-Q%d", m/12, m%12/3+1)
	case Decade:
		return fmt.Sprintf("%04ds", m/12)
	case Day, Year:
	}
	return fmt.Sprintf("%04d", m/12)
}

// Part reads a label as Label writes it.
func Part(label string) (l Level, part int, ok bool) {
	year, rest := 0, label
	if len(label) < 4 {
		return 0, 0, false
	}
	year, err := strconv.Atoi(label[:4])
	if err != nil || year < 0 || label[0] == '+' {
		return 0, 0, false
	}
	switch rest = label[4:]; {
	case rest == "":
		return Year, year, year >= firstYear
	case rest == "s":
		return Decade, year / 10, year%10 == 0
	case len(rest) == 3 && strings.HasPrefix(rest, "-Q") && rest[2] >= '1' && rest[2] <= '4':
		return Quarter, 4*year + int(rest[2]-'1'), year >= firstYear
	case len(rest) == 3 && rest[0] == '-':
		month, end := fixed([]byte(rest), 1, 2)
		return Month, 12*year + month - 1, year >= firstYear && end > 0 && month >= 1 && month <= 12
	}
	var s Seen
	if len(rest) != 6 || !s.Add([]byte(label)) || s.mark != '-' {
		return 0, 0, false
	}
	v, _ := ISO.must().Number([]byte(label))
	return Day, int(v), true
}

// DayOf returns the day of a date of the notation, in days since 1970-01-01.
func (n Notation) DayOf(v float64) int { return int(math.Floor(n.Days(v))) }

// YearOf returns the year of a date of the notation.
func (n Notation) YearOf(v float64) int {
	year, _, _ := civil(n.DayOf(v))
	return year
}
