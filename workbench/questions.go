package workbench

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/study/reading"
	"github.com/dither-data/dither/table"
)

// question is something about the table that only its owner knows, and what a click on yes sets.
type question struct {
	ID                  string
	Text, Yes           message.Sentence
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
		out = append(out, i.whose(id, c, &role)...)
		if role.Role&table.Identifier != 0 {
			continue
		}
		missing := func(id string, says message.Sentence, records int, code string, asks desk.Question) {
			out = append(out, question{id, says.Count("records", records).Name("column", c.Name),
				yes("missing").Name("code", code), "missing-too", c.Name, code, nil, asks})
		}
		for n, mark := range i.marks(k) {
			missing(fmt.Sprintf("%s-m%d", id, n), ask("mark").Name("text", mark.text), mark.count, mark.text, desk.AsksText)
		}
		for n, v := range i.NoValues {
			if v.Column == c.Name {
				says := ask("value").Count("records", v.Records).Name("column", v.Column).Name("code", v.Code)
				out = append(out, question{fmt.Sprintf("%s-v%d", id, n), says, yes("value").Name("code", v.Code), "not-missing",
					c.Name, v.Code, nil, desk.AsksValue})
			}
		}
		if sign, doubtful := i.Info.Doubtful[c.Name]; doubtful {
			thousands, decimals := decimal.Readings(sign)
			for n, how := range []string{thousands.String(), decimals.String()} {
				out = append(out, question{fmt.Sprintf("%s-n%d", id, n), ask("numbers").Name("column", c.Name).Name("how", how),
					yes("numbers").Name("how", how), "numbers", c.Name, how, nil, desk.AsksText})
			}
		}
		for n, code := range c.Codes {
			v := strconv.FormatFloat(code.Value, 'f', -1, 64)
			if c.Dates != "" {
				v = string(calendar.Notation(c.Dates).Append(nil, code.Value))
			}
			if !i.isValue(c.Name, v) {
				missing(fmt.Sprintf("%s-%d", id, n), ask("code").Name("code", v), code.Count, v, desk.AsksCode)
			}
		}
		if c.Variants > 0 {
			variants, in = variants+c.Variants, append(in, c.Name)
		}
	}
	if variants > 0 && !i.Policy.File.Merge {
		out = append(out, question{"q-merge", ask("merge").Count("values", variants).Quoted("columns", in), yes("merge"),
			"merge", "", "yes", nil, desk.AsksVariants})
	}
	return out
}

// step is the screen of the path on which a question is asked.
func (q *question) step() string {
	if q.Asks == desk.AsksPerson || q.Asks == desk.AsksClass { // the class before all guesses are accepted
		return "table"
	}
	return "data"
}

// asked are the questions of a screen.
func (i *inspected) asked(screen string) []question {
	return slices.DeleteFunc(i.questions(), func(q question) bool { return q.step() != screen })
}

// whose asks whether a column that is taken to tell people or households apart does.
func (i *inspected) whose(id string, c *profile.Column, role *profile.Suggestion) []question {
	if role.Role&(table.Person|table.Household) == 0 || role.Given {
		return nil
	}
	key := "person"
	if role.Role&table.Household != 0 {
		key = "household"
	}
	says := ask(key).Name("column", c.Name).Count("values", c.Distinct).Count("records", i.Profile.Rows-c.Missing)
	return []question{{id, says, yes("person"), "role", c.Name, table.Identifier.String(), nil, desk.AsksPerson}}
}

// ask is a question, and yes what a click on it says.
func ask(key string) message.Sentence { return message.Say("workbench.ask." + key) }
func yes(key string) message.Sentence { return message.Say("workbench.yes." + key) }

// whichClass asks for the class where the policy does not say it, and proposes the column that is taken for it, or else
// one that may be.
func (i *inspected) whichClass() (q question, open bool) {
	may, proposed := profile.Classes(i.Profile, i.Roles)
	why := "workbench.proposed"
	if j := i.Table.WithRole(table.Class); j >= 0 {
		if i.Roles[j].Given {
			return q, false
		}
		proposed, why = j, "workbench.byName"
	}
	if proposed < 0 {
		return q, false
	}
	name := i.Table.Attr(proposed).Name
	q = question{"q-class", ask("class").Part("why", message.Say(why).Name("column", name)), yes("class"), "role", name,
		table.Class.String(), nil, desk.AsksClass}
	for _, j := range may {
		q.Choices = append(q.Choices, i.Table.Attr(j).Name)
	}
	return q, true
}

// remarks are those on the table that are no question of the page, by the column that they are on; those on the whole
// table have none. A question says what to click, and a remark what to type.
func (i *inspected) remarks() map[string][]message.Sentence {
	out := map[string][]message.Sentence{}
	asked := i.questions()
	for _, r := range i.Remarks() {
		if slices.ContainsFunc(asked, func(q question) bool {
			return r.Asks == q.Asks && (r.Column == "" || r.Column == q.Column)
		}) {
			continue
		}
		on := cmp.Or(r.Column, r.Says.Named("column"))
		if i.Table.Find(on) < 0 {
			on = ""
		}
		out[on] = append(out[on], r.Says)
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
