package csv

import (
	"math"
	"strconv"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// dating is what was detected about a column of dates.
type dating struct {
	notation, other calendar.Notation // other is set where it is doubtful which of the two it is
	told            bool
}

// date settles the notation of column j, whose parts hold dates or nothing; false where they are not of one notation,
// or it is doubtful.
func (r *result) date(j int) bool {
	var all calendar.Seen
	for k := range r.shards {
		p := &r.shards[k].parts[j]
		if p.layout != nil {
			r.dates[j] = dating{notation: p.layout.Notation(), told: true}
			return true
		}
		if !all.Join(p.seen) {
			return false
		}
	}
	d := &r.dates[j]
	d.notation, d.other = all.Notation()
	return d.other == ""
}

// joinDates makes numbers of the dates of all shards.
func (r *result) joinDates(j int) table.Column {
	num, d := r.columns[j].numbers(r.total), r.dates[j]
	layout, err := d.notation.Layout()
	if err != nil {
		panic("csv: " + err.Error()) // it was found by package calendar
	}
	for k := range r.shards {
		sh := &r.shards[k]
		part := num[sh.row : sh.row+sh.rows]
		switch {
		case sh.parts[j].mode == unknown:
			for i := range part {
				part[i] = math.NaN()
			}
		case !d.told:
			for i, v := range part {
				if v == v {
					part[i] = layout.FromRaw(calendar.Raw(math.Float64bits(v)))
				}
			}
		}
	}
	return table.DateColumn(r.names[j], d.notation, num)
}

// dateCell returns what appends the dates of column j.
func (e *encoder) dateCell(j int) (func(dst []byte, i int) []byte, error) {
	num, missing := e.t.Num(j), e.missing(j)
	layout, err := dialect.Writable(e.t.Column(j))
	if err != nil {
		return nil, err
	}
	return func(dst []byte, i int) []byte {
		if num[i] != num[i] {
			return append(dst, missing...)
		}
		start := len(dst)
		dst = layout.Append(dst, num[i])
		if cell := dst[start:]; e.lay.marks.find(cell) >= 0 || e.cuts(cell) {
			dst = append(dst, '"', '"')
			copy(dst[start+1:], dst[start:len(dst)-2])
			dst[start] = '"'
		}
		return dst
	}, nil
}

// dateRemark returns what there is to say about text column j, whose values may have been meant as dates: where the
// notation is doubtful, where at least half of them are dates of one notation and others are not, and where their years
// have two digits.
func (r *result) dateRemark(c *table.Column, j int) message.Sentence {
	if d := r.dates[j]; d.other != "" {
		return dialect.Doubtful(c.Name, d.notation, d.other)
	}
	if r.unsure[j] {
		return dialect.DoubtfulNumbers(c.Name, r.point)
	}
	n, is := dialect.DatesAmong(c)
	if n == "" {
		return message.Sentence{}
	}
	if strings.Contains(string(n), " from ") {
		return dialect.TwoDigits(c.Name, n)
	}
	values, dated, first, times := 0, 0, -1, make([]int, len(c.Labels))
	for i, v := range c.Cat {
		if v < 0 {
			continue
		}
		if values++; is[v] {
			dated++
		} else if times[v]++; first < 0 {
			first = i
		}
	}
	var others []int
	most := 0
	for k := range is {
		if !is[k] && times[k] > 0 {
			others = append(others, k)
			if times[k] > times[most] || is[most] {
				most = k
			}
		}
	}
	end, mark := message.Say("read.correct"), strconv.Quote(c.Labels[most])
	if dialect.UsualMark(c.Labels[most]) {
		end = message.Say("read.mark.correct").Text("mark", mark)
		if way := r.wayOut(c, j, others, message.Say("read.meant.dates")); !way.Empty() {
			end = message.Say("read.mark.way").Text("mark", mark).Part("way", way)
		}
	}
	return message.Say("read.dates").Name("column", c.Name).Count("n", dated).Count("values", values).
		Name("as", string(n)).Part("not", r.not(values-dated, first)).Part("end", end)
}

// not says how many values are none of a kind, and where the first one stands.
func (r *result) not(n, first int) message.Sentence {
	line := strconv.Itoa(r.lineOf(first))
	if n == 1 {
		return message.Say("read.not.one").Name("line", line)
	}
	return message.Say("read.not.first").Count("n", n).Name("line", line)
}

// lineOf returns the line, counted from 1, in which a record begins.
func (r *result) lineOf(row int) int { return text.LineOf(r.data, r.at(row)) }

// at is where a record begins in the text.
func (r *result) at(row int) int {
	for k := range r.shards {
		if s := &r.shards[k]; row < s.row+s.rows {
			return s.record(row - s.row)
		}
	}
	return 0
}
