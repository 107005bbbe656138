package reading

import (
	"slices"
	"strconv"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/table"
)

// someDays is how many different numbers without marks are days at least, where all are.
const someDays = 10

// Dated returns the table with dates for what a format does not know as such: texts with month words (27 Jan 1945),
// days and months without marks (yyyymmdd, ddmmyyyy, yyyymm), times of the day (08:30), and times whose distance from
// UTC changes, which become times in UTC. The policy that it returns says so of every column, so that the same file is
// read in the same way again; info tells it. What the policy says of a column stands. Cost: O(labels), and O(records)
// for numbers that may be days.
func Dated(t *table.Table, info *format.Info, pol *policy.Policy) (*table.Table, *policy.Policy, error) {
	dates, kinds := pol.Dates(), pol.Kinds()
	found := map[string]calendar.Notation{}
	said := &policy.Policy{Columns: map[string]policy.Column{}}
	for j := range t.Width() {
		c := t.Column(j)
		own := pol.Columns[c.Name]
		_, forced := kinds[c.Name]
		if _, told := dates[c.Name]; told || forced || c.Declared || own.Domain != nil || own.Hierarchy != "" {
			continue
		}
		n, short := datesOf(&c)
		switch {
		case short:
			info.NoteText(c.Name, dialect.TwoDigits(c.Name, n))
		case n != "":
			found[c.Name] = n
			said.Columns[c.Name] = policy.Column{Dates: string(n)}
			info.Note(message.Say("told.dates").Name("column", c.Name).Name("as", string(n)))
		}
	}
	if len(found) == 0 {
		return t, pol, nil
	}
	info.Notes = slices.DeleteFunc(info.Notes, func(n format.Note) bool { return found[n.AsText] != "" }) // no longer true
	opt := format.Options{Dates: found}
	t, err := opt.ReadDates(t, info, func(j int) bool { return found[t.Attr(j).Name] == "" })
	return t, pol.With(said), err
}

// datesOf returns the notation of which all values of a column are dates; short where its years of two digits may be of
// any hundred.
func datesOf(c *table.Column) (n calendar.Notation, short bool) {
	switch {
	case c.Dates != "":
	case c.Kind == table.Numeric && c.Step >= 1:
		if n = calendar.Unmarked(c.Num); n == "" {
			n = calendar.Months(c.Num)
		}
		if n == "" {
			return "", false
		}
		days := map[float64]bool{}
		for _, v := range c.Num {
			if days[v] = true; len(days) > someDays {
				return n, false
			}
		}
	case c.Kind == table.Categorical && !c.Ordered && len(c.Labels) > 1:
		if n = calendar.Words(c.Labels); n != "" {
			l, err := n.Layout()
			return n, err == nil && l.TwoDigits()
		}
		if n = calendar.Instants(c.Labels); n != "" {
			return n, false
		}
		if n = calendar.Parts(c.Labels); n != "" && len(c.Labels) > someDays {
			return n, false
		}
		return unmarked(c.Labels), false
	}
	return "", false
}

// unmarked is calendar.Unmarked for texts of eight digits, and calendar.Months for those of six.
func unmarked(labels []string) calendar.Notation {
	if len(labels) < someDays {
		return ""
	}
	numbers := make([]float64, len(labels))
	for k, l := range labels {
		v, err := strconv.ParseUint(l, 10, 32)
		if err != nil || len(l) != len("yyyymmdd") && len(l) != len("yyyymm") || len(l) != len(labels[0]) {
			return ""
		}
		numbers[k] = float64(v)
	}
	if len(labels[0]) == len("yyyymm") {
		return calendar.Months(numbers)
	}
	return calendar.Unmarked(numbers)
}
