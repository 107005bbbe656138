package profile

import (
	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/table"
)

// Remark is a word for what a custodian should beware of in a column, whatever rule or hand gave it its role; the reason says it
// in full.
type Remark string

// The remarks.
const (
	Dates      Remark = "dates"       // its values are days of the calendar, most of them rare
	ManyTexts  Remark = "many-texts"  // a quasi-identifier of so many texts that most would stay as they are
	FewNumbers Remark = "few-numbers" // numbers that may be codes of categories
	WeightAsIs Remark = "weight"      // a weight is released as it is
	Texts      Remark = "texts"       // an identifier by what its texts look like: names, contacts, free text, codes; it leaves the release unless it is kept by name
)

const (
	// manyTexts and manyShare are the number of texts, and their share of the records, above which a technique can hardly find another
	// one to put in the place of each; the share says nothing up to fewTexts.
	manyTexts, manyShare, fewTexts = 100, 0.05, 10
	// loneShare is the share of values that occur once above which a weight tells people apart.
	loneShare = 0.05
)

// remarked adds the remark of the column in its role, if there is one. An identifier needs none, since it never reaches a release, and
// neither does the class.
func (s Suggestion) remarked(c *Column, rows int) Suggestion {
	say := func(r Remark, format string, args ...any) Suggestion {
		if s.Reason != "" {
			s.Reason += "; "
		}
		s.Remark, s.Reason = r, s.Reason+numeral.Sprintf(format, args...)
		return s
	}
	n := c.valid(rows)
	switch {
	case s.Role&(table.Identifier|table.Class) != 0 || n == 0:
	case s.Role&table.Weight != 0 && float64(c.Alone) > loneShare*float64(n):
		return say(WeightAsIs, "a weight is released as it is, and %d of %d values occur once: they identify", c.Alone, n)
	case s.Role&table.Weight != 0:
		return say(WeightAsIs, "a weight is released as it is")
	case c.isDates(tokens(c.Name)):
		return c.ofDates(n, say)
	case s.Role&table.Quasi != 0 && c.isText() &&
		(c.Distinct > manyTexts || c.Distinct > fewTexts && float64(c.Distinct) > manyShare*float64(n)):
		return say(ManyTexts, "of so many (%d texts in %d records) most values would stay: group them or drop the column", c.Distinct, n)
	case c.few && n >= enough:
		return say(FewNumbers, "few distinct numbers: it may be a code; declare it with kind: categorical in a policy")
	}
	return s
}

// isDates reports whether the values are dates: texts that read as such, numbers that do under the name of a date or that are many, and texts of
// digits under the name of a birth.
func (c *Column) isDates(name []string) bool {
	if c.Dates != "" {
		return true
	}
	if !c.isText() {
		return c.dated && (dates.in(name) != "" || c.Distinct >= enough)
	}
	return c.dated || c.digits && !c.months && c.Distinct > 1 && c.Length >= 6 && births.in(name) != ""
}

func (c *Column) ofDates(n int, say func(Remark, string, ...any) Suggestion) Suggestion {
	rare := "most are unique"
	if 2*c.Alone <= n {
		rare = numeral.Sprintf("%d different ones in %d records", c.Distinct, n)
	}
	if c.Dates != "" {
		return say(Dates, "dates (%s): %s; they are perturbed and generalised as numbers of %s", c.Dates, rare, calendar.Notation(c.Dates).Unit())
	}
	if !c.isText() {
		return say(Dates, "dates: %s; noise turns them into numbers that are not dates, so read them as dates "+
			"(--dates COLUMN=yyyymmdd), drop the column or coarsen it to a year or an age", rare)
	}
	return say(Dates, "dates: %s; techniques treat them as categories, so have them read as dates (--dates), drop the column or coarsen it to a year or an age", rare)
}
