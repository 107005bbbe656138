// Package fixed reads texts whose columns stand at fixed places of their lines, as statistics offices publish them, by
// the description that comes with them: the syntax of SPSS (DATA LIST, with the labels and missing values that follow),
// a dictionary of Stata (infix or infile) or the codebook of DDI 2 in XML.
//
// Places are counted in bytes. A place of blanks, or behind the end of a line, is a missing value. Numbers may have
// their decimal point left out, as the description says, and zeros in front of them mean nothing.
package fixed

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/dither-data/dither/format/codebook"
)

// Layout is where the columns stand.
type Layout struct {
	Columns []Column
	Lines   int // of a record
}

// Column is one column.
type Column struct {
	Name      string
	Line      int // of the record, from 0
	Start     int // byte of the line, from 0
	Width     int // in bytes
	Type      Type
	Decimals  int // of numbers without a point
	Label     string
	Labels    []codebook.Value // of values: their Number or Word, and Label
	Missing   []codebook.Span  // numbers that stand for missing values
	MissWords []string         // texts that do
}

// Type is what a column holds.
type Type uint8

// The types. Open columns are dates and the like, of which the values say what they are.
const (
	Number Type = iota
	Text
	Open
)

// Parse reads a description, of whichever kind it is. Errors name what is wrong in words that go on behind the name of
// its file. Cost: O(bytes).
func Parse(data []byte) (*Layout, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	lower := strings.ToLower(string(data))
	var l *Layout
	var err error
	switch {
	case strings.HasPrefix(strings.TrimSpace(lower), "<"):
		l, err = parseDDI(data)
	case strings.Contains(lower, "data list"):
		l, err = parseSPSS(string(data))
	case strings.Contains(lower, "dictionary") || strings.Contains(lower, "infix"):
		l, err = parseStata(string(data))
	default:
		err = errors.New("describes no columns: expected DATA LIST of SPSS, a dictionary of Stata or a codebook of DDI")
	}
	if err != nil {
		return nil, err
	}
	return l, l.check()
}

// The most lines that a record has, and the most bytes of a line.
const mostLines, mostBytes = 1000, 1 << 20

// check refuses columns that stand nowhere, and names that stand twice.
func (l *Layout) check() error {
	if len(l.Columns) == 0 {
		return errors.New("describes no columns at places")
	}
	seen := map[string]bool{}
	for _, c := range l.Columns {
		switch {
		case c.Name == "":
			return errors.New("describes a column without a name")
		case seen[c.Name]:
			return fmt.Errorf("describes two columns %q", c.Name)
		case c.Start < 0 || c.Width < 1 || c.Start+c.Width > mostBytes || c.Line < 0 || c.Line >= mostLines ||
			c.Decimals < 0 ||
			c.Decimals > 30:
			return fmt.Errorf("has column %q at %d to %d of line %d", c.Name, c.Start+1, c.Start+c.Width, c.Line+1)
		}
		seen[c.Name] = true
		l.Lines = max(l.Lines, c.Line+1)
	}
	if l.Lines > mostLines {
		return fmt.Errorf("has records of %d lines", l.Lines)
	}
	return nil
}

// Delimited returns a text with the columns between commas, a line for each record and none for their names, and how
// many records end before their last column begins. It fails where the lines are no whole number of records. The text
// goes behind dst. Cost: O(bytes).
func (l *Layout) Delimited(dst, data []byte) (out []byte, short int, err error) {
	lines, last := make([][]byte, l.Lines), 0
	for j, c := range l.Columns {
		if o := l.Columns[last]; c.Line > o.Line || c.Line == o.Line && c.Start > o.Start {
			last = j
		}
	}
	end := l.Columns[last]
	for n := 1; len(data) > 0; {
		for k := range lines {
			if len(data) == 0 {
				return nil, 0, fmt.Errorf("line %d: the file ends within a record of %d lines", n-1, l.Lines)
			}
			lines[k], data, _ = bytes.Cut(data, []byte{'\n'})
			lines[k] = bytes.TrimSuffix(lines[k], []byte{'\r'})
			n++
		}
		if len(lines[end.Line]) <= end.Start {
			short++
		}
		for j := range l.Columns {
			if j > 0 {
				dst = append(dst, ',')
			}
			dst = l.Columns[j].cell(dst, lines[l.Columns[j].Line])
		}
		dst = append(dst, '\n')
	}
	return dst, short, nil
}

// cell appends a value as it stands in a delimited text.
func (c *Column) cell(dst, line []byte) []byte {
	b := line[min(len(line), c.Start):min(len(line), c.Start+c.Width)]
	if c.Type == Number {
		return c.number(dst, bytes.Trim(b, " "))
	}
	b = bytes.TrimRight(b, " \x00")
	if c.Type == Open {
		b = bytes.TrimLeft(b, " ")
	}
	return quoted(dst, b)
}

// quoted appends a text, in quotes where it needs them.
func quoted(dst, b []byte) []byte {
	if !bytes.ContainsAny(b, ",\"\r") && (len(b) == 0 || b[0] != ' ') {
		return append(dst, b...)
	}
	return append(append(append(dst, '"'), bytes.ReplaceAll(b, []byte{'"'}, []byte(`""`))...), '"')
}

// number appends a number, with the point that its description says, and without zeros in front. What is none stays as
// it is.
func (c *Column) number(dst, b []byte) []byte {
	digits := b
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		digits = b[1:]
	}
	whole, rest, point := bytes.Cut(digits, []byte{'.'})
	if len(digits) == 0 || len(bytes.Trim(whole, "0123456789")) > 0 || len(bytes.Trim(rest, "0123456789")) > 0 {
		return quoted(dst, b)
	}
	if n := c.Decimals; !point && n > 0 {
		for len(whole) <= n {
			whole = append([]byte{'0'}, whole...)
		}
		whole, rest = whole[:len(whole)-n], whole[len(whole)-n:]
	}
	for len(whole) > 1 && whole[0] == '0' {
		whole = whole[1:]
	}
	if b[0] == '-' {
		dst = append(dst, '-')
	}
	if dst = append(dst, whole...); len(rest) > 0 {
		dst = append(append(dst, '.'), rest...)
	}
	return dst
}
