package desk

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// declared returns the column of a role, "" where none has it.
func declared(t *table.Table, role table.Role) string {
	if j := t.WithRole(role); j >= 0 {
		return t.Attr(j).Name
	}
	return ""
}

// people tells a release which records are one person's, by the columns that its intruders tell persons apart by and by the one declared, and returns the
// intruders: those of whom nothing else is said go by the one declared. A column that the table lacks is an error.
func (l *Loaded) people(r *measure.Release, list []intruder.Intruder) ([]intruder.Intruder, error) {
	r.Person, r.Household = declared(l.Table, table.Person), declared(l.Table, table.Household)
	var by []string
	for _, name := range []string{r.Person, r.Household} {
		if name != "" {
			by = append(by, name)
		}
	}
	out := make([]intruder.Intruder, len(list))
	for k, i := range list {
		switch {
		case i.Person == "":
			i.Person = r.Person
		case l.Table.Find(i.Person) < 0:
			return nil, usage(fmt.Errorf("intruder %q: there is no column %q that tells which records are one person's", i.Name, i.Person))
		default:
			by = append(by, i.Person)
		}
		out[k] = i
	}
	r.Persons = study.Persons(l.Table, by)
	return out, nil
}

// oneEach refuses two columns that tell persons apart, or households.
func oneEach(t *table.Table) error {
	for _, role := range []table.Role{table.Person, table.Household} {
		var names []string
		for _, a := range t.Attrs() {
			if a.Role&role != 0 {
				names = append(names, strconv.Quote(a.Name))
			}
		}
		if len(names) > 1 {
			return fmt.Errorf("one column has the role %s, but %s are given", role|table.Identifier, strings.Join(names, " and "))
		}
	}
	return nil
}

// weighing asks about the first column whose name may be that of a sampling weight, where no column is declared to be one; empty where there is none. It is
// never taken for one unasked: a weight is released as it is, and the name may be that of a person's own.
func (l *Loaded) weighing() string {
	if declared(l.Table, table.Weight) != "" {
		return ""
	}
	for k, s := range l.Roles {
		if c := &l.Profile.Columns[k]; !s.Given && s.Role == 0 && c.MayWeigh() {
			return fmt.Sprintf("column %q may be a sampling weight: if a record stands for as many people as it says, --role %s=weight counts them, and releases it as it is; "+
				"the weight of a body is none", c.Name, c.Name)
		}
	}
	return ""
}

// repeating says which column is taken to tell people apart although nobody declared it, and how to say otherwise; empty where
// none is.
func (l *Loaded) repeating() string {
	j := l.Table.WithRole(table.Person)
	if j < 0 || l.Roles[j].Given {
		return ""
	}
	c := &l.Profile.Columns[j]
	return fmt.Sprintf("column %q repeats: %s values in %s records; each is taken to be one person, and people are counted; "+
		"if it is something else, such as a ward, --role %s=identifier counts records",
		c.Name, count(c.Distinct), count(l.Profile.Rows-c.Missing), c.Name)
}

// blanks says against whom cells are blanked.
func (q *ProtectRequest) blanks(r *study.Request, l *Loaded) {
	if q.BlankLookups {
		r.Blank = bound(l.Policy.Intruders, intruder.Defaults(l.Table.Attrs()))
	}
}
