package xlsx

import (
	"math"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/table"
)

// Excel counts days, and parts of them, from the end of 1899, and knows a 29 February 1900, which there was not: serial
// numbers from 61 on are right.
const (
	firstSerial = 61
	lastSerial  = 2958466 // behind 9999-12-31
	leapDay     = 60
	perMilli    = 86400e3
)

// seconds are those of a part of a day, in whole thousandths.
func seconds(serial float64) float64 { return math.RoundToEven(serial*perMilli) / 1e3 }

// moment returns the thousandths of a second since 1970 that a serial number stands for; ok is false for one that is no
// date.
func (b *book) moment(serial float64) (ms float64, ok bool) {
	if b.epoch == epoch1900 {
		if serial < 1 || serial >= leapDay && serial < firstSerial {
			return 0, false
		}
		if serial < leapDay {
			serial++
		}
	}
	ms = math.RoundToEven((serial - b.epoch) * perMilli)
	return ms, serial >= 0 && ms < (lastSerial-epoch1900)*perMilli
}

// epoch1900 is the serial number of 1970-01-01 where days are counted as they mostly are.
const epoch1900 = 25569

// dates makes dates of the numbers of a column; ok is false where one is none. They have times where one has, or where
// the cells show it.
func (sh *sheet) dates(c *column) (_ table.Column, ok bool) {
	n, per := calendar.ISO, 1.0
	if sh.styleOf(c.style).shows == instants {
		n, per = calendar.ISOTime, 86400
	}
	moments := make([]float64, len(c.values))
	for i, v := range c.values {
		if moments[i] = v; c.contents[i] != date {
			continue
		}
		ms, ok := sh.moment(v)
		if !ok {
			return table.Column{}, false
		}
		moments[i] = ms
		if per == 1 && math.Mod(ms, perMilli) != 0 {
			n, per = calendar.ISOTime, 86400
		}
		if math.Mod(ms, 1e3) != 0 {
			n, per = calendar.ISOTime+".fff", perMilli
		}
	}
	for i := range moments {
		moments[i] /= perMilli / per
	}
	return table.DateColumn(c.name, n, moments), true
}

// iso is a date as ISO 8601 has it, with a time where it has one; "" for a number that is none.
func (b *book) iso(serial float64) string {
	ms, ok := b.moment(serial)
	switch {
	case !ok:
		return ""
	case math.Mod(ms, perMilli) == 0:
		return string(calendar.ISO.Append(nil, ms/perMilli))
	case math.Mod(ms, 1e3) == 0:
		return string(calendar.ISOTime.Append(nil, ms/1e3))
	}
	return string((calendar.ISOTime + ".fff").Append(nil, ms))
}

// serials returns the numbers that a column of dates is written as; ok is false where one is before March 1900, or
// finer than a thousandth of a second, so that it is written as a text.
func serials(c *table.Column) (out []float64, ok bool) {
	per := c.Dates.PerDay()
	if per > perMilli {
		return nil, false
	}
	out = make([]float64, len(c.Num))
	for i, v := range c.Num {
		out[i] = v/per + epoch1900
		if v == v &&
			(out[i] < firstSerial || out[i] >= lastSerial || math.RoundToEven((out[i]-epoch1900)*perMilli) != v*(perMilli/per)) {
			return nil, false
		}
	}
	return out, true
}

// codeFor is the format of cells that shows dates in a notation. What is no letter of Excel's stands behind a
// backslash.
func codeFor(n calendar.Notation) string {
	if n.Worded() {
		return "dd mmm yyyy"
	}
	text, _, _ := strings.Cut(string(n), " from ")
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case 'y', 'm', 'd', 'h', 's', ' ', ':':
			out.WriteByte(c)
		case 'f':
			out.WriteByte('0')
		case '.':
			if i+1 < len(text) && text[i+1] == 'f' {
				out.WriteByte(c)
				continue
			}
			out.WriteString(`\.`)
		case 'A', 'a':
			out.WriteString("AM/PM")
			i++
		default:
			out.WriteByte('\\')
			out.WriteByte(c)
		}
	}
	return out.String()
}
