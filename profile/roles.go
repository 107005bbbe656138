package profile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/table"
)

// Roles returns the table with a role on every column, and for every column the role with its reason, in column order.
// The profile must be that of the table.
//
// A given role wins over a suggested one, also when it is none. The class is the column named by class; when class is
// empty, the one that given says is the class, else the one the profile suggests, else there is none. A numeric class
// becomes categorical with ordered values.
//
// It is an error to name a column the table lacks, to give two classes, and to take as the class a column that looks
// like an identifier (unless given names it the class), or that is numeric with more than 100 values. Whether the class
// has two values, so that a tree can learn it, is left to CheckClass: a table may be looked at without.
//
// Where no column is declared to be the person, the unit that the values tell is taken as the person, whatever the name
// of its column, and one above it as the household; where they tell none, the first identifier that repeats and was not
// given a role: its records would otherwise hide one another, and a crowd of them would count as many people.
func Roles(t *table.Table, p *Profile, class string, given map[string]table.Role) (*table.Table, []Suggestion, error) {
	if err := known(t, class, given); err != nil {
		return nil, nil, err
	}
	j, err := classOf(t, p, class, given)
	if err != nil {
		return nil, nil, err
	}
	out := make([]Suggestion, t.Width())
	cols := t.Columns()
	for k := range out {
		c := &p.Columns[k]
		r, ok := given[c.Name]
		switch {
		case ok:
			out[k] = Suggestion{Column: c.Name, Role: r, Why: []Clause{general("given")}, Given: true}.remarked(c, p.Rows)
		case k == j && class != "":
			out[k] = suggest(c, p.Rows, true)
			out[k].Why, out[k].Given = []Clause{general("givenClass")}, true
			if out[k].Role&table.Quasi != 0 {
				out[k].Why = append(out[k].Why, general("mayKnow"))
			}
		default:
			out[k] = suggest(c, p.Rows, k == j)
		}
		if k == j {
			out[k].Role |= table.Class
		}
	}
	takeUnits(p, out)
	for k := range cols {
		cols[k].Role = out[k].Role
	}
	if t, err = t.WithColumns(cols); err != nil {
		return nil, nil, err
	}
	if j >= 0 {
		if t, err = t.AsCategorical(j, maxClasses); err != nil {
			return nil, nil, fmt.Errorf(
				"class: %w; cut its values into ranges (--cut 20%%top or --cut equal-frequency:3), or name another class "+
					"(--class COLUMN)", err,
			)
		}
	}
	return t, out, nil
}

// takePerson gives the first identifier that may tell people apart the role Person, unless some column is declared to.
func takePerson(p *Profile, roles []Suggestion) {
	may := -1
	for k := range roles {
		switch s := &roles[k]; {
		case s.Role&table.Person != 0:
			return
		case may < 0 && !s.Given && s.Role == table.Identifier && p.Columns[k].numbersPeople(s.Remark, p.Rows) &&
			!(s.Remark == Texts && p.mixes(k)):
			may = k
		}
	}
	if may >= 0 {
		s := &roles[may]
		s.Role |= table.Person
		s.Why = append(slices.Clip(s.Why), general("person"))
	}
}

// mixes reports whether what people keep for life, such as their sex, differs between records of one value of a column:
// codes that only look like those of people, such as those of wards, do so.
func (p *Profile) mixes(k int) bool {
	return p.Units != nil && slices.ContainsFunc(p.Units.Mixed[p.Columns[k].Name], func(name string) bool {
		j := slices.IndexFunc(p.Columns, func(c Column) bool { return c.Name == name })
		return personal.in(tokens(name)) != "" || p.Columns[j].like == likeSexes
	})
}

// numbersPeople reports whether an identifier repeats so that it may tell people apart. Names and free text, which
// several people share, do not; short codes that each stand in a few records do.
func (c *Column) numbersPeople(r Remark, rows int) bool {
	n := c.valid(rows)
	if c.Distinct < 2 || c.Distinct >= n {
		return false
	}
	return r != Texts || c.digits && c.texts.contacts == 0 && !c.free(n) && !c.people(n) && c.seldom(n)
}

