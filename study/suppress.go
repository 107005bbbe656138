package study

import (
	"slices"

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
		if c.Kind != table.Categorical || c.Role&table.Identifier != 0 || keep(c.Name) {
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

// StillSuppressed returns the columns of a table read apart that hold values which were withheld from it.
func StillSuppressed(withheld []Suppressed, released *table.Table) (out []Identifying) {
	for k := range withheld {
		s := &withheld[k]
		j := released.Find(s.Column)
		if j < 0 || released.Attr(j).Kind != table.Categorical {
			continue
		}
		n, used := 0, inUse(released, j)
		for v, l := range released.Attr(j).Labels {
			if used[v] && s.labels[l] {
				n++
			}
		}
		if n > 0 {
			out = append(out, Identifying{limit.Text, s.Column, message.Say("telling.withheld").Count("n", n)})
		}
	}
	return out
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

// ForSchema returns the table with a missing value for what stands in the place of those that were taken out, where the
// schema of a plan does not have it.
func ForSchema(t *table.Table, withheld []Suppressed, schema []table.Attribute) *table.Table {
	for k := range withheld {
		by, name := withheld[k].By, withheld[k].Column
		j := t.Find(name)
		s := slices.IndexFunc(schema, func(a table.Attribute) bool { return a.Name == name })
		if by == "" || j < 0 || s < 0 || slices.Contains(schema[s].Labels, by) {
			continue
		}
		gone := make([]bool, len(t.Attr(j).Labels))
		for v, l := range t.Attr(j).Labels {
			gone[v] = l == by
		}
		t = t.Without(j, gone, "")
	}
	return t
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
