package profile

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/table"
)

// Telling is a column that says who somebody is, or more of somebody than a table may. It names no value.
type Telling struct {
	Kind   string // one of limit.Kinds
	Column string
	Why    string
	// Anybody says that the values tell of somebody in whichever record they stand, as a telephone number does.
	Anybody bool
}

const (
	// sentences is how many words make a text a sentence, someSentences the share of the different texts that must be one for free text.
	sentences, someSentences = 4, 0.3
	// rarely is how many records hold a text on average, at most, where texts are free: those of a list of codes repeat more often.
	rarely = 5
	// decades is the span of the years of dates from which on they may be of births.
	decades = 20
	// someNames is the share of the different texts that look like names of people from which on a column holds names.
	someNames = 0.5
	// doorstep is the grid, in degrees, up to which a coordinate tells a home: 0.001 degrees are about 100 metres.
	doorstep = 0.001
	// oldest is the first age that the safe harbor wants in one class.
	oldest = 90
)

var (
	ages  = words("age alter edad eta leeftijd idade")
	homes = words("latitude longitude lat lon lng long gps coordinate coordinates coord koordinaten breitengrad laengengrad langengrad latitud longitud latitudine longitudine")
	zips  = words("zip zipcode postcode postal postalcode plz codigopostal codepostal")

	mail   = regexp.MustCompile(`[\w.+-]+@[\w-]+\.[A-Za-z]{2,}`)
	phone  = regexp.MustCompile(`\+\d[\d ()/.-]{6,}\d|\b0\d{1,4}[ /-]\d[\d -]{3,}\d\b|(?:\(\d{3}\) ?|\b\d{3}[ .-])\d{3}[ .-]\d{4}\b`)
	person = regexp.MustCompile(`^(?:(?:Dr|Prof|Mr|Mrs|Ms)\.? )?\p{Lu}[\p{L}'’-]*[\p{L}.](?:,? \p{Lu}[\p{L}'’-]*[\p{L}.]){1,3}$`)
	year   = regexp.MustCompile(`(?:^|\D)(1[89]\d\d|2[01]\d\d)(?:\D|$)`)
)

// Tells finds the columns of a table that tell too much: by their values, and by their names where the values may be of the kind. It errs on the side of
// telling. A column may be of several kinds. Cost: that of Of, and O(labels).
func Tells(ctx context.Context, t *table.Table) ([]Telling, error) {
	p, err := Of(ctx, t)
	if err != nil {
		return nil, err
	}
	var out []Telling
	for j := range p.Columns {
		out = append(out, tells(&p.Columns[j], t.Column(j), p.Rows)...)
	}
	return out, nil
}

// tells is Tells for one column.
func tells(c *Column, values table.Column, rows int) (out []Telling) {
	say := func(kind string, anybody bool, format string, args ...any) {
		out = append(out, Telling{kind, c.Name, fmt.Sprintf(format, args...), anybody})
	}
	n, name := c.valid(rows), tokens(c.Name)
	if n == 0 || c.Kind == table.SetValued.String() {
		return nil
	}
	texts := textsOf(c, values)
	switch w := pointer(name); {
	case texts.contacts > 0:
		say(limit.Name, true, "%d of its texts hold a telephone number or an e-mail address", texts.contacts)
	case w != "" && c.countable() && (c.Distinct >= enough || c.Distinct > 1 && c.differ(n)) && !c.isDates(name):
		say(limit.Name, false, "its name says %q, which points at a person", w)
	case c.isHome(name):
		say(limit.Name, false, "its name and its decimals say that it tells places within some 100 metres, as an address does")
	case texts.names && n <= rarely*c.Distinct && c.Distinct >= enough:
		say(limit.Name, true, "most of its texts look like names of people")
	}
	if texts.free && c.Distinct >= enough && (n <= rarely*c.Distinct || c.Alone >= enough && 10*c.Alone >= n) {
		say(limit.Text, true, "%d different texts of several words in %d records", c.Distinct, n)
	}
	if c.isDates(name) {
		out = append(out, ofDates(c, values, name, n)...)
	}
	if ages.in(name) != "" && c.Summary != nil && float64(c.Summary.Max) >= oldest {
		say(limit.Age, true, "it holds ages of %d and above", oldest)
	}
	if zips.in(name) != "" && (c.Summary != nil && float64(c.Summary.Max) >= 1000 || texts.digits > 3) {
		say(limit.Zip, false, "it holds postcodes of more than three digits")
	}
	if len(out) == 0 && pointsAtOne(c, rows, n) {
		say(limit.Name, false, "most of its values are one record's only, as numbers and codes of people are")
	}
	return out
}

