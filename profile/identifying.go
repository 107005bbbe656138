package profile

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Identifying is a column that says who somebody is, or more of somebody than a table may. It names no value.
type Identifying struct {
	Kind   string // one of limit.Kinds
	Column string
	Why    message.Sentence
	// Anybody says that the values tell of somebody in whichever record they stand, as a telephone number does.
	Anybody bool
}

const (
	// sentences is how many words make a text a sentence, someSentences the share of the different texts that must be one
	// for free text.
	sentences, someSentences = 4, 0.3
	// rarely is how many records hold a text on average, at most, where texts are free: those of a list of codes repeat
	// more often.
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
	ages  = words("age alter edad eta leeftijd idade wiek vek věk alder ikä yaş életkor возраст вік 年龄 年齡 年齢 나이 연령")
	homes = words("latitude longitude lat lon lng long gps coordinate coordinates coord koordinaten breitengrad " +
		"laengengrad langengrad latitud longitud latitudine longitudine")
	zips = words(postcodes)

	mail   = pattern(`[\w.+-]+@[\w-]+\.[A-Za-z]{2,}`)
	phone  = pattern(`\+\d[\d ()/.-]{6,}\d|\b0\d{1,4}[ /-]\d[\d -]{3,}\d\b|(?:\(\d{3}\) ?|\b\d{3}[ .-])\d{3}[ .-]\d{4}\b`)
	person = pattern(`^(?:(?:Dr|Prof|Mr|Mrs|Ms)\.? )?\p{Lu}[\p{L}'’-]*[\p{L}.](?:,? \p{Lu}[\p{L}'’-]*[\p{L}.]){1,3}$`)
	year   = pattern(`(?:^|\D)(1[89]\d\d|2[01]\d\d)(?:\D|$)`)
)

// pattern compiles an expression when it is first used: most calls of the program use none. Inlined, every expression
// would have code of its own; these and the lists of words took 57 KB of every program so.
//
//go:noinline
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// FindIdentifying finds the columns of a table that tell too much: by their values, and by their names where the values
// may be of the kind. It errs on the side of telling. A column may be of several kinds. Cost: that of Of, and
// O(labels).
func FindIdentifying(ctx context.Context, t *table.Table) ([]Identifying, error) {
	p, err := Of(ctx, t)
	if err != nil {
		return nil, err
	}
	var out []Identifying
	for j := range p.Columns {
		out = append(out, tells(&p.Columns[j], t.Column(j), p.Rows)...)
	}
	return out, nil
}

// tells is Tells for one column.
func tells(c *Column, values table.Column, rows int) (out []Identifying) {
	say := func(kind string, anybody bool, why message.Sentence) {
		out = append(out, Identifying{kind, c.Name, why, anybody})
	}
	n, name := c.valid(rows), tokens(c.Name)
	if n == 0 || c.Kind == table.SetValued.String() {
		return nil
	}
	switch w := pointer(name); {
	case c.texts.contacts > 0:
		say(limit.Name, true, c.contacts())
	case w != "" && c.tellsApart(n) && !c.isDates(name):
		say(limit.Name, false, message.Say("telling.pointer").Text("word", strconv.Quote(w)))
	case c.isHome(name):
		say(limit.Name, false, message.Say("telling.home"))
	case c.people(n):
		say(limit.Name, true, message.Say("telling.people"))
	}
	if c.free(n) {
		say(limit.Text, true, message.Say("telling.free").Count("texts", c.Distinct).Count("records", n))
	}
	switch {
	case c.isDates(name):
		out = append(out, ofDates(c, values, name, n)...)
	case c.said: // what they are of, and which years they span, cannot be read
		why := message.Say("telling.said")
		out = append(out, Identifying{limit.Date, c.Name, why, false}, Identifying{limit.Birth, c.Name, why, false})
	}
	if c.months && len(out) == 0 {
		say(limit.Date, false, message.Say("telling.months"))
	}
	if c.isAges(name) && c.upTo(oldest) {
		say(limit.Age, true, message.Say("telling.ages").Count("age", oldest))
	}
	if c.isZips(name) {
		say(limit.Zip, false, message.Say("telling.zip"))
	}
	if len(out) == 0 && pointsAtOne(c, rows, n) {
		say(limit.Name, false, message.Say("telling.codes"))
	}
	return out
}

// tellsApart reports whether a column of n values may tell people apart, if its name says so.
func (c *Column) tellsApart(n int) bool {
	return c.countable() && (c.Distinct >= enough || c.Distinct > 1 && c.differ(n))
}

