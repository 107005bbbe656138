package study

import (
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/table"
)

// Suppressed are the values of a column that tell who somebody is, or that so few people have that they may. None
// reaches a release, whatever the technique.
type Suppressed struct {
	Column  string
	Values  int    // different ones
	Records int    // that hold one
	By      string // what stands in their place; empty for a missing value
	Whole   bool   // nothing else stands in the column

	labels map[string]bool
}

// Says says what is withheld and how the column is kept as it is. It names no value.
func (s *Suppressed) Says() message.Sentence {
	what := message.Say("withheld.what").Count("n", s.Values).Count("records", s.Records)
	switch {
	case s.Whole:
		return message.Say("withheld.whole").Name("column", s.Column).Part("what", what)
	case s.By != "":
		return message.Say("withheld.other").Name("column", s.Column).Part("what", what).Name("by", s.By)
	}
	return message.Say("withheld.missing").Name("column", s.Column).Part("what", what)
}

// Suppress returns the table without the values that tell who somebody is or that fewer than few people have and that
// read like texts, names or codes of people (profile.Telling), and what they were. Another category stands in their
// place, or a missing value where the values of the column are declared. Identifiers, which never reach a release, and
// the columns that are to be kept stay as they are, and so does a column that would have no value left. Cost: O(records
// + labels) per column of categories.
func Suppress(t *table.Table, keep func(column string) bool, few int) (*table.Table, []Suppressed) {
	of, _ := whose(t, t, nil).People()
	var out []Suppressed
	for j := range t.Width() {
		c := t.Column(j)
		if c.Role&table.Identifier != 0 || keep(c.Name) {
			continue
		}
		if profile.AreCards(&c) {
			out = append(out, numbers(&c))
			continue
		}
		gone, values := profile.Telling(&c, of, few)
		if values == 0 {
			continue
		}
		s := Suppressed{Column: c.Name, Values: values, labels: map[string]bool{}}
		left := false
		for _, v := range c.Cat {
			if v >= 0 && gone[v] {
				s.Records++
				s.labels[c.Labels[v]] = true
			}
			left = left || v >= 0 && !gone[v]
		}
		if s.Whole = !left; left {
			if !c.Declared && !c.Ordered {
				s.By = profile.Other
			}
			t = t.Without(j, gone, s.By)
		}
		out = append(out, s)
	}
	return t, out
}

// numbers are a column of numbers that all tell who somebody is.
func numbers(c *table.Column) Suppressed {
	s := Suppressed{Column: c.Name, Whole: true, labels: map[string]bool{}}
	for i, v := range c.Num {
		if !c.MissingAt(i) {
			s.Records++
			s.labels[whole(v)] = true
		}
	}
	s.Values = len(s.labels)
	return s
}

func whole(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }

// StillSuppressed returns the columns of a table read apart that hold values which were withheld from it.
func StillSuppressed(withheld []Suppressed, released *table.Table) (out []Identifying) {
	for k := range withheld {
		s := &withheld[k]
		j := released.Find(s.Column)
		if j < 0 {
			continue
		}
		if n := s.in(released, j); n > 0 {
			out = append(out, Identifying{limit.Text, s.Column, message.Say("telling.withheld").Count("n", n)})
		}
	}
	return out
}

// in counts the different values of a column that are among those taken out.
func (s *Suppressed) in(t *table.Table, j int) (n int) {
	switch t.Attr(j).Kind {
	case table.Categorical:
		used := inUse(t, j)
		for v, l := range t.Attr(j).Labels {
			if used[v] && s.labels[l] {
				n++
			}
		}
	case table.Numeric:
		seen := map[float64]bool{}
		for _, v := range t.Num(j) {
			if !seen[v] && v == math.Trunc(v) && s.labels[whole(v)] {
				seen[v] = true
				n++
			}
		}
	case table.SetValued:
	}
	return n
}

// stillRare returns the columns of a release that hold values which tell who somebody is and which the original, from
// which they would have been withheld, lacks or was to keep.
func stillRare(original, released *table.Table) (out []Identifying) {
	of, _ := released.People()
	for j := range released.Width() {
		c := released.Column(j)
		k := original.Find(c.Name)
		if c.Role&table.Identifier != 0 || k >= 0 && original.Attr(k).Kind != c.Kind {
			continue
		}
		gone, n := profile.Telling(&c, of, profile.Few)
		if n == 0 {
			continue
		}
		if k >= 0 {
			known := map[string]bool{}
			for v, used := range inUse(original, k) {
				if used {
					known[original.Attr(k).Labels[v]] = true
				}
			}
			for v, l := range c.Labels {
				if gone[v] && known[l] {
					n--
				}
			}
		}
		if n > 0 {
			out = append(out, Identifying{limit.Text, c.Name, message.Say("telling.rare").Count("n", n)})
		}
	}
	return out
}

// Unlisted returns the table with a missing value for what stands in the place of those that were taken out, where the
// values that a column may have do not list it, and what was taken out, so said. It changes neither.
func Unlisted(t *table.Table, withheld []Suppressed, lists func(column, value string) bool) (
	*table.Table, []Suppressed) {
	withheld = slices.Clone(withheld)
	for k := range withheld {
		s := &withheld[k]
		j := t.Find(s.Column)
		if s.By == "" || j < 0 || lists(s.Column, s.By) {
			continue
		}
		gone := make([]bool, len(t.Attr(j).Labels))
		for v, l := range t.Attr(j).Labels {
			gone[v] = l == s.By
		}
		t, s.By = t.Without(j, gone, ""), ""
	}
	return t, withheld
}

// Schema says which values the columns of a schema list, for Unlisted.
func Schema(schema []table.Attribute) (lists func(column, value string) bool) {
	return func(column, value string) bool {
		s := slices.IndexFunc(schema, func(a table.Attribute) bool { return a.Name == column })
		return s < 0 || slices.Contains(schema[s].Labels, value)
	}
}

// Rare are the categories of a column that fewer people have than a limit asks for, and that a release may show.
type Rare struct {
	Column string
	Values int
}

// FindRare returns the columns with categories that fewer than few people have, but for identifiers and the columns
// that are to be kept. What stands in the place of values that were taken out is none. Cost: O(records + labels) per
// column of categories.
func FindRare(t *table.Table, keep func(column string) bool, few int) (out []Rare) {
	of, _ := whose(t, t, nil).People()
	for j := range t.Width() {
		c := t.Column(j)
		if c.Kind != table.Categorical || c.Role&table.Identifier != 0 || keep(c.Name) {
			continue
		}
		if n := profile.Rare(&c, of, few); n > 0 {
			out = append(out, Rare{c.Name, n})
		}
	}
	return out
}

// SaysRare says which columns have rare categories, and what may be done about it. It names no value. It is empty where
// there are none.
func SaysRare(rare []Rare, few int) message.Sentence {
	if rare == nil {
		return message.Sentence{}
	}
	var columns []message.Sentence
	for _, r := range rare[:min(mostListed, len(rare))] {
		columns = append(columns, message.Say("withheld.column").Name("column", r.Column).Count("n", r.Values))
	}
	if n := len(rare) - mostListed; n > 0 {
		columns = append(columns, message.Say("withheld.more").Count("n", n))
	}
	return message.Say("withheld.rare").Parts("columns", columns).Count("few", few)
}

// inUse reports by label of a column of categories whether a record has it.
func inUse(t *table.Table, j int) []bool {
	used := make([]bool, len(t.Attr(j).Labels))
	for _, v := range t.Cat(j) {
		if v >= 0 {
			used[v] = true
		}
	}
	return used
}
