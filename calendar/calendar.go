// Package calendar reads and writes days and times in the notations of files, and knows months, quarters, years and
// decades.
//
// A date is a number: how many units lie between it and the beginning of 1970-01-01, in the Gregorian calendar, which
// is taken to hold always. The unit is the finest thing that its notation writes: a day, or with a time a minute, a
// second or a decimal part of one. So dates are sorted, subtracted, rounded and perturbed like other whole numbers, and
// only what reads or shows them has to know the notation. There are no time zones and no leap seconds: a time is what
// the clock on the wall said.
//
// Years run from 1 to 9999.
package calendar

// Years that a date may be of.
const (
	firstYear = 1
	lastYear  = 9999
)

// march is the number of days from 1 March of the year 0, where the year of days begins, to 1970-01-01.
const march = 719468

// Days of 400 and 100 Gregorian years, and of 4 Julian ones.
const (
	days400 = 146097
	days100 = 36524
	days4   = 1461
)

// days is the number of a day, of which 1970-01-01 is 0. The year begins in March, so that a leap day is the last day
// of its year.
func days(year, month, day int) int {
	if month < 3 {
		year, month = year-1, month+12
	}
	// a decade may begin in the year 0, January and February of which are of the year before; divisions round towards zero
	year += 400
	return 365*year + year/4 - year/100 + year/400 + (153*month-457)/5 + day - 1 - march - days400
}

// civil is the year, month and day of a number of days.
func civil(n int) (year, month, day int) {
	n += march
	era := n / days400
	n -= era * days400
	century := min(n/days100, 3) // the last day of 400 years is a leap day
	n -= century * days100
	leap := n / days4
	n -= leap * days4
	y := min(n/365, 3)
	n -= y * 365
	year = 400*era + 100*century + 4*leap + y
	month = (5*n + 2) / 153
	day = n - (153*month+2)/5 + 1
	if month += 3; month > 12 {
		year, month = year+1, month-12
	}
	return year, month, day
}

// lengths are the days of months in years that are no leap years.
var lengths = [...]uint8{1: 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// exists reports whether there is such a day.
func exists(year, month, day int) bool {
	if year < firstYear || year > lastYear || month < 1 || month > 12 || day < 1 {
		return false
	}
	return day <= int(lengths[month]) || day == 29 && month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0)
}

// The first and the last day that is written.
var first, last = days(firstYear, 1, 1), days(lastYear, 12, 31)