// known checks that every name is a column's.
func known(t *table.Table, class string, given map[string]table.Role) error {
	names := make([]string, t.Width())
	has := make(map[string]bool, t.Width())
	for j := range names {
		names[j] = t.Attr(j).Name
		has[names[j]] = true
	}
	if class != "" && !has[class] {
		return fmt.Errorf("class %q is not a column of the table%s", class, spelling.Hint(class, names))
	}
	for _, n := range slices.Sorted(maps.Keys(given)) {
		if !has[n] {
			return fmt.Errorf("a role is given for %q, which is not a column of the table%s", n, spelling.Hint(n, names))
		}
	}
	return nil
}

// classOf returns the column of the class, or -1 when there is none.
func classOf(t *table.Table, p *Profile, class string, given map[string]table.Role) (int, error) {
	var named []string
	if class != "" {
		named = append(named, class)
	}
	for k := range t.Width() {
		if n := t.Attr(k).Name; given[n]&table.Class != 0 && n != class {
			named = append(named, n)
		}
	}
	switch len(named) {
	case 0:
		return suggestedClass(p, given), nil
	case 1:
		j := t.Find(named[0])
		return j, usable(&p.Columns[j], p.Rows, given)
	}
	return -1, fmt.Errorf("there can be one class, but %s are given", strings.Join(quoted(named), " and "))
}

// suggestedClass returns the column the profile takes for the class, unless another role is given for it.
func suggestedClass(p *Profile, given map[string]table.Role) int {
	return slices.IndexFunc(p.Columns, func(c Column) bool {
		_, ok := given[c.Name]
		return c.Suggest.Role&table.Class != 0 && !ok
	})
}

// usable says why a column cannot be a class.
func usable(c *Column, rows int, given map[string]table.Role) error {
	switch {
	case given[c.Name]&table.Identifier != 0:
		return fmt.Errorf("class %q is given as an identifier too; an identifier never reaches a release", c.Name)
	case given[c.Name]&table.Class != 0:
		return nil
	}
	if s := guess(c, rows); s.Role&table.Identifier != 0 {
		return fmt.Errorf("class %q looks like an identifier: %s; give it the role class to insist", c.Name, s.Reason())
	}
	return nil
}

// CheckClass says why no tree can learn the class of the table: it has no value, or one only. A table without a class,
// or with a numeric one, passes. Cost: O(n), less as a rule: it stops at the second value.
func CheckClass(t *table.Table) error {
	j := t.WithRole(table.Class)
	if j < 0 {
		return nil
	}
	switch a := t.Attr(j); a.Kind {
	case table.Numeric:
		return nil
	case table.Categorical:
	case table.SetValued:
		return fmt.Errorf("class %q is %s; a class has one value in every record", a.Name, a.Kind)
	}
	first := int32(-1)
	for _, v := range t.Cat(j) {
		switch {
		case v < 0 || v == first:
		case first < 0:
			first = v
		default:
			return nil
		}
	}
	return CheckClassValues(t.Attr(j), int(min(1, first+1)), t.Rows())
}

// CheckClassValues says why no tree can learn a class of so many different values in the records.
func CheckClassValues(a *table.Attribute, values, rows int) error {
	switch values {
	case 0:
		return fmt.Errorf("class %q has no value in any of the %d records", a.Name, rows)
	case 1:
		return fmt.Errorf("class %q has one value only: a tree has nothing to learn", a.Name)
	}
	return nil
}

func quoted(names []string) []string {
	out := make([]string, len(names))
	for k, n := range names {
		out[k] = fmt.Sprintf("%q", n)
	}
	return out
}

// Unrecognised returns the columns without a role that nobody gave one, where they are more than half of those that may
// have one: neither identifiers nor the class, with two values at least. It is nil where they are fewer.
func (p *Profile) Unrecognised(roles []Suggestion) (names []string) {
	all, sets := 0, table.SetValued.String()
	for k, s := range roles {
		switch {
		case s.Role&(table.Identifier|table.Class) != 0, p.Columns[k].Distinct < 2 && p.Columns[k].Kind != sets:
			continue
		case s.Role == 0 && !s.Given:
			names = append(names, s.Column)
		}
		all++
	}
	if 2*len(names) <= all {
		return nil
	}
	return names
}
