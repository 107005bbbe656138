package profile

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Code is a number that may stand for a missing value: a usual code, such as 99 or -9, that repeats and lies far
// outside the rest of its column.
type Code struct {
	Value float64 `json:"value"`
	Count int     `json:"count"` // records that hold it
}

const (
	// someCodes is how many records hold a code at least, and farCode how many times the largest gap among the nearest
	// other values it is away.
	someCodes, farCode = 3, 2
	// nearValues is how many different values at an end of a column tell how far apart its values lie there.
	nearValues = 20
)

// usualCode reports whether a number is one that surveys and registers often write for a missing value: -1 to -9, and
// two or more sevens, eights or nines, with or without a sign, the last digit from 7 to 9.
func usualCode(v float64) bool {
	if v != math.Trunc(v) || math.Abs(v) > 1e9 {
		return false
	}
	s := strconv.Itoa(int(math.Abs(v)))
	if len(s) == 1 {
		return v < 0
	}
	lead := strings.TrimRight(s[:len(s)-1], s[:1])
	return lead == "" && s[0] >= '7' && s[len(s)-1] >= '7' && (s[0] == '9' || s[len(s)-1] == s[0])
}

// run is a value of a sorted column and how often it occurs.
type run struct {
	value float64
	count int
}

// usualDates are the days that registers often write for an unknown one, those before all others and those behind.
var usualDates = [2][]string{
	{"0001-01-01", "1800-01-01", "1899-12-30", "1899-12-31", "1900-01-01"},
	{"2099-12-31", "2999-12-31", "9999-01-01", "9999-12-31"},
}

// ends reports whether a value of a column may be a code at its lower and at its upper end.
func (c *Column) ends(v float64) (low, high bool) {
	if c.Dates != "" {
		day := calendar.Day.Label(calendar.Notation(c.Dates).DayOf(v))
		return slices.Contains(usualDates[0], day), slices.Contains(usualDates[1], day)
	}
	usual := usualCode(v)
	return usual && v < 0, usual && v > 0
}

// codesOf finds the codes at both ends of a column, whose values are given in ascending order, the nearest to the rest
// first. What is left between them are three values at least.
func (c *Column) codesOf(runs []run) []Code {
	lo, hi := 0, len(runs)
	for ; lo < hi; lo++ {
		if low, _ := c.ends(runs[lo].value); !low {
			break
		}
	}
	for ; hi > lo; hi-- {
		if _, high := c.ends(runs[hi-1].value); !high {
			break
		}
	}
	rest := runs[lo:hi]
	if len(rest) < 3 {
		return nil
	}
	var out []Code
	take := func(r run, gap, usual float64, negative bool) {
		if r.count >= someCodes && (gap > farCode*usual || negative && rest[0].value >= 0) {
			out = append(out, Code{r.value, r.count})
		}
	}
	gap := func(rest []run) (largest float64) {
		for k := 1; k < len(rest); k++ {
			largest = math.Max(largest, rest[k].value-rest[k-1].value)
		}
		return largest
	}
	low, high := gap(rest[:min(len(rest), nearValues)]), gap(rest[max(0, len(rest)-nearValues):])
	for k := lo - 1; k >= 0; k-- {
		take(runs[k], rest[0].value-runs[k].value, low, c.Dates == "")
	}
	for k := hi; k < len(runs); k++ {
		take(runs[k], runs[k].value-rest[len(rest)-1].value, high, false)
	}
	return out
}

// Doubt is something that is probably not meant as it stands: a number of a column that may be a code of missing values
// or, without a column, texts that differ only in how they are written.
type Doubt struct {
	Column string
	Says   message.Sentence
}

// Doubts says in words what is probably not meant as it stands: numbers that may be codes of missing values, texts that
// differ only in how they are written. It names the usual codes, and no other value.
func (p *Profile) Doubts() (out []Doubt) {
	for k := range p.Columns {
		c := &p.Columns[k]
		if c.Suggest.Role&table.Identifier != 0 {
			continue
		}
		for _, s := range c.Codes {
			v := strconv.FormatFloat(s.Value, 'f', -1, 64)
			if c.Dates != "" {
				v = string(calendar.Notation(c.Dates).Append(nil, s.Value))
			}
			out = append(
				out,
				Doubt{c.Name, message.Say("why.code").Name("column", c.Name).Count("records", s.Count).Name("value", v).
					Name("flag", spelling.Word(c.Name+"="+v))},
			)
		}
	}
	var names []string
	changed := 0
	for k := range p.Columns {
		if n := p.Columns[k].Variants; n > 0 {
			names = append(names, p.Columns[k].Name)
			changed += n
		}
	}
	if names != nil {
		out = append(out, Doubt{Says: message.Say("why.variants").Count("values", changed).Quoted("columns", names)})
	}
	return out
}
