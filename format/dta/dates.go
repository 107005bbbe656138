package dta

import (
	"math"
	"slices"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
)

// epoch is how many days before 1970 Stata begins to count: 1 January 1960.
const epoch = 3653

// dates returns what makes a column of dates of a variable's numbers; nil for one in another format, or whose numbers
// are no dates, which a note says.
func (v *variable) dates(num []float64, info *dialect.Info) func(num []float64) table.Column {
	unit := dateUnit(v.format)
	if unit == 0 {
		return nil
	}
	tries := []calendar.Notation{calendar.ISO}
	if unit == 'c' {
		tries = []calendar.Notation{calendar.ISOTime, calendar.ISOTime + ".fff"}
	}
	if own := v.notation(); own != "" {
		tries = slices.Insert(tries, 0, own)
	}
	for _, n := range tries {
		if days, ok := counted(num, n, unit); ok {
			return func([]float64) table.Column { return table.DateColumn(v.name, n, days) }
		}
	}
	info.Note(
		"column %q: its numbers are shown as dates, but are none of the years 1 to 9999; it is read as numbers",
		v.name,
	)
	return nil
}

// perDay is how many units of Stata a day has.
func perDay(unit byte) float64 {
	if unit == 'd' {
		return 1
	}
	return 86_400_000
}

// counted returns Stata's units as those of a notation; ok is false where they are not whole, or no dates.
func counted(stata []float64, n calendar.Notation, unit byte) (num []float64, ok bool) {
	l, err := n.Layout()
	if err != nil {
		return nil, false
	}
	num = slices.Clone(stata)
	for i, x := range stata {
		if x != x {
			continue
		}
		v := math.RoundToEven((x - epoch*perDay(unit)) * n.PerDay() / perDay(unit))
		if !l.Holds(v) || stamp(v, n, unit) != x {
			return nil, false
		}
		num[i] = v
	}
	return num, true
}

// stamp is a date in Stata's units.
func stamp(v float64, n calendar.Notation, unit byte) float64 {
	return v*perDay(unit)/n.PerDay() + epoch*perDay(unit)
}

// dateFormat returns the format of a column of dates and what is written for each; plain says that the format tells the
// notation, ok that the dates are exact.
func dateFormat(c *table.Column, wish string) (format string, num []float64, plain, ok bool) {
	unit, format := byte('c'), "%tc"
	standard := c.Dates == calendar.ISOTime
	if c.Dates.PerDay() == 1 {
		unit, format, standard = 'd', "%td", c.Dates == calendar.ISO
	}
	if dateUnit(wish) == unit {
		format = wish
	}
	num = make([]float64, len(c.Num))
	for i, v := range c.Num {
		if num[i] = v; v == v {
			num[i] = stamp(v, c.Dates, unit)
		}
	}
	back, ok := counted(num, c.Dates, unit)
	for i := range back {
		ok = ok && (back[i] == c.Num[i] || back[i] != back[i])
	}
	return format, num, standard, ok
}