// isAges reports whether a column holds ages by its name, or by its values where the name says nothing.
func (c *Column) isAges(name []string) bool { return ages.in(name) != "" || c.unnamed(likeAges, name) }

// isZips reports whether a column holds postcodes by its name, or by its values where the name says nothing.
func (c *Column) isZips(name []string) bool {
	return zips.in(name) != "" && (c.upTo(1000) || c.texts.digits > 3) || c.unnamed(likePlaces, name)
}

// upTo reports whether a column has a number that large.
func (c *Column) upTo(v float64) bool { return c.Summary != nil && float64(c.Summary.Max) >= v }

// pointsAtOne reports whether a column holds codes that are nearly all different, or whole numbers under a name that
// says nothing: anyone who has a list with one of them looks the record up. Numbers with decimals are measurements.
func pointsAtOne(c *Column, rows, n int) bool {
	if c.isText() {
		return c.pointsAtOne(n)
	}
	return n >= enough && c.Kind == table.Numeric.String() && c.countable() && c.differ(n) && guess(c, rows).Role == 0
}

// pointsAtOne reports whether most of the n texts are one record's only.
func (c *Column) pointsAtOne(n int) bool { return n >= enough && 2*c.Distinct >= n }

// isHome reports whether a column holds coordinates as exact as an address: degrees with three decimals or more.
func (c *Column) isHome(name []string) bool {
	return homes.in(name) != "" && c.Kind == table.Numeric.String() && c.Step <= doorstep && c.Distinct >= enough &&
		float64(c.Summary.Min) >= -180 &&
		float64(c.Summary.Max) <= 180
}

// ofDates is tells for a column of dates.
func ofDates(c *Column, values table.Column, name []string, n int) []Identifying {
	out := []Identifying{{limit.Date, c.Name, message.Say("telling.days"), false}}
	span := years(values)
	var why message.Sentence
	switch {
	case births.in(name) != "":
		why = message.Say("telling.births.named")
	case c.differ(n) && n >= enough:
		why = message.Say("telling.births.differ")
	case span >= decades:
		why = message.Say("telling.births.span").Count("years", span)
	}
	if !why.Empty() {
		out = append(out, Identifying{limit.Birth, c.Name, why, false})
	}
	return out
}

// years is how many years lie between the first and the last date.
func years(c table.Column) int {
	if d := c.Dates; d != "" {
		lo, hi := table.Range(c.Num)
		if !(lo <= hi) {
			return 0
		}
		return d.YearOf(hi) - d.YearOf(lo)
	}
	first, last := 9999, 0
	see := func(y int) { first, last = min(first, y), max(last, y) }
	for _, v := range c.Num {
		if isDay(v) {
			see(int(v) / 10000)
		}
	}
	for k, used := range used(c) {
		if m := year().FindStringSubmatch(c.Labels[k]); used && m != nil {
			if y, err := strconv.Atoi(m[1]); err == nil {
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

// reading reads labels one by one.
type reading struct {
	texts
	long, people int // labels of several words, and labels that look like names
}

func (r *reading) label(s string) {
	if strings.Contains(s, "@") && mail().MatchString(s) || phone().MatchString(s) && !isDate(s) {
		r.contacts++
	}
	if len(strings.Fields(s)) >= sentences {
		r.long++
	}
	if len(s) < 60 && strings.Contains(s, " ") && person().MatchString(s) {
		r.people++
	}
	r.digits = max(r.digits, len(s)-len(strings.TrimLeft(s, "0123456789")))
}

// of is what so many different labels look like together.
func (r *reading) of(distinct int) texts {
	t := r.texts
	t.free = float64(r.long) >= someSentences*float64(distinct) && r.long > 0
	t.names = float64(r.people) >= someNames*float64(distinct) && r.people > 0
	return t
}

// contacts says that texts hold contacts.
func (c *Column) contacts() message.Sentence {
	return message.Say("telling.contacts").Count("n", c.texts.contacts)
}

// people reports whether most texts look like names of people, of whom each has a few of the n records.
func (c *Column) people(n int) bool {
	return c.texts.names && n <= rarely*c.Distinct && c.Distinct >= enough
}

// free reports whether the texts are free ones: of several words, and many of few records.
func (c *Column) free(n int) bool {
	return c.texts.free && c.Distinct >= enough && (n <= rarely*c.Distinct || c.Alone >= enough && 10*c.Alone >= n)
}
