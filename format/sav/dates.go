package sav

import (
	"strconv"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/codebook"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
)

// SPSS counts seconds from the beginning of the Gregorian calendar, 14 October 1582; the table counts from 1970.
var clock = dialect.Clock{PerDay: 86_400, Epoch: 12_219_379_200}

// formats are the display formats that are written, and those that make dates of numbers.
var formats = map[int32]string{1: "A", 5: "F", 3: "COMMA", 4: "DOLLAR", 17: "E", 31: "PCT", 32: "DOT", 16: "N",
	20: "DATE", 21: "TIME", 22: "DATETIME", 23: "ADATE", 24: "JDATE", 25: "DTIME", 26: "WKDAY", 27: "MONTH", 28: "MOYR",
	29: "QYR", 30: "WKYR", 38: "EDATE", 39: "SDATE", 41: "YMDHMS"}

// notations are those of dates by the name of their format.
var notations = map[string]calendar.Notation{
	"DATE":     calendar.ISO,
	"ADATE":    "mm/dd/yyyy",
	"EDATE":    "dd.mm.yyyy",
	"SDATE":    "yyyy/mm/dd",
	"JDATE":    calendar.ISO,
	"MOYR":     calendar.ISO,
	"QYR":      calendar.ISO,
	"WKYR":     calendar.ISO,
	"DATETIME": calendar.ISOTime,
	"YMDHMS":   calendar.ISOTime,
}

// format is the display format of a variable, as SPSS writes it: F8.2.
func (v *variable) format() string {
	name, ok := formats[v.print>>16&0xff]
	if !ok {
		return ""
	}
	out := name + strconv.Itoa(int(v.print>>8&0xff))
	if d := v.print & 0xff; d > 0 {
		out += "." + strconv.Itoa(int(d))
	}
	return out
}

// parseFormat reads what format writes.
func parseFormat(text string) (name string, code int32, ok bool) {
	k := strings.IndexAny(text, "0123456789")
	if k < 1 {
		return "", 0, false
	}
	width, decimals, _ := strings.Cut(text[k:], ".")
	w, err := strconv.Atoi(width)
	d, err2 := strconv.Atoi("0" + decimals)
	for c, n := range formats {
		if n == text[:k] && err == nil && err2 == nil && w > 0 && w < 256 && d < w {
			return n, c<<16 | int32(w)<<8 | int32(d), true
		}
	}
	return "", 0, false
}

// dates returns what makes a column of dates of the numbers of a variable; nil for one that is displayed otherwise, or
// whose numbers are no dates, which a note says.
func (v *variable) dates(s *codebook.Source, info *dialect.Info) func(num []float64) table.Column {
	n, ok := notations[formats[v.print>>16&0xff]]
	if !ok {
		return nil
	}
	if own := v.notation(); own != "" {
		n = own
	}
	return clock.Dates(v.name, s.Num, info, n)
}

// dateFormat returns the display format of a column of dates, and what it writes for each; ok is false where a date
// cannot be told exactly in seconds.
func dateFormat(c *table.Column, wish string) (code int32, num []float64, plain, ok bool) {
	name, code, known := parseFormat(wish)
	n, dates := notations[name]
	days := c.Dates.PerDay() == 1
	if !known || !dates || (n.PerDay() == 1) != days || n != c.Dates && n != calendar.ISO && n != calendar.ISOTime {
		name = "DATETIME"
		text := "DATETIME20"
		if days {
			name, text = "DATE", "DATE11"
			for _, f := range []string{"ADATE", "EDATE", "SDATE"} {
				if notations[f] == c.Dates {
					name, text = f, f+"10"
				}
			}
		} else if c.Dates.PerDay() > 86400 {
			text = "DATETIME26.6"
		}
		_, code, _ = parseFormat(text)
	}
	num, ok = clock.Units(c)
	return code, num, notations[name] == c.Dates, ok
}
