package profile

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/unit"
)

// Suggestion is a role for a column and the reason, without any value of the table.
type Suggestion struct {
	Column string
	Role   table.Role
	Why    []Clause // the reason, that of the remark last
	Remark Remark   // "" when there is nothing to beware of
	Given  bool     // the role was given, not guessed
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
	return suggested{s.Column, append([]string{}, s.Role.Names()...), s.Reason().String(), s.Remark, s.Given}
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
	// manyLabels and fewEach bound what may number people in a table with several records of each: so many different
	// values, and at most so many records of one on average; a value that a tenth of the records hold numbers nobody.
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

// Classes returns the columns that may be the class by what they hold and are, in their order, and which of them to
// propose where no name says so: the last of few values, where tables usually hold it; -1 for none. The suggestions are
// one per column, those that were given too.
func Classes(p *Profile, roles []Suggestion) (may []int, proposed int) {
	proposed = -1
	for j := range p.Columns {
		c := &p.Columns[j]
		if roles[j].Role&(table.Identifier|table.Weight) != 0 || c.Dates != "" || c.Kind == table.SetValued.String() ||
			c.Distinct < 2 ||
			c.Distinct > maxClasses {
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

// suggest gives the role of one column. The first rule that applies decides; a class may be confidential as well, or
// something that others may know, as sex is. Few values alone do not make it so: most classes have few, and are secret.
func suggest(c *Column, rows int, class bool) Suggestion {
	if !class {
		return guess(c, rows).remarked(c, rows)
	}
	s := Suggestion{
		Column: c.Name,
		Role:   table.Class,
		Why:    []Clause{general("class"), counting("values").n("n", c.Distinct)},
	}
	name := tokens(c.Name)
	if w := cmp.Or(sensitive.in(name), clinical.in(name)); w != "" {
		s.Role |= table.Confidential
		s.Why[1] = about("valuesKept", w, "kept").n("n", c.Distinct)
	} else if demographic.in(name) != "" || c.unnamed(c.like, name) { // who knows the others knows this, too
		s.Role |= table.Quasi
		s.Why = append(s.Why, general("mayKnow"))
	}
	return s
}

// guess is suggest for a column that is not the class, without the remark. A numeric column with fractions is never
// taken for an identifier, however seldom its values repeat: it is a measurement. A sampling weight is only remarked
// upon, because the role weight would keep it out of the tree and release it as it is, while Islam 2007 perturbs the
// one of Adult like any other attribute.
func guess(c *Column, rows int) Suggestion {
	say := func(r table.Role, why ...Clause) Suggestion { return Suggestion{Column: c.Name, Role: r, Why: why} }
	name := tokens(c.Name)
	n := c.valid(rows)
	if n == 0 {
		return say(0, general("empty"))
	}
	if c.Kind == table.SetValued.String() { // whatever its name: many sets that differ are not the keys of records
		if w := sensitive.in(name); w != "" {
			return say(table.Confidential, about("is", w, "kept"))
		}
		if c.Distinct == 0 { // described briefly
			return say(table.Quasi, general("items"))
		}
		return say(table.Quasi, counting("sets").n("n", c.Distinct), general("items"))
	}
	if s := identifier(c, name, n, say); s.Role != 0 {
		return s
	}
	if s := c.guessRead(name, n); s.Role != 0 {
		return s
	}
	if w := weighting.in(name); w != "" {
		return say(0, counting("weighting").name("word", w), counting("weightAsIs").n("alone", c.Alone).n("n", n))
	}
	if c.MayWeigh() {
		return say(0, counting("mayWeigh").name("column", c.Name), general("mayBeKnown"))
	}
	if c.maybeDates(name) {
		return say(table.Quasi)
	}
	if w := demographic.in(name); w != "" && !c.isPlaceOfEach(name, n) {
		return say(table.Quasi, about("named", w, "demographic"))
	}
	if w := sensitive.in(name); w != "" {
		return say(table.Confidential, about("is", w, "kept"))
	}
	if w := clinical.in(name); w != "" {
		return say(table.Confidential, about("named", w, "clinical"))
	}
	if w := counters.ending(name); w != "" && c.countable() && c.seldom(n) {
		return say(table.Identifier, counting("counter").name("word", w).n("distinct", c.Distinct).n("n", n))
	}
	if c.unnamed(c.like, name) {
		return say(table.Quasi, general(string(c.like)), general("byValues"))
	}
	if c.isText() {
		return guessText(c, n, say)
	}
	if c.pointsEach(n) {
		return say(0, counting("differ").n("distinct", c.Distinct).n("n", n), general("ifKnown"))
	}
	return say(0, general("measurement"), general("mayBeKnown"), general("ifSecret"))
}

// MayWeigh reports whether the column may hold sampling weights: positive numbers that differ, under a name that says
// so and nothing else.
func (c *Column) MayWeigh() bool {
	name := tokens(c.Name)
	if c.Summary == nil || c.Dates != "" || c.Distinct < 2 || !(c.Summary.Min > 0) {
		return false
	}
	return weighting.in(name) != "" || only(weights, name) && !only(unweighted, name)
}

// MayWeighUnits reports whether a column may hold sampling weights by what its name may say and by telling apart the
// same units, all but a few, as those of households do: such as factor.
func (p *Profile) MayWeighUnits(column int) bool {
	c := &p.Columns[column]
	if p.Units == nil || c.Summary == nil || c.Dates != "" || !(c.Summary.Min > 0) || !only(weights, tokens(c.Name)) {
		return false
	}
	return slices.ContainsFunc(p.Units.Levels, func(k unit.Key) bool { return slices.Contains(k.Same, c.Name) })
}

// identifier holds the rules that go by the name, and the one of consecutive numbers; its role is none when none
// applies.
func identifier(c *Column, name []string, n int, say func(table.Role, ...Clause) Suggestion) (none Suggestion) {
	if w := pointer(name); w != "" && c.countable() {
		return say(table.Identifier, counting("pointer").name("word", w),
			counting("valuesDiffer").n("distinct", c.Distinct).n("n", n))
	}
	if c.isDates(name) {
		return none
	}
	if only(carriers, name) && c.countable() && c.Distinct >= enough {
		return say(table.Identifier, counting("carrier").name("word", strings.Join(name, " ")).
			n("distinct", c.Distinct).n("n", n))
	}
	if w := numbering.in(name); w != "" && zips.in(name) == "" && c.countable() && c.differ(n) && c.Distinct > 1 {
		return say(table.Identifier, counting("numbering").name("word", w).n("distinct", c.Distinct).n("n", n))
	}
	if c.consecutive && n >= enough {
		return say(table.Identifier, counting("consecutive").n("n", n))
	}
	return none
}

// told is an identifier by what its texts look like, whatever its name says; see Texts.
func (c *Column) told(why ...Clause) Suggestion {
	return Suggestion{Column: c.Name, Role: table.Identifier, Why: why, Remark: Texts}
}

// guessRead goes by what the texts themselves are, and goes before the rules that go by the name: a release that holds
// such texts is withheld. Its role is none when no rule applies.
func (c *Column) guessRead(name []string, n int) (none Suggestion) {
	switch {
	case c.isDates(name), c.like == likeTimes:
	case c.texts.contacts > 0:
		return c.told(Clause{Says: c.contacts()})
	case c.people(n):
		return c.told(counting("names").n("n", c.Distinct))
	case c.free(n):
		return c.told(counting("free").n("distinct", c.Distinct).n("n", n), general("anything"))
	}
	return none
}

// guessText goes by repetition and length alone.
func guessText(c *Column, n int, say func(table.Role, ...Clause) Suggestion) Suggestion {
	long := c.Length >= freeText
	switch {
	case c.Distinct == 1:
		return say(0, general("equal"))
	case long && (c.Distinct*2 >= n && n >= enough || c.seldom(n)):
		return c.told(counting("long").fixed("bytes", c.Length, 0), general("anything"))
	case c.pointsEach(n):
		return c.told(counting("textsDiffer").n("distinct", c.Distinct).n("n", n))
	case c.digits && c.seldom(n):
		return c.told(counting("digits").n("distinct", c.Distinct).fixed("each", float64(n)/float64(c.Distinct), 1))
	case c.marked && c.seldom(n):
		return c.told(counting("marked").n("distinct", c.Distinct).fixed("each", float64(n)/float64(c.Distinct), 1))
	case c.pointsAtOne(n):
		return c.told(counting("few").n("distinct", c.Distinct).n("n", n))
	}
	return say(table.Quasi, counting("categories").n("n", c.Distinct), general("mayKnow"), general("together"))
}

func (c *Column) isText() bool { return c.Kind == table.Categorical.String() }

// countable reports whether the values may number something.
func (c *Column) countable() bool { return c.Kind != table.Numeric.String() || c.Step >= 1 }

// differ reports whether nearly all of the n values do.
func (c *Column) differ(n int) bool { return float64(c.Distinct) >= nearUnique*float64(n) }

// isPlaceOfEach reports whether a column names a place of nearly every record, so each name points at one. Postcodes,
// which can be shortened, are none.
func (c *Column) isPlaceOfEach(name []string, n int) bool {
	return c.isText() && c.pointsEach(n) && sites.in(name) != ""
}

// pointsEach reports whether nearly all of the n values differ, which are not few.
func (c *Column) pointsEach(n int) bool { return c.differ(n) && n >= enough }

// seldom reports whether there are many different values, each in a few of the n records.
func (c *Column) seldom(n int) bool {
	return c.Distinct >= manyLabels && n <= fewEach*c.Distinct && c.Top <= maxTop
}