// pointsAtOne reports whether a column holds codes that are nearly all different, or whole numbers under a name that says nothing: whoever has a list
// with one of them looks the record up. Numbers with decimals are measurements.
func pointsAtOne(c *Column, rows, n int) bool {
	if n < enough {
		return false
	}
	if c.isText() {
		return 2*c.Distinct >= n
	}
	return c.Kind == table.Numeric.String() && c.countable() && c.differ(n) && guess(c, rows).Role == 0
}

// isHome reports whether a column holds coordinates as exact as an address: degrees with three decimals or more.
func (c *Column) isHome(name []string) bool {
	return homes.in(name) != "" && c.Kind == table.Numeric.String() && c.Step <= doorstep && c.Distinct >= enough && float64(c.Summary.Min) >= -180 && float64(c.Summary.Max) <= 180
}

// ofDates is tells for a column of dates.
func ofDates(c *Column, values table.Column, name []string, n int) []Telling {
	out := []Telling{{limit.Date, c.Name, "it holds days of the calendar", false}}
	span := years(values)
	why := ""
	switch {
	case births.in(name) != "":
		why = "its name says that they are of births"
	case c.differ(n) && n >= enough:
		why = "nearly every date is another"
	case span >= decades:
		why = fmt.Sprintf("they span %d years, as dates of birth do", span)
	}
	if why != "" {
		out = append(out, Telling{limit.Birth, c.Name, "it holds days of the calendar, and " + why, false})
	}
	return out
}

// years is how many years lie between the first and the last date.
func years(c table.Column) int {
	first, last := 9999, 0
	see := func(y int) { first, last = min(first, y), max(last, y) }
	for _, v := range c.Num {
		if isDay(v) {
			see(int(v) / 10000)
		}
	}
	for k, used := range used(c) {
		if m := year.FindStringSubmatch(c.Labels[k]); used && m != nil {
			y, err := strconv.Atoi(m[1])
			if err == nil {
				see(y)
			}
		} else if y, ok := loosely(c.Labels[k]); used && ok {
			see(y)
		}
	}
	return max(0, last-first)
}

// used reports of every label whether a record has it.
func used(c table.Column) []bool {
	out := make([]bool, len(c.Labels))
	for _, v := range c.Cat {
		if v >= 0 {
			out[v] = true
		}
	}
	return out
}

// texts is what the labels in use look like.
type texts struct {
	contacts    int // labels that hold a telephone number or an e-mail address
	digits      int // the most digits that a label begins with
	free, names bool
}

func textsOf(c *Column, values table.Column) (t texts) {
	if !c.isText() {
		return t
	}
	long, names := 0, 0
	for k, used := range used(values) {
		if !used {
			continue
		}
		s := values.Labels[k]
		if mail.MatchString(s) || phone.MatchString(s) && !isDate(s) {
			t.contacts++
		}
		if len(strings.Fields(s)) >= sentences {
			long++
		}
		if len(s) < 60 && person.MatchString(s) {
			names++
		}
		t.digits = max(t.digits, len(s)-len(strings.TrimLeft(s, "0123456789")))
	}
	t.free = float64(long) >= someSentences*float64(c.Distinct) && long > 0
	t.names = float64(names) >= someNames*float64(c.Distinct) && names > 0
	return t
}
