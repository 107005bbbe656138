package dialect

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Header is whether the first record of a file names its columns.
type Header uint8

// What is known of the first record.
const (
	GuessHeader Header = iota // it names the columns, and the file is refused where it looks like a record
	HasHeader                 // it names the columns, whatever it looks like
	NoHeader                  // it is a record, and the columns are c1, c2 and so on
)

// ErrHeader is the error for a file whose first record looks like a record. It names no value of it.
var ErrHeader = errors.New("the first line looks like a record, not like the names of the columns: what stands in it " +
	"are values of the columns below; --no-header (file: {header: false} in a policy) reads it as a record and names " +
	"the columns c1, c2, ..., and --header (file: {header: true}) takes it for the names")

// NumberedName is the name of column k, from 0, of a file without a header.
func NumberedName(k int) string { return "c" + strconv.Itoa(k+1) }

// RowName is a name for a first column without one that none of the names is.
func RowName(names []string) string {
	name := "row"
	for k := 1; slices.Contains(names, name); k++ {
		name = "row" + strconv.Itoa(k)
	}
	return name
}

// UnnamedRows notes that the first column got its name so.
func UnnamedRows(name string) message.Sentence {
	return message.Say("read.unnamed").Name("column", name)
}

// usualMarks are the texts that often stand for a missing value or for no number, in lower case.
var usualMarks = []string{"null", "n/a", "na", "nan", "none", "nil", "-", "--", ".", "..", "unknown", "missing",
	"#n/a", "inf", "-inf", "0000-00-00", "0000-00-00 00:00:00", "00.00.0000", "00/00/0000"}

// UsualMark reports whether a text often stands for a missing value or for no number.
func UsualMark(label string) bool { return slices.Contains(usualMarks, strings.ToLower(label)) }

// LikeRecord reports whether the names of columns look like a record of theirs: some name is a value of its column, as
// a number among numbers, a date among dates or a category that is there below, and none is what no record would hold
// there, as a word above numbers. Numbers that count on, as the questions of a questionnaire or years, are names, and
// so are those that number the columns. A name that begins with a zero byte is none. Cost: O(columns + labels), and
// O(n) for a column whose name is a number.
func LikeRecord(names []string, cols []table.Column, point byte) bool {
	v := verdict{}
	for j := range cols {
		name := names[j]
		if name == "" || name[0] == 0 || UsualMark(name) {
			continue
		}
		switch c := &cols[j]; {
		case c.Kind == table.SetValued:
		case c.Kind == table.Categorical:
			v.text(name, c, point)
		case c.Dates != "":
			v.date(name, c)
		default:
			v.number(name, c, point)
		}
	}
	return !v.names && v.values > v.against && !v.counting() && !numbering(names)
}

// numbering reports whether the names number the columns from 0 or 1 on, as programs do that have no others; the names
// of rows may have none.
func numbering(names []string) bool {
	const least = 4 // columns: fewer numbers may be a record
	if names[0] == "" || names[0][0] == 0 || names[0] == RowName(names[1:]) {
		names = names[1:]
	}
	if len(names) < least || names[0] != "0" && names[0] != "1" {
		return false
	}
	first := int(names[0][0] - '0')
	for k, name := range names {
		if name != strconv.Itoa(first+k) {
			return false
		}
	}
	return true
}

// verdict is what speaks for a record, and for names.
type verdict struct {
	values, against int
	names           bool // a name is no value of its column
	numbers         []float64
	elsewhere       int // numbers that their column does not hold
	years           int // numbers that are years above other numbers
}

func (v *verdict) number(name string, c *table.Column, point byte) {
	x, ok := numberOf(name, point)
	if !ok {
		v.names = v.names || strings.IndexFunc(name, unicode.IsLetter) >= 0
		return
	}
	lo, hi := table.Range(c.Num)
	v.numbers = append(v.numbers, x)
	among := slices.Contains(c.Num, x)
	if !among {
		v.elsewhere++
	}
	if isYear(x) && !(lo >= 1800 && hi <= 2200) {
		v.years++
	}
	width := max(hi-lo, math.Abs(lo), math.Abs(hi))
	if among || x >= lo-width && x <= hi+width && !few(c.Num) {
		v.values++
	}
}

// counting reports whether the numbers among the names go up in equal steps, or are years.
func (v *verdict) counting() bool {
	n := len(v.numbers)
	if n < 2 {
		return false
	}
	even, up := true, true
	step := v.numbers[1] - v.numbers[0]
	for k := 1; k < n; k++ {
		even = even && v.numbers[k]-v.numbers[k-1] == step && step != 0
		up = up && v.numbers[k] > v.numbers[k-1]
	}
	return even && (n >= 6 || n >= 3 && v.elsewhere > 0) || up && v.years == n
}

func isYear(x float64) bool { return x >= 1900 && x <= 2100 && x == math.Trunc(x) }

// numberOf reads a name as a number, whatever its decimal sign.
func numberOf(name string, point byte) (float64, bool) {
	x, _, ok := decimal.Parse([]byte(name), point)
	return x, ok
}

// few reports whether numbers are codes: many, of at most ten values.
func few(num []float64) bool {
	const most, least = 10, 50
	var seen []float64
	n := 0
	for _, x := range num {
		if x != x {
			continue
		}
		if n++; !slices.Contains(seen, x) {
			if seen = append(seen, x); len(seen) > most {
				return false
			}
		}
	}
	return n >= least
}

func (v *verdict) date(name string, c *table.Column) {
	if l, err := c.Dates.Layout(); err == nil {
		if _, ok := l.Number([]byte(name)); ok {
			v.values++
			return
		}
	}
	var s calendar.Seen
	if !s.Add([]byte(name)) && strings.IndexFunc(name, unicode.IsLetter) >= 0 {
		v.names = true
	}
}

// text judges the name of a column of texts.
func (v *verdict) text(name string, c *table.Column, point byte) {
	const most, repeats = 20, 5 // a column of at most so many categories, each so often
	values, numeric := 0, 0
	is := make([]bool, len(c.Labels))
	for k, l := range c.Labels {
		_, is[k] = numberOf(l, point)
	}
	for _, k := range c.Cat {
		if k >= 0 {
			if values++; is[k] {
				numeric++
			}
		}
	}
	_, number := numberOf(name, point)
	switch {
	case values == 0:
	case slices.Contains(c.Labels, name), number && 2*numeric >= values:
		v.values++
	case 2*numeric >= values, len(c.Labels) <= most && values >= repeats*len(c.Labels):
		v.against++
	case alike(name, c.Labels):
		v.values++
	}
}

// alike reports whether a name is written like all labels of a column: letters and digits in the same places, some
// digit among them.
func alike(name string, labels []string) bool {
	if len(labels) < 2 || !strings.ContainsAny(name, "0123456789") {
		return false
	}
	shape := shapeOf(name)
	return !slices.ContainsFunc(labels, func(l string) bool { return shapeOf(l) != shape })
}

func shapeOf(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsDigit(r):
			return '9'
		case unicode.IsLetter(r):
			return 'a'
		}
		return r
	}, s)
}
