package study

import (
	"slices"
	"sort"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/table"
)

// soon is how many days a released date may be off and still be taken for the person's own: whoever knows a date to the
// month finds it.
const soon = 15

// nearDates returns the share of the people whose released date is within soon days of their own, or is the month or
// quarter that it lies in, beyond the share that chance would bring there: dates of other people taken instead. Days of
// few weeks are near each other anyway. It is 0 for columns that are no dates, and where people have none. Both tables
// have the same people in the same order. Cost: O(n log n).
func nearDates(original, released *table.Table, j, k int) float64 {
	a, b := original.Attr(j), released.Attr(k)
	if a.Dates == "" || a.Dates.Timely() || b.Dates == "" && b.Kind != table.Categorical {
		return 0
	}
	day := a.Dates.Days
	var known []float64
	for _, v := range original.Num(j) {
		if v == v {
			known = append(known, day(v))
		}
	}
	if len(known) == 0 {
		return 0
	}
	slices.Sort(known)
	var span func(i int) (lo, hi float64, ok bool)
	if b.Dates != "" {
		v := released.Num(k)
		span = func(i int) (lo, hi float64, ok bool) {
			d := b.Dates.Days(v[i])
			return d - soon, d + soon, d == d
		}
	} else {
		codes, spans := released.Cat(k), partsOf(b.Labels)
		span = func(i int) (lo, hi float64, ok bool) {
			if codes[i] < 0 {
				return 0, 0, false
			}
			s := spans[codes[i]]
			return s[0], s[1], s[0] < s[1]
		}
	}
	near, chance := 0, 0.0
	for i, v := range original.Num(j) {
		lo, hi, ok := span(i)
		if v != v || !ok {
			continue
		}
		if d := day(v); lo <= d && d <= hi {
			near++
		}
		if b.Dates != "" { // a label is true of its record, by chance or not
			from := sort.SearchFloat64s(known, lo)
			to := sort.Search(len(known), func(m int) bool { return known[m] > hi })
			chance += float64(to-from) / float64(len(known))
		}
	}
	return (float64(near) - chance) / float64(len(known))
}

// partsOf returns the days of labels that are parts of the calendar shorter than a year, up to the last moment; nothing
// for others.
func partsOf(labels []string) [][2]float64 {
	out := make([][2]float64, len(labels))
	for c, label := range labels {
		if l, part, ok := calendar.Part(label); ok && l < calendar.Year {
			out[c] = [2]float64{float64(l.First(part)), float64(l.First(part+1)) - 1e-9}
		}
	}
	return out
}
