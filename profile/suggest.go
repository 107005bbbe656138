package profile

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/table"
)

// Suggestion is a role for a column and the reason, one line without any value of the table.
type Suggestion struct {
	Column string
	Role   table.Role
	Reason string // with the words of the remark
	Remark Remark // "" when there is nothing to beware of
	Given  bool   // the role was given, not guessed
}

// suggested is the form of a Suggestion in JSON.
type suggested struct {
	Column string   `json:"column"`
	Roles  []string `json:"roles"`  // none for a column without a role
	Reason string   `json:"reason"` // one line
	Remark Remark   `json:"remark"` // what to beware of; empty for nothing
	Given  bool     `json:"given"`  // the roles were given, not guessed
}

// Written is what MarshalJSON writes.
func (s Suggestion) Written() any {
	return suggested{s.Column, append([]string{}, s.Role.Names()...), s.Reason, s.Remark, s.Given}
}

// MarshalJSON writes {"column", "roles", "reason", "remark", "given"}; roles is a list of role names.
func (s Suggestion) MarshalJSON() ([]byte, error) { return json.Marshal(s.Written()) }

const (
	// enough is the number of values below which repetition says nothing.
	enough = 20
	// nearUnique is the share of different values among all from which a column counts as nearly unique.
	nearUnique = 0.9
	// freeText is the mean length of labels, in bytes, from which text counts as free.
	freeText = 25
	// manyLabels and fewEach bound what may number people in a table with several records of each: so many different values, and at
	// most so many records of one on average; a value that a tenth of the records hold numbers nobody.
	manyLabels, fewEach, maxTop = 50, 5, 0.1
	// maxClasses is the largest number of different values a class may have.
	maxClasses = 100
	// maxOutcomes is the same for a column whose name only may mean a class.
	maxOutcomes = 20
)

// likelyClass returns the column whose name says that it is a class, or -1. A name that says so outright goes
// before one that may; among equals the last column wins, where tables usually hold it.
func likelyClass(p *Profile) int {
	for _, rank := range []struct {
		names vocabulary
		limit int
	}{{classes, maxClasses}, {outcomes, maxOutcomes}} {
		for j := len(p.Columns) - 1; j >= 0; j-- {
			c := &p.Columns[j]
			if c.Distinct >= 2 && c.Distinct <= rank.limit && only(rank.names, tokens(c.Name)) {
				return j
			}
		}
	}
	return -1
}

// Classes returns the columns that may be the class by what they hold and are, in their order, and which of them to propose where no name says so: the last of few
// values, where tables usually hold it; -1 for none. The suggestions are one per column, those that were given too.
func Classes(p *Profile, roles []Suggestion) (may []int, proposed int) {
	proposed = -1
	for j := range p.Columns {
		c := &p.Columns[j]
		if roles[j].Role&(table.Identifier|table.Weight) != 0 || c.Dates != "" || c.Kind == table.SetValued.String() || c.Distinct < 2 || c.Distinct > maxClasses {
			continue
		}
		if may = append(may, j); c.Distinct <= maxOutcomes {
			proposed = j
		}
	}
	return may, proposed
}

// only reports whether the name has no words but those of the vocabulary.
func only(v vocabulary, tokens []string) bool {
	for _, w := range tokens {
		if !v()[w] {
			return false
		}
	}
	return len(tokens) > 0
}

// suggest gives the role of one column. The first rule that applies decides; a class may be confidential as well.
func suggest(c *Column, rows int, class bool) Suggestion {
	if !class {
		return guess(c, rows).remarked(c, rows)
	}
	s := Suggestion{Column: c.Name, Role: table.Class, Reason: numeral.Sprintf("the name says that it is a class; it has %d values", c.Distinct)}
	name := tokens(c.Name)
	if w := cmp.Or(sensitive.in(name), clinical.in(name)); w != "" {
		s.Role |= table.Confidential
		s.Reason += fmt.Sprintf(", and %q is what people keep to themselves", w)
	}
	return s
}

// guess is suggest for a column that is not the class, without the remark. A numeric column with fractions is never taken for an
// identifier, however seldom its values repeat: it is a measurement. A sampling weight is only remarked upon, because the role weight
// would keep it out of the tree and release it as it is, while Islam 2007 perturbs the one of Adult like any other attribute.
func guess(c *Column, rows int) Suggestion {
	say := func(r table.Role, format string, args ...any) Suggestion {
		return Suggestion{Column: c.Name, Role: r, Reason: numeral.Sprintf(format, args...)}
	}
	name := tokens(c.Name)
	n := c.valid(rows)
	if n == 0 {
		return say(0, "it has no values")
	}
	if c.Kind == table.SetValued.String() { // whatever its name: many sets that differ are not the keys of records
		if w := sensitive.in(name); w != "" {
			return say(table.Confidential, "%q is what people keep to themselves", w)
		}
		if c.Distinct == 0 { // described briefly
			return say(table.Quasi, "others may know some items of a person, and a few together can identify")
		}
		return say(table.Quasi, "%d different sets of items; others may know some items of a person, and a few together can identify", c.Distinct)
	}
	if s := identifier(c, name, n, say); s.Role != 0 {
		return s
	}
	if s := c.guessRead(name, n); s.Role != 0 {
		return s
	}
	if w := weighting.in(name); w != "" {
		return say(0, "%q looks like a sampling weight and is treated like any other attribute; the role weight would release it as it is, "+
			"and weights that occur once (%d of %d here) identify", w, c.Alone, n)
	}
	if c.MayWeigh() {
		return say(0, "%q may be a sampling weight, or a measurement; if others may know it of a person, call it a quasi-identifier", c.Name)
	}
	if c.isDates(name) {
		return say(table.Quasi, "")
	}
	if w := demographic.in(name); w != "" {
		return say(table.Quasi, "%q: others often know this about a person", w)
	}
	if w := sensitive.in(name); w != "" {
		return say(table.Confidential, "%q is what people keep to themselves", w)
	}
	if w := clinical.in(name); w != "" {
		return say(table.Confidential, "%q: a clinical measurement", w)
	}
	if w := counters.ending(name); w != "" && c.countable() && c.seldom(n) {
		return say(table.Identifier, "the name says %q and %d different values number %d records", w, c.Distinct, n)
	}
	if c.isText() {
		return guessText(c, n, say)
	}
	if c.differ(n) && n >= enough {
		return say(0, "%d of %d values differ, but a measurement is not an identifier; if others know it, make it a quasi-identifier", c.Distinct, n)
	}
	return say(0, "a measurement; if others may know it of a person, call it a quasi-identifier; if it must stay secret, confidential")
}

