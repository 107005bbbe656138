package dialect

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Layouts returns the notations of Dates, ready to read; it fails on one that there is not.
func (o *Options) Layouts() (map[string]*calendar.Layout, error) {
	out := make(map[string]*calendar.Layout, len(o.Dates))
	for name, n := range o.Dates {
		var err error
		if out[name], err = n.Layout(); err != nil {
			return nil, fmt.Errorf("column %q: %w", name, err)
		}
	}
	return out, nil
}

// Writable returns the layout of a column of dates. It fails, in words that go on behind the column's name, on a number
// that is none of them.
func Writable(c table.Column) (*calendar.Layout, error) {
	l, err := c.Dates.Layout()
	if err != nil {
		return nil, err
	}
	for i, v := range c.Num {
		if v == v && !l.Holds(v) {
			return nil, fmt.Errorf("holds no date that is written %s in row %d", c.Dates, i+1)
		}
	}
	return l, nil
}

// ReadDates returns the table with dates for the texts that are: the columns of Options.Dates, which must hold such
// dates, and among the others those whose texts are all dates of one notation; leave names those that are declared as
// something else. What is doubtful stays text, and info says so. Columns that the file calls dates (Info.Dated), and
// that are none in the table, are marked (table.Attribute). It serves formats that declare their columns. Cost:
// O(labels), and O(records) for the columns that change.
func (o *Options) ReadDates(t *table.Table, info *Info, leave func(j int) bool) (*table.Table, error) {
	layouts, err := o.Layouts()
	if err != nil {
		return nil, err
	}
	cols := t.Columns()
	for j := range cols {
		c := &cols[j]
		l, told := layouts[c.Name]
		if told && c.Dates != "" {
			if cols[j], err = o.rewritten(*c, l); err != nil {
				return nil, err
			}
			continue
		}
		if told && c.Kind == table.Numeric { // 20240131 was taken for a number
			labelled, err := t.AsCategorical(j, 0)
			if err != nil {
				return nil, err
			}
			*c = labelled.Column(j)
		}
		if _, forced := o.Kinds[c.Name]; c.Kind != table.Categorical || !told && (len(c.Labels) == 0 || forced || leave(j)) {
			continue
		}
		if l == nil {
			var note message.Sentence
			if l, note = inferred(c); !note.Empty() {
				info.NoteText(c.Name, note)
			}
		}
		if l == nil {
			continue
		}
		if cols[j], err = o.dated(c, l); err != nil {
			return nil, err
		}
	}
	t, err = t.WithColumns(cols)
	if err != nil {
		return nil, err
	}
	return info.MarkDated(t), nil
}

// MarkDated returns the table with a mark on the columns that the file calls dates and that are none.
func (i *Info) MarkDated(t *table.Table) *table.Table {
	for j := range t.Width() {
		a := *t.Attr(j)
		if dated := a.Dates == "" && (a.Dated || slices.Contains(i.Dated, a.Name)); dated != a.Dated {
			a.Dated = dated
			t = t.WithAttr(j, a)
		}
	}
	return t
}

// rewritten returns a column of dates in another notation, if that can write them.
func (o *Options) rewritten(c table.Column, l *calendar.Layout) (table.Column, error) {
	was, is := c.Dates.PerDay(), l.Notation().PerDay()
	if was != is {
		num := mmap.Make[float64](o.Space, len(c.Num))
		for i, v := range c.Num {
			num[i] = v / (was / is) // units nest, so this is exact where the dates are of the coarser one
			if is >= was {
				num[i] = float64(v * (is / was))
			}
		}
		c.Num = num
	}
	c.Dates = l.Notation()
	if _, err := Writable(c); err != nil {
		return c, fmt.Errorf("column %q %w", c.Name, err)
	}
	return table.DateColumn(c.Name, c.Dates, c.Num), nil
}

// inferred returns the layout of which all texts of a column are dates, nil where they are not of one, and what there
// is to say then.
func inferred(c *table.Column) (*calendar.Layout, message.Sentence) {
	var s calendar.Seen
	for _, label := range c.Labels {
		if !s.Add([]byte(label)) {
			return nil, remark(c)
		}
	}
	n, other := s.Notation()
	if other != "" {
		return nil, Doubtful(c.Name, n, other)
	}
	l, err := n.Layout()
	if err != nil {
		return nil, message.Sentence{}
	}
	return l, message.Sentence{}
}

