package jsonl

import (
	"context"
	"math"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/table"
)

type shape = decimal.Shape

// survey finds out the columns of a chunk and their kinds.
type survey struct {
	data  []byte
	rows  int
	cols  []*column
	codes map[string]int
	next  int // the column that is likely to come
}

func (s *survey) begin() { s.rows, s.next = s.rows+1, 0 }

func (s *survey) column(name []byte, at int) (int, error) {
	j := s.next
	if j >= len(s.cols) || s.cols[j].name != string(name) {
		var ok bool
		if j, ok = s.codes[string(name)]; !ok {
			if len(name) == 0 {
				return 0, text.At(s.data, at, "a column has no name")
			}
			j = len(s.cols)
			s.cols = append(s.cols, &column{name: string(name), firstList: -1, firstOther: -1, integers: true})
			s.codes[s.cols[j].name] = j
		}
	}
	c := s.cols[j]
	if c.last == s.rows {
		return 0, text.AtLine(s.data, at, "column %q is named twice in an object", c.name)
	}
	c.last, s.next = s.rows, j+1
	return j, nil
}

func (s *survey) value(j int, k kind, word []byte, at int) error {
	c := s.cols[j]
	c.seen[k] = true
	switch {
	case k == nested:
		c.leave("it holds values inside values, expected single values and lists of them")
	case k == list && c.firstList < 0:
		c.firstList = at
	case k != list && k != null && c.firstOther < 0:
		c.firstOther = at
	}
	if k == number {
		v, shape, ok := decimal.Parse(word, '.')
		if math.IsInf(v, 0) || !ok && isReal(word) {
			c.leave("it holds a number beyond those that a computer holds")
			return nil
		}
		c.codes = c.codes || !ok
		c.shape.Add(shape)
	}
	return nil
}

// leave says why the column is left out, the first time.
func (c *column) leave(why string) {
	if c.left == "" {
		c.left = why
	}
}

// isReal reports whether a number is none that is written as an integer.
func isReal(word []byte) bool {
	for _, c := range word {
		if c == '.' || c == 'e' || c == 'E' {
			return true
		}
	}
	return false
}

func (s *survey) item(j int, k kind, word []byte, _ int) error {
	c := s.cols[j]
	switch k {
	case null:
		c.nulls++
	case nested:
		c.leave("it holds values inside lists, expected single values and lists of them")
	case boolean:
		c.leave("it holds truth values in lists, expected texts or numbers")
	case words:
		c.integers = false
	case number:
		c.integers = c.integers && !isReal(word) && string(word) != "-0"
	case list:
	}
	return nil
}

// part is what a chunk holds of a column: labels, and of sets the codes of the items.
type part struct {
	dict  text.Dict
	start []int
	items []uint32 // the code doubled, and one more where the item is unknown
	gone  []bool
}

// filler reads the values of a chunk.
type filler struct {
	f     *file
	c     *chunk
	cols  []*column
	codes map[string]int
	row   int
	next  int
}

func (s *filler) begin() {
	s.row, s.next = s.row+1, 0
	for j, c := range s.cols {
		if c.kind() == list {
			p := &s.c.parts[j]
			p.start, p.gone = append(p.start, len(p.items)), append(p.gone, true)
		}
	}
}

func (s *filler) column(name []byte, _ int) (int, error) {
	j := s.next
	if j >= len(s.cols) || s.cols[j].name != string(name) {
		j = s.codes[string(name)]
	}
	s.next = j + 1
	return j, nil
}

func (s *filler) value(j int, k kind, word []byte, _ int) error {
	c := s.cols[j]
	switch {
	case c.left != "":
	case k == list:
		p := &s.c.parts[j]
		p.gone[len(p.gone)-1] = false
	case k == null:
	case c.num != nil:
		c.num[s.row], _, _ = decimal.Parse(word, '.')
	case k != words || !s.f.missing(word):
		c.cat[s.row] = s.c.parts[j].dict.Code(word)
	}
	return nil
}

func (s *filler) item(j int, k kind, word []byte, _ int) error {
	p := &s.c.parts[j]
	switch {
	case k == null || s.cols[j].left != "":
	case len(word) > 1 && word[0] == '?' && k == words:
		p.items = append(p.items, 2*uint32(p.dict.Code(word[1:]))+1)
	default:
		p.items = append(p.items, 2*uint32(p.dict.Code(word)))
	}
	return nil
}

// fill reads the values.
func (f *file) fill(ctx context.Context, cols []*column) error {
	codes := map[string]int{}
	for j, c := range cols {
		codes[c.name] = j
		switch c.kind() {
		case number:
			c.num = make([]float64, f.rows)
			for i := range c.num {
				c.num[i] = math.NaN()
			}
		case list, nested:
		case null, words, boolean:
			c.cat = make([]int32, f.rows)
			for i := range c.cat {
				c.cat[i] = -1
			}
		}
	}
	return f.each(ctx, func(c *chunk) sink {
		c.parts = make([]part, len(cols))
		return &filler{f: f, c: c, cols: cols, codes: codes, row: c.row - 1}
	})
}

// join puts column j together, with the labels of all chunks in the order of the file.
func (f *file) join(ctx context.Context, c *column, j int) (table.Column, error) {
	if c.num != nil {
		return table.NumColumn(c.name, c.shape.Step(), c.num), nil
	}
	dicts := make([]*text.Dict, len(f.chunks))
	for k := range f.chunks {
		dicts[k] = &f.chunks[k].parts[j].dict
	}
	all, codes := text.Join(dicts)
	if c.kind() != list {
		for k, ch := range f.chunks {
			for i := ch.row; i < ch.row+ch.rows; i++ {
				if v := c.cat[i]; v >= 0 {
					c.cat[i] = codes[k][v]
				}
			}
		}
		return table.CatColumn(c.name, all.Labels(), c.cat), nil
	}
	var start []int
	var items []uint32
	var gone []bool
	missing := false
	for k := range f.chunks {
		p := &f.chunks[k].parts[j]
		for i, at := range p.start {
			start, gone = append(start, len(items)+at), append(gone, p.gone[i])
			missing = missing || p.gone[i]
		}
		for _, v := range p.items {
			items = append(items, 2*uint32(codes[k][v/2])+v%2)
		}
	}
	if !missing {
		gone = nil
	}
	sets, err := table.SetsOfCodes(ctx, append(start, len(items)), items, gone)
	return table.SetColumn(c.name, all.Labels(), sets), err
}
