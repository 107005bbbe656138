package profile

import (
	"slices"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/table"
)

// Remark is a word for what a custodian should beware of in a column, whatever rule or hand gave it its role; the
// reason says it in full.
type Remark string

// The remarks.
const (
	Dates      Remark = "dates"       // its values are days of the calendar, most of them rare
	ManyTexts  Remark = "many-texts"  // a quasi-identifier of so many texts that most would stay as they are
	FewNumbers Remark = "few-numbers" // numbers that may be codes of categories
	WeightAsIs Remark = "weight"      // a weight is released as it is
	// an identifier by what its texts look like: names, contacts, free text, codes; it leaves the release unless it is
	// kept by name
	Texts Remark = "texts"
)

const (
	// manyTexts and manyShare are the number of texts, and their share of the records, above which a technique can hardly
	// find another one to put in the place of each; the share says nothing up to fewTexts.
	manyTexts, manyShare, fewTexts = 100, 0.05, 10
	// loneShare is the share of values that occur once above which a weight tells people apart.
	loneShare = 0.05
)

// remarked adds the remark of the column in its role, if there is one. An identifier needs none, since it never reaches
// a release, and neither does the class.
func (s Suggestion) remarked(c *Column, rows int) Suggestion {
	say := func(r Remark, why ...Clause) Suggestion {
		s.Remark, s.Why = r, slices.Concat(s.Why, why)
		return s
	}
	n := c.valid(rows)
	switch {
	case s.Role&(table.Identifier|table.Class) != 0 || n == 0:
	case s.Role&table.Weight != 0 && float64(c.Alone) > loneShare*float64(n):
		return say(WeightAsIs, counting("remark.weightAlone").n("alone", c.Alone).n("n", n))
	case s.Role&table.Weight != 0:
		return say(WeightAsIs, general("remark.weight"))
	case c.isDates(tokens(c.Name)):
		return c.ofDates(n, say)
	case c.like == likeMonths:
		return say(Dates, general("remark.noMonths"))
	case s.Role&table.Quasi != 0 && c.isText() &&
		(c.Distinct > manyTexts || c.Distinct > fewTexts && float64(c.Distinct) > manyShare*float64(n)):
		return say(ManyTexts, counting("remark.manyTexts").n("distinct", c.Distinct).n("n", n))
	case c.few && n >= enough:
		return say(FewNumbers, general("remark.fewNumbers"), general("remark.declare"))
	}
	return s
}

// isDates reports whether the values are dates: texts that read as such, numbers that do under the name of a date or
// that are many, and texts of digits under the name of a birth.
func (c *Column) isDates(name []string) bool {
	if c.Dates != "" {
		return true
	}
	if !c.isText() {
		return c.dated && (dates.in(name) != "" || c.Distinct >= enough)
	}
	return c.dated || c.digits && !c.months && c.Distinct > 1 && c.Length >= 6 && births.in(name) != ""
}

// maybeDates reports whether the values are dates, or the file calls them so.
func (c *Column) maybeDates(name []string) bool { return c.isDates(name) || c.said }

func (c *Column) ofDates(n int, say func(Remark, ...Clause) Suggestion) Suggestion {
	rare := suggestion("remark.rare")
	if 2*c.Alone <= n {
		rare = suggestion("remark.different").Count("distinct", c.Distinct).Count("n", n)
	}
	dates := Clause{Says: suggestion("remark.dates").Part("rare", rare)}
	switch {
	case c.Dates != "":
		unit := suggestion("remark.asNumbers").Text("unit", calendar.Notation(c.Dates).Unit())
		return say(Dates, Clause{Says: suggestion("remark.datesAs").Name("notation", c.Dates).Part("rare", rare)},
			Clause{unit, unit})
	case !c.isText():
		return say(Dates, dates, general("remark.noDates"))
	}
	return say(Dates, dates, general("remark.asTexts"))
}
