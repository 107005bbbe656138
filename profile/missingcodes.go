package profile

import (
	"maps"
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
	// farWidth is how many times as far away as the rest is wide a code lies that cannot be a value, and longTail how many
	// times as far as the quartiles from each other the rest reaches beyond them at most.
	farWidth, longTail = 4, 3
	// firstDay is the smallest number that may be a day without marks: 01011800 for 1 January 1800.
	firstDay = 1011800
)

// usualCode reports whether a number is one that surveys and registers often write for a missing value: -1 to -9, and
// two or more sevens, eights or nines, with or without a sign, the last digit from 7 to 9; and nines with one or two
// decimals, such as -9.9 and 99.99.
func usualCode(v float64) bool {
	if math.Abs(v) > 1e9 {
		return false
	}
	if v != math.Trunc(v) {
		whole, decimals, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'f', -1, 64), ".")
		return strings.Trim(whole+decimals, "9") == "" && len(decimals) <= 2 && (v < 0 || len(whole) > 1)
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
	if n := calendar.Notation(c.Dates); n.Timely() {
		return false, false
	}
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
	if hi-lo < 3 {
		return nil
	}
	if k := lo - chained(runs[:hi], lo); lo-k >= 3 { // temperatures below zero, rather than codes
		lo = k
	}
	hi += chainedAbove(runs[lo:], hi-lo)
	rest := runs[lo:hi]
	var out []Code
	take := func(r run, gap, usual float64, negative bool) {
		if r.count >= someCodes && (gap > farCode*usual || negative && rest[0].value >= 0) {
			out = append(out, Code{r.value, r.count})
		}
	}
	low, high := largestGap(rest[:min(len(rest), nearValues)]), largestGap(rest[max(0, len(rest)-nearValues):])
	for k := lo - 1; k >= 0; k-- {
		take(runs[k], rest[0].value-runs[k].value, low, c.Dates == "")
	}
	for k := hi; k < len(runs); k++ {
		take(runs[k], runs[k].value-rest[len(rest)-1].value, high, false)
	}
	return out
}

// chained is how many values before one of the runs lie no further from each other, and from it, than those after it.
func chained(runs []run, at int) (n int) {
	usual := largestGap(runs[at:min(len(runs), at+nearValues)])
	for n < at && runs[at-n].value-runs[at-n-1].value <= usual {
		n++
	}
	return n
}

// chainedAbove is how many values from one of the runs on lie no further from each other, and from those before it,
// than those do, and occur about as often as they do: percentages up to 99, rather than codes.
func chainedAbove(runs []run, at int) (n int) {
	rest := runs[max(0, at-nearValues):at]
	usual, most := largestGap(rest), slices.MaxFunc(rest, func(a, b run) int { return a.count - b.count }).count
	for at+n < len(runs) && runs[at+n].value-runs[at+n-1].value <= usual && runs[at+n].count <= 2*most {
		n++
	}
	return n
}

// largestGap is the largest distance between neighbours.
func largestGap(rest []run) (largest float64) {
	for k := 1; k < len(rest); k++ {
		largest = math.Max(largest, rest[k].value-rest[k-1].value)
	}
	return largest
}

// NoValues returns the codes of a column of numbers that cannot be values of it, whose ranges leave no doubt that they
// mean missing: negative ones apart from the rest, where the rest never is negative, and ones that lie several times as
// far from the rest as the whole rest is wide, where the rest has no long tail at that end. A top code of incomes is
// none of them. A zero is one among days without marks (yyyymmdd). Cost: that of a sort where the smallest or the
// largest number is a usual code, else O(1).
func NoValues(c table.Column) []Code {
	if zero := noDay(c); zero != nil {
		return zero
	}
	return apart(c)
}

// apart is NoValues but for the zeros among days.
func apart(c table.Column) (out []Code) {
	if c.Kind != table.Numeric || c.Dates != "" || !(usualCode(c.Domain.Lo) && c.Domain.Lo < 0 || usualCode(c.Domain.Hi)) {
		return nil
	}
	counts, n := map[float64]int{}, 0
	for _, v := range c.Num {
		if v == v {
			counts[v]++
			n++
		}
	}
	runs := make([]run, 0, len(counts))
	for _, v := range slices.Sorted(maps.Keys(counts)) {
		runs = append(runs, run{v, counts[v]})
	}
	o := Column{}
	codes := o.codesOf(runs)
	rest := slices.DeleteFunc(runs, func(r run) bool {
		return slices.ContainsFunc(codes, func(c Code) bool { return c.Value == r.value })
	})
	for _, c := range codes {
		n -= c.Count
	}
	if len(rest) == 0 {
		return nil
	}
	lo, hi := rest[0].value, rest[len(rest)-1].value
	q1, q3 := middle(rest, n)
	wide, tail := hi-lo, float64(longTail*(q3-q1))
	low := largestGap(rest[:min(len(rest), nearValues)])
	inner := lo // the nearest to a code that may be a value
	for _, k := range codes {
		v := k.Value
		switch {
		case v > hi && v-hi >= farWidth*wide && hi-q3 <= tail, v < lo && lo-v >= farWidth*wide && q1-lo <= tail,
			v < 0 && lo >= 0 && inner-v > farCode*low:
			out = append(out, k)
		case v < lo:
			inner = v
		}
	}
	return out
}

// noDay returns the zero of a column of numbers of which all others are days without marks.
func noDay(c table.Column) []Code {
	if c.Kind != table.Numeric || c.Dates != "" || c.Domain.Lo != 0 || c.Domain.Hi < firstDay {
		return nil
	}
	days := slices.DeleteFunc(slices.Clone(c.Num), func(v float64) bool { return v == 0 })
	if len(days) < enough || calendar.Unmarked(days) == "" {
		return nil
	}
	return []Code{{0, len(c.Num) - len(days)}}
}

// Doubt is something that is probably not meant as it stands: a number of a column that may be a code of missing values
// or, without a column, texts that differ only in how they are written.
type Doubt struct {
	Column string
	Code   string // the number, or date, that may be one
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
				Doubt{c.Name, v, message.Say("why.code").Name("column", c.Name).Count("records", s.Count).Name("value", v).
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
