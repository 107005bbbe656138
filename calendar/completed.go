package calendar

// Completed returns how many whole parts of a level (Month, Quarter, Year or Decade; days for Day) have passed from a
// day to another: an age in years counts birthdays. It is negative where the second day is before the first. Of a birth
// on 29 February, a year is complete on 1 March of a year without that day.
func (l Level) Completed(from, to int) int {
	if to < from {
		return -l.Completed(to, from)
	}
	if l == Day {
		return to - from
	}
	y0, m0, d0 := civil(from)
	y1, m1, d1 := civil(to)
	months := 12*(y1-y0) + m1 - m0
	if d1 < d0 {
		months--
	}
	return months / l.months()
}
