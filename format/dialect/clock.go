package dialect

import (
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Clock is how a statistics package counts time: in how many units a day has, from so many units before 1970.
type Clock struct{ PerDay, Epoch float64 }

// fineTimes are the notations of times, from the coarsest on.
var fineTimes = []calendar.Notation{calendar.ISOTime, calendar.ISOTime + ".fff", calendar.ISOTime + ".ffffff"}

// Dates returns what makes a column of dates of the numbers of a variable that the package shows as dates, in the first
// notation that tells all of them, of those given and times to the millionth of a second, to which finer ones are
// rounded. One rule for all packages: where most numbers are dates of the years 1 to 9999, the column is one of dates,
// in which the others are missing; otherwise it is one of numbers, and nil is returned. A note says either, and which
// row is the first, and info holds that the file calls them dates. Cost: O(len(num)) for each notation.
func (k Clock) Dates(name string, num []float64, info *Info, first ...calendar.Notation) func([]float64) table.Column {
	info.Dated = append(info.Dated, name)
	num = slices.Clone(num)
	if !k.strangers(name, num, info) {
		return nil
	}
	fine := fineTimes[len(fineTimes)-1]
	for _, n := range append(slices.Clip(first), fineTimes...) {
		if days, ok := k.counted(num, n, n == fine); ok {
			return func([]float64) table.Column { return table.DateColumn(name, n, days) }
		}
	}
	return nil
}

// strangers makes numbers missing that are no dates, and reports whether most are dates.
func (k Clock) strangers(name string, num []float64, info *Info) bool {
	l, err := calendar.ISOTime.Layout()
	if err != nil {
		return false
	}
	values, odd, row := 0, 0, 0
	for i, x := range num {
		if x != x {
			continue
		}
		if values++; !l.Holds(math.Floor((x - k.Epoch) / k.PerDay * 86400)) {
			if odd++; odd == 1 {
				row = i + 1
			}
			num[i] = math.NaN()
		}
	}
	switch {
	case 2*odd > values:
		info.Note(message.Say("read.clock.most").Name("column", name))
		return false
	case odd > 0:
		info.Note(message.Say("read.clock.some").Name("column", name).Count("n", odd).Count("values", values).
			Name("row", strconv.Itoa(row)))
	}
	return true
}

// Units are the units of a clock that dates of a notation are; ok is false where one comes back as another date.
func (k Clock) Units(c *table.Column) (num []float64, ok bool) {
	num = make([]float64, len(c.Num))
	for i, v := range c.Num {
		if num[i] = v; v == v {
			num[i] = k.stamp(v, c.Dates)
		}
	}
	back, ok := k.counted(num, c.Dates, false)
	for i := range back {
		ok = ok && (back[i] == c.Num[i] || back[i] != back[i])
	}
	return num, ok
}

// stamp is a date in the units of the clock.
func (k Clock) stamp(v float64, n calendar.Notation) float64 { return v*k.PerDay/n.PerDay() + k.Epoch }

// counted returns the clock's units as those of a notation; ok is false where they are not whole but for what a number
// cannot hold, unless they are to be rounded, or where they are no dates.
func (k Clock) counted(units []float64, n calendar.Notation, rounded bool) (num []float64, ok bool) {
	l, err := n.Layout()
	if err != nil {
		return nil, false
	}
	num = slices.Clone(units)
	for i, x := range units {
		if x != x {
			continue
		}
		v := math.RoundToEven((x - k.Epoch) * (n.PerDay() / k.PerDay))
		if exact := math.Abs(k.stamp(v, n)-x) <= math.Abs(x)*0x1p-52; !l.Holds(v) || !exact && !rounded {
			return nil, false
		}
		num[i] = v
	}
	return num, true
}
