package study

import (
	"math"
	"slices"
	"sort"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/table"
)

// soon is how many days a released date may be off and still be taken for the person's own: anyone who knows a date to
// the month finds it.
const soon = 15

// nearDates returns the share of the people whose released date is within soon days of their own, or is the month or
// quarter that it lies in, beyond the share that chance would bring there: dates of other people taken instead. Days of
// few weeks are near each other anyway. It is 0 for columns that are no dates, and where people have none. Both tables
// have the same people in the same order. Cost: O(n), or O(n log n) where dates have hours.
func nearDates(original, released *table.Table, j, k int) float64 {
	a, b := original.Attr(j), released.Attr(k)
	if a.Dates == "" || a.Dates.Timely() || b.Dates == "" && b.Kind != table.Categorical {
		return 0
	}
	day := a.Dates.Days
	known := daysOf(original.Num(j), day)
	if known.n == 0 {
		return 0
	}
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
			chance += float64(known.within(lo, hi)) / float64(known.n)
		}
	}
	return (float64(near) - chance) / float64(known.n)
}

// days are those of dates, for counting how many lie in a span.
type days struct {
	n      int
	sorted []float64 // nil where they are whole days of a few thousand years
	first  float64   // the first day, else
	upTo   []int32   // by day from the first on: how many are before it; one more at the end
}

// mostDays is how many days from the first to the last one are counted one by one.
const mostDays = 1 << 20

// daysOf returns the known days of values. Cost: O(n), or O(n log n) where not all are whole.
func daysOf(values []float64, day func(v float64) float64) days {
	out, lo, hi, whole := days{}, math.Inf(1), math.Inf(-1), true
	for _, v := range values {
		if v == v {
			d := day(v)
			out.n++
			lo, hi, whole = min(lo, d), max(hi, d), whole && d == math.Floor(d)
		}
	}
	if !whole || hi-lo >= mostDays || out.n > math.MaxInt32 {
		out.sorted = make([]float64, 0, out.n)
		for _, v := range values {
			if v == v {
				out.sorted = append(out.sorted, day(v))
			}
		}
		slices.Sort(out.sorted)
		return out
	}
	if out.n == 0 {
		return out
	}
	out.first, out.upTo = lo, make([]int32, int(hi-lo)+2)
	for _, v := range values {
		if v == v {
			out.upTo[int(day(v)-lo)+1]++
		}
	}
	for d := range out.upTo[1:] {
		out.upTo[d+1] += out.upTo[d]
	}
	return out
}

// within counts the days from lo to hi, both among them.
func (d *days) within(lo, hi float64) int {
	if d.sorted != nil {
		return sort.Search(len(d.sorted), func(m int) bool { return d.sorted[m] > hi }) - sort.SearchFloat64s(d.sorted, lo)
	}
	if d.n == 0 {
		return 0
	}
	last := float64(len(d.upTo) - 1)
	from, to := min(max(math.Ceil(lo)-d.first, 0), last), min(max(math.Floor(hi)+1-d.first, 0), last)
	return int(d.upTo[int(to)] - d.upTo[int(from)])
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