// MayWeigh reports whether the column may hold sampling weights: positive numbers that differ, under a name that says so and nothing else.
func (c *Column) MayWeigh() bool {
	name := tokens(c.Name)
	if c.Summary == nil || c.Dates != "" || c.Distinct < 2 || !(c.Summary.Min > 0) {
		return false
	}
	return weighting.in(name) != "" || only(weights, name) && !only(unweighted, name)
}

// identifier holds the rules that go by the name, and the one of consecutive numbers; its role is none when none applies.
func identifier(c *Column, name []string, n int, say func(table.Role, string, ...any) Suggestion) (none Suggestion) {
	if w := pointer(name); w != "" && c.countable() {
		return say(table.Identifier, "the name says %q, which points at a person; %d of %d values differ", w, c.Distinct, n)
	}
	if c.isDates(name) {
		return none
	}
	if only(carriers, name) && c.countable() && c.Distinct >= enough {
		return say(table.Identifier, "the name says %q and there are %d different values in %d records", strings.Join(name, " "), c.Distinct, n)
	}
	if w := numbering.in(name); w != "" && c.countable() && c.differ(n) && c.Distinct > 1 {
		return say(table.Identifier, "the name says %q and %d of %d values differ", w, c.Distinct, n)
	}
	if c.consecutive && n >= enough {
		return say(table.Identifier, "it numbers the records: %d whole numbers without a gap", n)
	}
	return none
}

// told is an identifier by what its texts look like, whatever its name says; see Texts.
func (c *Column) told(format string, args ...any) Suggestion {
	return Suggestion{Column: c.Name, Role: table.Identifier, Reason: fmt.Sprintf(format, args...), Remark: Texts}
}

// guessRead goes by what the texts themselves are, and goes before the rules that go by the name: a release that holds such texts is withheld. Its role is
// none when no rule applies.
func (c *Column) guessRead(name []string, n int) (none Suggestion) {
	switch {
	case c.isDates(name):
	case c.texts.contacts > 0:
		return c.told("%s", c.contacts().String())
	case c.people(n):
		return c.told("most of its %d texts look like names of people", c.Distinct)
	case c.free(n):
		return c.told("free text: %d different texts of several words in %d records; it may say anything about a person", c.Distinct, n)
	}
	return none
}

// guessText goes by repetition and length alone.
func guessText(c *Column, n int, say func(table.Role, string, ...any) Suggestion) Suggestion {
	long := c.Length >= freeText
	switch {
	case c.Distinct == 1:
		return say(0, "all its values are equal")
	case long && (c.Distinct*2 >= n && n >= enough || c.seldom(n)):
		return c.told("free text of %.0f bytes on average; it may say anything about a person", c.Length)
	case c.differ(n) && n >= enough:
		return c.told("%d of %d texts differ, so nearly every one points at a single record", c.Distinct, n)
	case c.digits && c.seldom(n):
		return c.told("%d texts with digits, in %.1f records each on average: they may number people", c.Distinct, float64(n)/float64(c.Distinct))
	case c.marked && c.seldom(n):
		return c.told("%d texts with capitals or blanks, in %.1f records each on average: they may name people", c.Distinct, float64(n)/float64(c.Distinct))
	case c.pointsAtOne(n):
		return c.told("%d different texts in %d records, so most are one record's only", c.Distinct, n)
	}
	return say(table.Quasi, "%d categories; others may know this about a person; together with other columns it can identify", c.Distinct)
}

func (c *Column) isText() bool { return c.Kind == table.Categorical.String() }

// countable reports whether the values may number something.
func (c *Column) countable() bool { return c.Kind != table.Numeric.String() || c.Step >= 1 }

// differ reports whether nearly all of the n values do.
func (c *Column) differ(n int) bool { return float64(c.Distinct) >= nearUnique*float64(n) }

// seldom reports whether there are many different values, each in a few of the n records.
func (c *Column) seldom(n int) bool {
	return c.Distinct >= manyLabels && n <= fewEach*c.Distinct && c.Top <= maxTop
}
