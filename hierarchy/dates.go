package hierarchy

import (
	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/table"
)

// mostParts bounds the groups of a level of dates. Finer levels are left out: a day of nine thousand years, say.
const mostParts = 1 << 16

// Calendar returns the hierarchy of a column of dates: the days of those with times, months, quarters, years, decades,
// and all as one group at the top. A level has every part of the calendar from the first decade to the last, and a
// group before and one behind them, which hold no date of the domain.
func Calendar(c *table.Column) *Hierarchy {
	h, finite := numeric(c)
	if !finite {
		h.Names = append(h.Names, []string{Top})
		return h
	}
	start := calendar.Decade.First(calendar.Decade.At(c.Dates.DayOf(h.Domain.Lo)))
	end := calendar.Decade.First(calendar.Decade.At(c.Dates.DayOf(h.Domain.Hi)) + 1)
	var levels []calendar.Level
	for _, l := range calendar.Levels {
		if (l != calendar.Day || c.Dates.PerDay() > 1) && l.At(end)-l.At(start) < mostParts {
			levels = append(levels, l)
		}
	}
	for k, l := range levels {
		from, to := l.At(start), l.At(end) // to is the first part behind
		names := []string{"< " + l.Label(from)}
		for p := from; p < to; p++ {
			names = append(names, l.Label(p))
		}
		h.Names = append(h.Names, append(names, ">= "+l.Label(to)))
		if k == 0 {
			for p := from; p <= to; p++ {
				h.Cuts = append(h.Cuts, c.Dates.FromDays(float64(l.First(p))))
			}
			continue
		}
		below := levels[k-1]
		up := []int32{0}
		for p := below.At(start); p < below.At(end); p++ {
			up = append(up, int32(l.At(below.First(p))-from+1))
		}
		h.Up = append(h.Up, append(up, int32(len(names))))
	}
	h.Up = append(h.Up, make([]int32, len(h.Names[h.Height()])))
	h.Names = append(h.Names, []string{Top})
	return h
}
