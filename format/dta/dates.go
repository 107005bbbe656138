package dta

import (
	"slices"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
)

// epoch is how many days before 1970 Stata begins to count: 1 January 1960.
const epoch = 3653

// clocks are those of Stata's formats, by unit.
var clocks = map[byte]dialect.Clock{
	'd': {PerDay: 1, Epoch: epoch},
	'c': {PerDay: 86_400_000, Epoch: epoch * 86_400_000},
}

// dates returns what makes a column of dates of a variable's numbers; nil for one in another format, or whose numbers
// are no dates, which a note says.
func (v *variable) dates(num []float64, info *dialect.Info) func(num []float64) table.Column {
	unit := dateUnit(v.format)
	var first []calendar.Notation
	if own := v.notation(); own != "" {
		first = append(first, own)
	}
	switch unit {
	case 0:
		return nil
	case 'C':
		num, unit = withoutLeaps(num), 'c'
	case 'd':
		first = append(first, calendar.ISO)
	}
	return clocks[unit].Dates(v.name, num, info, first...)
}

// leaps are the days that a leap second ended, as days since 1970 of those behind them (IERS, Bulletin C).
var leaps = [...]float64{912, 1096, 1461, 1826, 2191, 2557, 2922, 3287, 3652, 4199, 4564, 4929, 5660, 6574, 7305, 7670,
	8217, 8582, 8947, 9496, 10043, 10592, 13149, 14245, 15522, 16617, 17167}

// withoutLeaps returns numbers of %tC, which counts leap seconds, as those of %tc. A leap second is the one before it.
func withoutLeaps(num []float64) []float64 {
	out := slices.Clone(num)
	for i, x := range num {
		for k, day := range leaps {
			if x >= float64((day+epoch)*86_400_000)+float64(float64(k)*1000) {
				out[i] = x - float64(float64(k+1)*1000)
			}
		}
	}
	return out
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
	num, ok = clocks[unit].Units(c)
	return format, num, standard, ok
}
