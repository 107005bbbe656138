package workbench

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/study/reading"
	"github.com/dither-data/dither/table"
)

// question is something about the table that only its owner knows, and what a click on yes sets.
type question struct {
	ID, Text, Yes       string
	What, Column, Value string
	Choices             []string // the columns that may be meant, where Column is the one that is proposed
	Asks                desk.Question
}

// questions asks what the page can set: which column is the class, whether a number or a text is a code, whether texts
// are one, and whose the records are.
func (i *inspected) questions() (out []question) {
	if q, ok := i.whichClass(); ok {
		out = append(out, q)
	}
	variants, in := 0, []string(nil)
	for k := range i.Profile.Columns {
		c, role := &i.Profile.Columns[k], i.Roles[k]
		id := "q" + strconv.Itoa(k)
		if role.Role&table.Person != 0 && !role.Given {
			out = append(out, question{id, fmt.Sprintf(
				"%q has %s in %s, and each is taken to be one person. Is it something "+
					"else, such as a ward?",
				c.Name,
				things(c.Distinct, "value"),
				things(i.Profile.Rows-c.Missing, "record"),
			), "Yes: count records", "role", c.Name,
				table.Identifier.String(), nil, desk.AsksPerson})
		}
		if role.Role&table.Identifier != 0 {
			continue
		}
		for n, mark := range i.marks(k) {
			out = append(out, question{fmt.Sprintf("%s-m%d", id, n), fmt.Sprintf("%s of %q hold the text %q, and most others "+
				"hold numbers or dates. Does it mean missing?", things(mark.count, "record"), c.Name, mark.text),
				"Yes: " + mark.text + " means missing", "missing-too", c.Name, mark.text, nil, desk.AsksText})
		}
		for n, v := range i.NoValues {
			if v.Column == c.Name {
				out = append(out, question{fmt.Sprintf("%s-v%d", id, n), fmt.Sprintf("%s of %q hold %s, which cannot be a value "+
					"there, and count as missing. Is it a value?", things(v.Records, "record"), v.Column, v.Code),
					"Yes: " + v.Code + " is a value", "not-missing", c.Name, v.Code, nil, desk.AsksValue})
			}
		}
		for n, code := range c.Codes {
			v := strconv.FormatFloat(code.Value, 'f', -1, 64)
			if c.Dates != "" {
				v = string(calendar.Notation(c.Dates).Append(nil, code.Value))
			}
			if i.isValue(c.Name, v) {
				continue
			}
			out = append(out, question{fmt.Sprintf("%s-%d", id, n), fmt.Sprintf("%s of %q hold %s, far outside the rest. Does "+
				"it mean missing?", things(code.Count, "record"), c.Name, v), "Yes: " + v + " means missing", "missing-too", c.Name,
				v, nil, desk.AsksCode})
		}
		if c.Variants > 0 {
			variants, in = variants+c.Variants, append(in, strconv.Quote(c.Name))
		}
	}
	if variants > 0 && !i.Policy.File.Merge {
		out = append(out, question{"q-merge", fmt.Sprintf("%s of %s differ from a commoner text only in case, blanks, "+
			"characters that look alike or as its initial. Do they mean the same?", things(variants, "value"),
			strings.Join(in, ", ")), "Yes: make one of them",
			"merge", "", "yes", nil, desk.AsksVariants})
	}
	return out
}

// whichClass asks for the class where the policy does not say it, and proposes the column that is taken for it, or else
// one that may be.
func (i *inspected) whichClass() (q question, ask bool) {
	may, proposed := profile.Classes(i.Profile, i.Roles)
	why := "%q is proposed: no name says so, and it is the last with few different values."
	if j := i.Table.WithRole(table.Class); j >= 0 {
		if i.Roles[j].Given {
			return q, false
		}
		proposed, why = j, "%q is taken for it, by its name."
	}
	if proposed < 0 {
		return q, false
	}
	name := i.Table.Attr(proposed).Name
	q = question{"q-class", "Which column is the class, the one that rules predict? Most techniques keep the rules on " +
		"it. " + fmt.Sprintf(why, name), "Make it the class", "role", name, table.Class.String(), nil, desk.AsksClass}
	for _, j := range may {
		q.Choices = append(q.Choices, i.Table.Attr(j).Name)
	}
	return q, true
}

// remarks are those on the table that are no question of the page: a question says what to click, and a remark what to
// type.
func (i *inspected) remarks() (out []string) {
	asked := i.questions()
	for _, r := range i.Remarks() {
		if !slices.ContainsFunc(asked, func(q question) bool {
			return r.Asks == q.Asks && (r.Column == "" || r.Column == q.Column)
		}) {
			out = append(out, r.Text)
		}
	}
	return out
}

// mark is a text that may mean missing, and how many records hold it.
type mark struct {
	text  string
	count int
}

// marks are the texts of a column that usually mean missing where the others are numbers or dates for the most part.
func (i *inspected) marks(j int) (out []mark) {
	c := i.Table.Column(j)
	if c.Kind != table.Categorical {
		return nil
	}
	for _, text := range i.Info.MaybeMissing[c.Name] {
		k, n := slices.Index(c.Labels, text), 0
		for _, v := range c.Cat {
			if k >= 0 && int(v) == k {
				n++
			}
		}
		if n > 0 && !i.isValue(c.Name, text) {
			out = append(out, mark{text, n})
		}
	}
	return out
}

// missing sets which codes mean missing in a column; those of the file mean it everywhere.
// What was found to be no value and is not among the codes is a value.
func (i *inspected) missing(name string, codes []string) (out []change) {
	key := []string{"columns", name, "missing"}
	var list []any
	for _, c := range codes {
		if c = strings.TrimSpace(c); c != "" && !slices.Contains(list, scalar(c)) {
			list = append(list, scalar(c))
		}
	}
	var values []string
	for _, v := range i.NoValues {
		if v.Column == name {
			values = append(values, v.Code)
		}
	}
	out = i.areValues(name, values, list)
	if list == nil {
		return append(out, change{key, nil})
	}
	return append(out, change{key, list})
}

// areValues says which texts and numbers of a column are values besides those of which the policy says so, but for
// those that are missing.
func (i *inspected) areValues(name string, codes []string, missing []any) []change {
	had := i.Policy.Columns[name].NotMissing
	var list []any
	for _, c := range slices.Concat(reading.Texts(had), codes) {
		if v := scalar(c); !slices.Contains(missing, v) && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	switch key := []string{"columns", name, "not-missing"}; {
	case list == nil && had == nil:
		return nil
	case list == nil:
		return []change{{key, nil}}
	default:
		return []change{{key, list}}
	}
}

// isValue reports whether the policy says that a text or a number of a column is a value.
func (i *inspected) isValue(name, code string) bool {
	return slices.Contains(i.Policy.Columns[name].NotMissing, policy.Text(code))
}

// codes are those that the policy says mean missing in a column.
func (i *inspected) codes(name string) (out []string) {
	for _, c := range i.Policy.Columns[name].Missing {
		out = append(out, string(c))
	}
	return out
}