// dated returns a column of texts as dates.
func (o *Options) dated(c *table.Column, l *calendar.Layout) (table.Column, error) {
	values := make([]float64, len(c.Labels))
	for k, label := range c.Labels {
		var ok bool
		if values[k], ok = l.Number([]byte(label)); !ok {
			return *c, fmt.Errorf("column %q holds something else than a date as it is written %s, expected such dates or "+
				"missing values", c.Name, l.Notation())
		}
	}
	num := mmap.Make[float64](o.Space, len(c.Cat))
	for i, code := range c.Cat {
		if num[i] = math.NaN(); code >= 0 {
			num[i] = values[code]
		}
	}
	out := table.DateColumn(c.Name, l.Notation(), num)
	out.Role = c.Role
	return out, nil
}

// Doubtful says of a column that its dates may be of two notations, and how to settle it.
func Doubtful(column string, n, other calendar.Notation) message.Sentence {
	return message.Say("read.doubtful.dates").Name("column", column).Name("one", string(n)).Name("other", string(other)).
		Text("flag", flag("--dates", column, string(n)))
}

// TwoDigits says of a column that the years of its dates have two digits, and how to settle of which hundred they are.
func TwoDigits(column string, n calendar.Notation) message.Sentence {
	return message.Say("read.twoDigits").Name("column", column).Text("flag", flag("--dates", column, string(n)))
}

// flag is a flag that says the notation of a column, as a shell takes it.
func flag(name, column, notation string) string {
	f := column + "=" + notation
	if strings.ContainsFunc(f, func(c rune) bool {
		return !strings.ContainsRune(".,/-_=", c) && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	}) {
		f = "'" + strings.ReplaceAll(f, "'", `'\''`) + "'"
	}
	return name + " " + f
}

// remark says that most texts of a column are dates, where they are.
func remark(c *table.Column) message.Sentence {
	n, is := DatesAmong(c)
	switch {
	case n == "":
		return message.Sentence{}
	case strings.Contains(string(n), " from "):
		return TwoDigits(c.Name, n)
	}
	values, dated, first := 0, 0, -1
	for i, v := range c.Cat {
		if v < 0 {
			continue
		}
		if values++; is[v] {
			dated++
		} else if first < 0 {
			first = i
		}
	}
	return message.Say("read.mostDates").Name("column", c.Name).Count("n", dated).Count("values", values).
		Name("as", string(n)).Name("row", strconv.Itoa(first+1))
}

// tries is in how many notations DatesAmong looks for most of the values.
const tries = 3

// short are the notations with years of two digits that are pointed out, in the order in which they are tried.
var short = func() (out []*calendar.Layout) {
	for _, date := range []string{"dd?mm?yy", "mm?dd?yy", "d?m?yy", "m?d?yy", "yy?mm?dd"} {
		for _, mark := range []string{".", "/", "-"} {
			l, err := calendar.Notation(strings.ReplaceAll(date, "?", mark) + " from 1926").Layout()
			if err != nil {
				panic("dialect: " + err.Error()) // it is written above
			}
			out = append(out, l)
		}
	}
	return out
}()

// DatesAmong returns the notation of which at least half of the values of a categorical column are dates, and which
// labels are; "" where there is none. Years of two digits count where all values are such dates. Cost: O(labels +
// records).
func DatesAmong(c *table.Column) (n calendar.Notation, is []bool) {
	count, values := make([]int, len(c.Labels)), 0
	for _, v := range c.Cat {
		if v >= 0 {
			count[v]++
			values++
		}
	}
	if values == 0 {
		return "", nil
	}
	left := make([]bool, len(c.Labels))
	for k := range left {
		left[k] = true
	}
	for range tries {
		var s calendar.Seen
		mine, records := make([]bool, len(c.Labels)), 0
		for k, label := range c.Labels {
			if left[k] && s.Add([]byte(label)) {
				mine[k], left[k] = true, false
				records += count[k]
			}
		}
		if 2*records >= values {
			n, _ := s.Notation()
			return n, mine
		}
		if records == 0 {
			break
		}
	}
	for _, l := range short {
		if !slices.ContainsFunc(c.Labels, func(label string) bool { _, ok := l.Number([]byte(label)); return !ok }) {
			return l.Notation(), slices.Repeat([]bool{true}, len(c.Labels))
		}
	}
	return "", nil
}
