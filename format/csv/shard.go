package csv

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/text"
)

// mode is what a shard takes a column for.
type mode uint8

const (
	unknown mode = iota // only missing values so far
	numeric
	texts
	dates
	ignored // numbers or dates and then something else: the column is read again, as text
)

// part is the share of a column that lies in one shard.
type part struct {
	mode     mode
	forced   bool
	shape    decimal.Shape
	notation *decimal.Notation // of numbers whose notation is told; else nil
	seen     calendar.Seen     // of dates whose notation is not detected yet, which are raw
	layout   *calendar.Layout  // of dates whose notation is told; else nil
	num      []float64
	cat      []int32
	dict     *text.Dict
	col      *column
	quoted   bool  // with texts: a value is in quotes
	marks    []int // how often each missing mark occurs, by index; nil for never
}

// shard is a span of the file, read by one goroutine.
type shard struct {
	span
	*file
	parts []part
	met   []int  // the missing marks met, by index, in the order of their first appearance
	buf   []byte // for numbers in groups
	bad   int    // with errKind: the column that holds something else than a number or a date, at record badAt
	badAt int
}

var (
	errOdd  = errors.New("the structure needs a closer look")
	errKind = errors.New("not a number or a date")
)

// block is how many bytes a shard reads between two looks at the context.
const block = 1 << 20

// scan reads the shard's records into the parts that are not ignored. It trusts the structure of a file that was
// checked; in any other it returns errOdd at the first sign of something that is not plain.
func (s *shard) scan(ctx context.Context, report bool) error {
	c := cursor{pos: s.lo}
	row, done := 0, s.lo
	for ; c.pos < s.hi; row++ {
		if c.pos-done >= block {
			if err := s.pause(ctx, done, c.pos, report); err != nil {
				return err
			}
			done = c.pos
		}
		if end := blankLine(s.data, c.pos); end > 0 && len(s.parts) > 1 {
			if !s.checked {
				return errOdd
			}
			c.pos = end
			row--
			continue
		}
		if err := s.readRecord(&c, row); err != nil {
			return err
		}
	}
	if row != s.rows || !s.checked && text.Count(s.data[s.lo:s.hi], '\r') != c.returns {
		return errOdd
	}
	return s.pause(ctx, done, c.pos, report)
}

// cursor is where a scan is.
type cursor struct {
	pos     int
	returns int    // carriage returns at ends of lines so far
	buf     []byte // for cells in quotes
}

// readRecord reads one record.
func (s *shard) readRecord(c *cursor, row int) error {
	data, delim, last, pos := s.data, s.delim, len(s.parts)-1, c.pos
	var cell []byte
	for j := range s.parts {
		quoted := false
		if s.quotes {
			cell, quoted, pos, c.buf = s.next(data, pos, c.buf)
		} else {
			start := pos
			for data[pos] != delim && data[pos] != '\n' {
				pos++
			}
			cell = data[start:pos]
			if n := len(cell) - 1; j == last && n >= 0 && cell[n] == '\r' {
				cell = cell[:n]
				c.returns++
			}
			if n := len(cell); n > 0 && (cell[0] == s.pad || cell[n-1] == s.pad) {
				cell = s.trim(cell)
			}
		}
		if (data[pos] == '\n') != (j == last) {
			return errOdd
		}
		pos++
		if err := s.put(j, row, cell, quoted); err != nil {
			return err
		}
	}
	c.pos = pos
	return nil
}

// pause looks at the bytes just read while they are still in the cache, and at the context.
func (s *shard) pause(ctx context.Context, from, to int, report bool) error {
	if b := s.data[from:to]; !s.checked && !text.OK(b) {
		return errOdd
	}
	if report {
		s.progress.add(int64(to - from))
	}
	return ctx.Err()
}

// put stores a cell.
func (s *shard) put(j, row int, cell []byte, quoted bool) error {
	p := &s.parts[j]
	if !quoted {
		if m := s.marks.find(cell); m >= 0 {
			s.count(p, m)
			switch p.mode {
			case numeric, dates:
				p.num[row] = math.NaN()
			case texts:
				p.cat[row] = -1
			case unknown, ignored: // hold no values
			}
			return nil
		}
	}
	switch p.mode {
	case texts:
		p.cat[row] = p.dict.Code(cell)
		p.quoted = p.quoted || quoted
	case numeric, unknown:
		v, shape, ok := s.number(p, cell)
		switch {
		case ok:
			if p.mode == unknown {
				s.become(p, numeric, row)
			}
			p.num[row] = v
			p.shape.Add(shape)
		case p.forced:
			s.bad, s.badAt = j, row
			return errKind
		case p.mode == numeric:
			p.mode = ignored
		case s.date(p, row, cell):
		default:
			s.become(p, texts, row)
			p.cat[row] = p.dict.Code(cell)
			p.quoted = quoted
		}
	case dates:
		if !s.date(p, row, cell) {
			if p.layout != nil {
				s.bad, s.badAt = j, row
				return errKind
			}
			p.mode = ignored
		}
	case ignored:
	}
	return nil
}

// number reads a cell in the notation of the part, or in that of the file.
func (s *shard) number(p *part, cell []byte) (float64, decimal.Shape, bool) {
	if p.notation != nil {
		return p.notation.Parse(cell, &s.buf)
	}
	return decimal.Parse(cell, s.point)
}

// date stores a cell that is a date of the notation of those before it.
func (s *shard) date(p *part, row int, cell []byte) bool {
	if p.layout != nil {
		v, ok := p.layout.Number(cell)
		p.num[row] = v
		return ok
	}
	raw, ok := p.seen.Raw(cell)
	if !ok {
		return false
	}
	if p.mode == unknown {
		s.become(p, dates, row)
	}
	p.num[row] = math.Float64frombits(uint64(raw))
	return true
}

// count counts a missing mark of a part.
func (s *shard) count(p *part, mark int) {
	if p.marks == nil {
		p.marks = make([]int, len(s.marks.list))
	}
	p.marks[mark]++
	if p.marks[mark] == 1 && !slices.Contains(s.met, mark) {
		s.met = append(s.met, mark)
	}
}

// become settles the mode of a part whose first rows are missing.
func (s *shard) become(p *part, m mode, rows int) {
	p.mode = m
	if m == numeric || m == dates {
		p.num = p.col.numbers(s.total)[s.row : s.row+s.rows]
		for i := range rows {
			p.num[i] = math.NaN()
		}
		return
	}
	p.dict = new(text.Dict)
	p.cat = p.col.codes(s.total)[s.row : s.row+s.rows]
	for i := range rows {
		p.cat[i] = -1
	}
}
