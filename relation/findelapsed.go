package relation

import (
	"cmp"
	"math"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/internal/system/sorting"
)

// elapsed finds the columns of completed years, months or weeks between two dates, or from a date to a day that is the
// same for all.
func (f *finder) elapsed() ([]Found, error) {
	numbers := f.numbers(func(c *sample) bool { return !c.date() && c.grid >= 1 && c.grid == math.Trunc(c.grid) })
	dates := f.numbers((*sample).date)
	tried := float64(float64(len(numbers)*len(dates)*(len(dates)+36_525)) * 3) // a day of a hundred years
	return f.gather(len(numbers), func(k int) (out []Found, err error) {
		y := numbers[k]
		var rows []int
		for i, v := range f.cols[y].num {
			if v == v && v != 0 && len(rows) < early {
				rows = append(rows, i)
			}
		}
		for _, from := range dates {
			for _, unit := range []Unit{Years, Months, Weeks} {
				for _, to := range dates {
					if to == from || !f.passed(y, from, to, unit, rows) {
						continue
					}
					cols := []int{y, from, to}
					r := Relation{Kind: Elapsed, Columns: f.name(cols...), Unit: unit}
					found, ok, err := f.confirm(r, cols, tried)
					if err != nil {
						return nil, err
					}
					if ok {
						out = append(out, found)
					}
				}
				day, ok := f.dayOf(y, from, unit, rows)
				if !ok {
					continue
				}
				cols := []int{y, from}
				r := Relation{Kind: Elapsed, Columns: f.name(cols...), Unit: unit, Day: day}
				found, ok, err := f.confirm(r, cols, tried)
				if err != nil {
					return nil, err
				}
				if ok {
					out = append(out, found)
				}
			}
		}
		return out, nil
	})
}

// passed reports whether y are the completed units between two dates in the given rows of the sample but one.
func (f *finder) passed(y, from, to int, unit Unit, rows []int) bool {
	b := Bound{Relation: Relation{Unit: unit}}
	wrong, v := 0, make([]float64, 2)
	for _, i := range rows {
		v[0], v[1] = f.cols[from].num[i], f.cols[to].num[i]
		if v[0] != v[0] || v[1] != v[1] {
			continue
		}
		if b.elapsed(v) != f.cols[y].num[i] {
			if wrong++; wrong > 1 {
				return false
			}
		}
	}
	return true
}

// dayOf returns the day to which y are the completed units since a date: of the days that fit most records the last of
// a year or of a month, or else the first one. It looks at a few rows of the sample, then at all of it, and at all
// records where more than one day fits these.
func (f *finder) dayOf(y, from int, unit Unit, rows []int) (day int, ok bool) {
	of := func(i int) (lo, hi int, ok bool) { return fitting(f.cols[from].num[i], f.cols[y].num[i], unit) }
	few := make([]span, 0, len(f.rows))
	for _, i := range rows {
		if lo, hi, ok := of(i); ok {
			few = append(few, span{lo, hi})
		}
	}
	if _, most := commonest(few); most < len(few)-1 || most < 2 {
		return 0, false
	}
	all := few[:0]
	for i := range f.rows {
		if lo, hi, ok := of(i); ok {
			all = append(all, span{lo, hi})
		}
	}
	best, most := commonest(all)
	if most < len(all)-f.slack {
		return 0, false
	}
	if best.lo < best.hi && len(f.rows) < f.t.Rows() {
		best = f.narrowed(best, y, from, unit)
	}
	for _, level := range []calendar.Level{calendar.Year, calendar.Month} {
		if last := level.First(level.At(best.lo)+1) - 1; last <= best.hi {
			return last, true
		}
	}
	return best.lo, true
}

// narrowed returns the days of a span that fit most records of the table.
func (f *finder) narrowed(s span, y, from int, unit Unit) span {
	since, of := reader(f.t, f.cols[from].j), reader(f.t, f.cols[y].j)
	change := make([]int, s.hi-s.lo+2) // in how many records a day fits, against the day before
	for i := range f.t.Rows() {
		lo, hi, ok := fitting(since(i), of(i), unit)
		if lo, hi = max(lo, s.lo), min(hi, s.hi); ok && lo <= hi {
			change[lo-s.lo]++
			change[hi-s.lo+1]--
		}
	}
	most, fits := 0, 0
	var best span
	for k, c := range change[:len(change)-1] {
		switch fits += c; {
		case fits > most:
			most, best = fits, span{s.lo + k, s.lo + k}
		case fits == most && best.hi == s.lo+k-1:
			best.hi++
		}
	}
	return best
}

// span is consecutive days.
type span struct{ lo, hi int }

// commonest returns the first longest span of days that lies in most spans, and in how many.
func commonest(all []span) (best span, most int) {
	type end struct{ day, by int }
	ends := make([]end, 0, 2*len(all))
	for _, s := range all {
		ends = append(ends, end{s.lo, 1}, end{s.hi + 1, -1})
	}
	sorting.Func(ends, func(a, b end) int { return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.by, b.by)) })
	in := 0
	for k, e := range ends {
		if in += e.by; in > most {
			most, best = in, span{e.day, ends[k+1].day - 1}
		}
	}
	return best, most
}

// fitting returns the days to which so many units are complete since a date: ok is false where a number is missing or
// below 0.
func fitting(date, units float64, unit Unit) (lo, hi int, ok bool) {
	if date != date || units != units || units < 0 || units > 1e5 {
		return 0, 0, false
	}
	from, n := int(math.Floor(date)), int(units)
	switch unit {
	case Years:
		return after(from, 12*n), after(from, 12*n+12) - 1, true
	case Months:
		return after(from, n), after(from, n+1) - 1, true
	case Weeks:
	}
	return from + 7*n, from + 7*n + 6, true
}

// after returns the first day on which so many months are complete since a day.
func after(from, months int) int {
	part := calendar.Month.At(from)
	to := calendar.Month.First(part+months) + from - calendar.Month.First(part)
	return min(to, calendar.Month.First(part+months+1))
}
