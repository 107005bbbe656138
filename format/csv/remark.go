package csv

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// likeness is what a label looks like.
type likeness uint8

const (
	plainText likeness = iota
	number
	thousandsNumber // 1,234.56 or 1.234,56
)

// remark returns what there is to say about text column j, whose values may have been meant as numbers: something when
// at least half of them are numbers, or look like numbers with thousands separators.
func (r *result) remark(c *table.Column, j int) message.Sentence {
	like := make([]likeness, len(c.Labels))
	some := false
	for k, l := range c.Labels {
		if _, _, ok := decimal.Parse([]byte(l), r.point); ok {
			like[k] = number
		} else if hasThousands(l) {
			like[k] = thousandsNumber
		}
		some = some || like[k] != plainText
	}
	if !some {
		return message.Sentence{}
	}
	values, count := 0, [3]int{}
	for _, v := range c.Cat {
		if v >= 0 {
			values++
			count[like[v]]++
		}
	}
	switch n := count[number]; {
	case count[thousandsNumber] > 0 && 2*count[thousandsNumber] >= values:
		return message.Say("read.grouped").Name("column", c.Name).Count("n", count[thousandsNumber]).Count("values", values).
			Part("ways", ways(c))
	case n == values || 2*n < values:
		return message.Sentence{}
	default:
		not := message.Say("read.not.some").Count("n", values-n)
		if n == values-1 {
			not = r.not(1, slices.IndexFunc(c.Cat, func(v int32) bool { return v >= 0 && like[v] != number }))
		}
		return message.Say("read.numbers").Name("column", c.Name).Count("n", n).Count("values", values).Part("not", not).
			Part("end", r.hint(c, j, like))
	}
}

// hint ends the remark on a column of which half are numbers: it names the commonest of the other labels if that is a
// usual mark.
func (r *result) hint(c *table.Column, j int, like []likeness) message.Sentence {
	times := make([]int, len(c.Labels))
	for _, v := range c.Cat {
		if v >= 0 {
			times[v]++
		}
	}
	var others []int
	for k := range like {
		if like[k] != number {
			others = append(others, k)
		}
	}
	commonest := slices.MaxFunc(others, func(a, b int) int { return times[a] - times[b] })
	if !dialect.UsualMark(c.Labels[commonest]) {
		return message.Say("read.asText")
	}
	return message.Say("read.mark.way").Text("mark", strconv.Quote(c.Labels[commonest])).
		Part("way", r.wayOut(c, j, others, message.Say("read.meant.numbers")))
}

// hasThousands reports whether a text is a number with a separator before every three digits of its integer part: a
// comma, a point, an apostrophe or a blank, and the decimal mark another one.
func hasThousands(l string) bool {
	if l != "" && (l[0] == '+' || l[0] == '-') {
		l = l[1:]
	}
	n := digits(l)
	if n < 1 || n > 3 || n == len(l) || l[0] == '0' || strings.IndexByte(",.' ", l[n]) < 0 {
		return false
	}
	sep, rest, groups := l[n], l[n:], 0
	for rest != "" && rest[0] == sep && digits(rest[1:]) == 3 {
		rest = rest[4:]
		groups++
	}
	fraction := len(rest) > 1 && (rest[0] == '.' || rest[0] == ',') && rest[0] != sep && digits(rest[1:]) == len(rest)-1
	return groups > 0 && (rest == "" || fraction)
}

// digits counts the digits at the beginning of a text.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// marksAmong returns the labels of a text column that are usual marks.
func marksAmong(c *table.Column) (marks []string) {
	for _, l := range c.Labels {
		if dialect.UsualMark(l) {
			marks = append(marks, l)
		}
	}
	return marks
}

// wayOut names the options with which text column j is read as numbers, or as what it is meant to be, if the labels
// that are none are all usual marks and none is in quotes.
func (r *result) wayOut(c *table.Column, j int, others []int, meant message.Sentence) message.Sentence {
	var flags []string
	for _, k := range others {
		if !dialect.UsualMark(c.Labels[k]) {
			return message.Sentence{}
		}
		flags = append(flags, "--missing "+spelling.Word(c.Labels[k]))
	}
	for k := range r.shards {
		if r.shards[k].parts[j].quoted {
			return message.Sentence{}
		}
	}
	return message.Say("read.wayOut").Text("flags", strings.Join(flags, " ")).Part("meant", meant)
}
