package chart

import (
	"math"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/table"
)

// spacing is how far ticks of dates are apart: so many parts of a level, or so many seconds.
type spacing struct {
	level   calendar.Level
	parts   int
	seconds int // where it is less than a day
}

// spacings are those of round dates, from the finest to the coarsest. Of days they are the first and every fifth or
// tenth one after it in a month.
var spacings = func() (out []spacing) {
	for _, s := range []int{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200} {
		out = append(out, spacing{seconds: s})
	}
	for _, n := range []int{1, 5, 10} {
		out = append(out, spacing{level: calendar.Day, parts: n})
	}
	for _, n := range []int{1, 3, 6} {
		out = append(out, spacing{level: calendar.Month, parts: n})
	}
	for _, n := range []int{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000} {
		out = append(out, spacing{level: calendar.Year, parts: n})
	}
	return out
}()

// dates returns at most n dates of a column from lo to hi, in its notation, as far apart as the finest spacing allows.
func dates(a *table.Attribute, lo, hi float64, n int) []tick {
	for _, s := range spacings {
		if at := s.between(a.Dates, lo, hi, n); at != nil {
			out := make([]tick, len(at))
			for k, v := range at {
				out[k] = tick{v, value(a, v, 0)}
			}
			return out
		}
	}
	return nil
}

// between returns the values from lo to hi at which such ticks stand; nil where they are more than n, or finer than the
// notation.
func (s spacing) between(notation calendar.Notation, lo, hi float64, n int) []float64 {
	day := notation.PerDay()
	out := make([]float64, 0, n)
	if s.seconds > 0 {
		step := day * float64(s.seconds) / 86_400
		if step != math.Floor(step) || (hi-lo)/step > float64(n+1) {
			return nil
		}
		for v := math.Ceil(lo/step) * step; v <= hi; v += step {
			if out = append(out, v); len(out) > n {
				return nil
			}
		}
		return out
	}
	if s.level == calendar.Day && notation.Monthly() {
		return nil
	}
	last := s.level.At(notation.DayOf(hi))
	for part := s.level.At(notation.DayOf(lo)); part <= last; part++ {
		v := notation.FromDays(float64(s.level.First(part)))
		if v < lo || v > hi || !s.round(part) {
			continue
		}
		if out = append(out, v); len(out) > n {
			return nil
		}
	}
	return out
}

// round reports whether a tick stands at a part.
func (s spacing) round(part int) bool {
	if s.level != calendar.Day {
		return part%s.parts == 0
	}
	// from 0; the 31st is too near to the first of the next month
	in := part - calendar.Month.First(calendar.Month.At(part))
	return in%s.parts == 0 && (s.parts == 1 || in < 30)
}
