package xlsx

import (
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// truths are how a truth value is shown.
var truths = [2]string{"FALSE", "TRUE"}

// typed marks the types of columns that this format keeps: the format of the cells follows.
const typed = "excel "

// boolean is the type of a column of truth values.
const boolean = typed + "boolean"

// built is a column of the table, and whether its texts are no dates whatever they look like.
type built struct {
	table.Column
	settled bool
}

// columnOf makes a column of the table. Notes on it go to info.
func (sh *sheet) columnOf(c *column, opt *dialect.Options, info *dialect.Info) built {
	c.pad(sh.rows)
	texts, quoted := c.count[plainText]-sh.marked(c, opt), c.count[quotedText]
	sh.remark(c, texts+quoted, info)
	if texts+quoted == 0 {
		if out, ok := sh.ofOneKind(c, opt, info); ok {
			return out
		}
	}
	col := sh.labelled(c)
	values := c.filled()
	if c.count[truth] == values && texts+quoted == 0 {
		info.Types[c.name] = boolean
		return built{col, true}
	}
	delete(info.Types, c.name)
	_, told := opt.Kinds[c.name]
	if quoted == 0 && !told && c.count[number] == values {
		if out, ok := dialect.Numbers(col, '.', &dialect.Info{}); ok {
			info.Note(message.Say("read.cells.texts").Name("column", c.name).Count("n", texts))
			return built{Column: numeric(c.name, out.Num)}
		}
	}
	if values > 0 && texts+quoted > 0 && c.count[date] < values {
		info.NoteText(c.name, message.Say("read.cells.beside").Name("column", c.name).Count("n", values))
	}
	return built{col, quoted > 0}
}

// filled is how many cells hold a number, date, duration or truth value.
func (c *column) filled() int {
	return c.count[number] + c.count[date] + c.count[duration] + c.count[truth]
}

// remark tells info what stands out about a column whatever its kind, of which so many cells hold texts, the format of
// its cells, and whether these are dates.
func (sh *sheet) remark(c *column, texts int, info *dialect.Info) {
	if n := c.count[fault]; n > 0 {
		info.Note(message.Say("read.cells.errors").Name("column", c.name).Count("n", n))
	}
	if c.formulas > 0 {
		info.Note(message.Say("read.cells.formulas").Name("column", c.name).Count("n", c.formulas))
	}
	if c.hidden {
		info.Note(message.Say("read.cells.hidden").Name("column", c.name))
	}
	if st := sh.styleOf(c.style); c.style >= 0 && st.code != "" {
		info.Types[c.name] = typed + st.code
	}
	if c.count[date] > 0 && someDates*c.count[date] >= c.filled()+texts {
		info.Dated = append(info.Dated, c.name)
	}
}

// someDates is the inverse of the share of cells that a format shows as dates from which on the file calls the column
// dates. Excel makes dates of texts that only look like one, such as 3-4; these are few.
const someDates = 10

// ofOneKind makes a column without texts of values that are all numbers, dates or durations, or of none; false for
// others.
func (sh *sheet) ofOneKind(c *column, opt *dialect.Options, info *dialect.Info) (built, bool) {
	switch c.filled() {
	case 0:
		return sh.empty(c), true
	case c.count[number]:
	case c.count[date]:
		if col, ok := sh.dates(c); ok {
			return built{Column: col}, true
		}
		info.Note(message.Say("read.cells.dates").Name("column", c.name))
	case c.count[duration]:
		if kind, told := opt.Kinds[c.name]; !told || kind != table.Categorical {
			info.Note(message.Say("read.cells.seconds").Name("column", c.name))
		}
		for i, v := range c.values {
			c.values[i] = seconds(v)
		}
	default:
		return built{}, false
	}
	return built{Column: numeric(c.name, c.values)}, true
}

// marked makes nothing of the texts that mean missing, and returns how many there were. One behind an apostrophe means
// what it says.
func (sh *sheet) marked(c *column, opt *dialect.Options) (n int) {
	missing := map[float64]bool{}
	for i, k := range c.contents {
		switch k {
		case plainText:
			v := c.values[i]
			is, known := missing[v]
			if !known {
				label := sh.texts.Label(int32(v))
				is = label == "" || slices.Contains(opt.Marks(), label)
				missing[v] = is
			}
			if is {
				c.contents[i], c.values[i] = nothing, math.NaN()
				n++
			}
		case nothing, fault:
			c.values[i] = math.NaN()
		case number, date, duration, quotedText, truth, contents:
		}
	}
	return n
}

// empty is a column without a value: its kind is the one that it is formatted for.
func (sh *sheet) empty(c *column) built {
	at := slices.IndexFunc(sh.columns, func(o column) bool { return o.name == c.name })
	for _, s := range sh.styled {
		if at < s.lo || at >= s.hi || s.style < 0 {
			continue
		}
		switch st := sh.styleOf(s.style); {
		case st.code == "@":
			return built{table.CatColumn(c.name, nil, slices.Repeat([]int32{-1}, sh.rows)), true}
		case st.shows == days:
			return built{Column: table.DateColumn(c.name, calendar.ISO, c.values)}
		case st.shows == instants:
			return built{Column: table.DateColumn(c.name, calendar.ISOTime, c.values)}
		}
	}
	return built{Column: numeric(c.name, c.values)}
}

func numeric(name string, values []float64) table.Column {
	return table.NumColumn(name, decimal.Grid(values), values)
}

// labelled is a column of categories, named as its cells show, dates as ISO 8601 has them.
func (sh *sheet) labelled(c *column) table.Column {
	var labels []string
	at := map[string]int32{}
	texts := map[float64]int32{}
	cat := make([]int32, len(c.contents))
	code := func(label string) int32 {
		k, ok := at[label]
		if !ok {
			k = int32(len(labels))
			at[label], labels = k, append(labels, label)
		}
		return k
	}
	for i, k := range c.contents {
		v := c.values[i]
		switch k {
		case nothing, fault, contents:
			cat[i] = -1
		case plainText, quotedText:
			known, ok := texts[v]
			if !ok {
				known = code(strings.Clone(sh.texts.Label(int32(v))))
				texts[v] = known
			}
			cat[i] = known
		case truth:
			cat[i] = code(truths[int(v)])
		case date:
			label := sh.iso(v)
			if label == "" {
				label = string(decimal.Append(nil, v, 0, -1))
			}
			cat[i] = code(label)
		case duration:
			cat[i] = code(string(decimal.Append(nil, seconds(v), 0, -1)))
		case number:
			cat[i] = code(string(decimal.Append(nil, v, 0, -1)))
		}
	}
	return table.CatColumn(c.name, labels, cat)
}
