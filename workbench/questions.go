package workbench

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/table"
)

// question is something about the table that only its owner knows, and what a click on yes sets.
type question struct {
	ID, Text, Yes       string
	What, Column, Value string
}

// questions asks what the page can set: whether a number is a code, whether texts are one, and whose the records are.
func (i *inspected) questions() (out []question) {
	variants, in := 0, []string(nil)
	people := i.Table.WithRole(table.Person) < 0
	for k := range i.Profile.Columns {
		c, role := &i.Profile.Columns[k], i.Roles[k]
		id := "q" + strconv.Itoa(k)
		if n := i.Profile.Rows - c.Missing; people && role.Role&table.Identifier != 0 && role.Role&table.Household == 0 && role.Remark != profile.Texts && c.Distinct >= 2 && c.Distinct < n {
			people = false
			out = append(out, question{id, fmt.Sprintf("%q has %s in %s. Does a person have several records?", c.Name, things(c.Distinct, "value"), things(n, "record")), "Yes: a value is a person, count people", "role", c.Name, (table.Person | table.Identifier).String()})
		}
		if role.Role&table.Identifier != 0 {
			continue
		}
		for n, code := range c.Codes {
			v := strconv.FormatFloat(code.Value, 'f', -1, 64)
			if c.Dates != "" {
				v = string(calendar.Notation(c.Dates).Append(nil, code.Value))
			}
			out = append(out, question{fmt.Sprintf("%s-%d", id, n), fmt.Sprintf("%s of %q hold %s, far outside the rest. Does it mean missing?", things(code.Count, "record"), c.Name, v), "Yes: " + v + " means missing", "missing-too", c.Name, v})
		}
		if c.Variants > 0 {
			variants, in = variants+c.Variants, append(in, strconv.Quote(c.Name))
		}
	}
	if variants > 0 && !i.Policy.File.Merge {
		out = append(out, question{"q-merge", fmt.Sprintf("%s of %s differ from a commoner text only in case, blanks or as its initial. Do they mean the same?", things(variants, "value"), strings.Join(in, ", ")), "Yes: make one of them", "merge", "", "yes"})
	}
	return out
}

// missing sets which codes mean missing in a column; those of the file mean it everywhere.
func (i *inspected) missing(key []string, codes []string) []change {
	var list []any
	for _, c := range codes {
		if c = strings.TrimSpace(c); c != "" && !slices.Contains(list, scalar(c)) {
			list = append(list, scalar(c))
		}
	}
	if list == nil {
		return []change{{key, nil}}
	}
	return []change{{key, list}}
}

// codes are those that the policy says mean missing in a column.
func (i *inspected) codes(name string) (out []string) {
	for _, c := range i.Policy.Columns[name].Missing {
		out = append(out, string(c))
	}
	return out
}
