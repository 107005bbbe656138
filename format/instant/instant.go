// Package instant is days and times as files with typed columns hold them: whole numbers of a unit since the beginning
// of 1970-01-01.
//
// In a table they are dates (package calendar): numbers of days, or of the coarsest of seconds, thousandths and
// millionths that tells all of them.
package instant

import (
	"errors"
	"math"
	"time"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/table"
)

// Unit is what a file counts in.
type Unit string

// The units that there are.
const (
	Day   Unit = "day"
	Sec   Unit = "s"
	Milli Unit = "ms"
	Micro Unit = "us"
	Nano  Unit = "ns"
)

// ErrOutside says that a date cannot be a number of a table: its year is not written, or it is too fine.
var ErrOutside = errors.New("a date is outside the years 1 to 9999, or finer than a millionth of a second")

// perSecond is how many of the unit in which Number counts a second has; days are another matter.
func (u Unit) perSecond() float64 {
	switch u {
	case Milli:
		return 1e3
	case Micro, Nano:
		return 1e6
	case Day, Sec:
	}
	return 1
}

// perDay is how many units of a file a day has.
func (u Unit) perDay() float64 {
	switch u {
	case Day:
		return 1
	case Nano:
		return 86400e9
	case Sec, Milli, Micro:
	}
	return float64(86400 * u.perSecond())
}

var whole = func() *calendar.Layout {
	l, err := calendar.ISOTime.Layout()
	if err != nil {
		panic("instant: " + err.Error())
	}
	return l
}()

// Number returns what a file holds as a number: in its units, but nanoseconds in millionths of a second. An instant of
// a whole second is exact in any year; for what no number tells exactly the error is ErrOutside.
func (u Unit) Number(k int64) (float64, error) {
	if u == Nano {
		if k%1000 != 0 {
			return 0, ErrOutside
		}
		k /= 1000
	}
	x := float64(k)
	seconds := x / u.perSecond()
	if u == Day {
		seconds = float64(x * 86400)
	}
	if !whole.Holds(math.Floor(seconds)) || int64(x) != k {
		return 0, ErrOutside
	}
	return x, nil
}

// Column returns the column of the numbers that Number made, which it takes over and counts in a coarser unit where
// that tells them all. Cost: O(len(num)).
func (u Unit) Column(name string, utc bool, num []float64) table.Column {
	if u == Day {
		return table.DateColumn(name, calendar.ISO, num)
	}
	unit := u.perSecond()
	coarsest, n := unit, calendar.ISOTime // units that all values are multiples of
	for _, v := range num {
		for v == v && coarsest > 1 && math.Mod(v, coarsest) != 0 {
			coarsest /= 1e3
		}
	}
	switch unit / coarsest {
	case 1:
	case 1e3:
		n += ".fff"
	default:
		n += ".ffffff"
	}
	if utc {
		n += "Z"
	}
	for i := range num {
		num[i] /= coarsest
	}
	return table.DateColumn(name, n, num)
}

// Of returns the values of a column of dates as a file counts them; ok is false where one is no whole number of the
// unit. A missing value has no number. Cost: O(records).
func (u Unit) Of(c *table.Column) (value func(i int) int64, ok bool) {
	units, per := u.perDay(), c.Dates.PerDay() // of which one is a multiple of the other
	if units < per {
		parts := int64(per / units)
		for _, v := range c.Num {
			if v == v && math.Mod(v, per/units) != 0 {
				return nil, false
			}
		}
		return func(i int) int64 { return int64(c.Num[i]) / parts }, true
	}
	times := units / per
	for _, v := range c.Num {
		if v == v && (v != math.Trunc(v) || math.Abs(v*times) >= 1<<63) {
			return nil, false
		}
	}
	return func(i int) int64 { return int64(c.Num[i]) * int64(times) }, true
}

// UTC reports whether a notation says that its times are those of UTC.
func UTC(n calendar.Notation) bool { return n != "" && n[len(n)-1] == 'Z' }

// layout is how what is no number of a table is written as text.
func (u Unit) layout(utc bool) string {
	switch {
	case u == Day:
		return time.DateOnly
	case utc:
		return "2006-01-02T15:04:05.999999999Z"
	}
	return "2006-01-02T15:04:05.999999999"
}

func (u Unit) time(k int64) time.Time {
	switch u {
	case Day:
		return time.Unix(k*86400, 0).UTC()
	case Sec:
		return time.Unix(k, 0).UTC()
	case Milli:
		return time.UnixMilli(k).UTC()
	case Micro:
		return time.UnixMicro(k).UTC()
	case Nano:
	}
	return time.Unix(0, k).UTC()
}

// Append appends what a file holds as text.
func (u Unit) Append(dst []byte, k int64, utc bool) []byte {
	return u.time(k).AppendFormat(dst, u.layout(utc))
}

// Parse returns what Append makes such a text of; ok is false for any other text.
func (u Unit) Parse(text string, utc bool) (k int64, ok bool) {
	at, err := time.Parse(u.layout(utc), text)
	if err != nil {
		return 0, false
	}
	switch u {
	case Day:
		k = at.Unix() / 86400
	case Sec:
		k = at.Unix()
	case Milli:
		k = at.UnixMilli()
	case Micro:
		k = at.UnixMicro()
	case Nano:
		k = at.UnixNano()
	}
	return k, u.time(k).Equal(at) && string(u.Append(nil, k, utc)) == text
}
