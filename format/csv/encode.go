package csv

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/table"
)

// encoder formats the records of a table.
type encoder struct {
	t     *table.Table
	lay   layout
	bom   bool
	eol   string
	opt   *dialect.Options
	cells []func(dst []byte, i int) []byte
	all   bool // cells are quoted that hold any delimiter that a reader may look for
}

func newEncoder(t *table.Table, opt *dialect.Options) (*encoder, error) {
	e := &encoder{t: t, bom: opt.BOM, eol: "\n", opt: opt, lay: layout{delim: opt.Delimiter, pad: ' ', point: '.'}}
	if e.lay.delim == 0 {
		e.lay.delim = ','
	}
	if e.lay.delim == ' ' {
		e.lay.pad = 0
	}
	if opt.DecimalComma {
		e.lay.point = ','
	}
	if opt.CRLF {
		e.eol = "\r\n"
	}
	if err := checkDelimiter(e.lay.delim); err != nil {
		return nil, err
	}
	marks := []string{"", opt.MissingOut}
	for j := range t.Width() {
		marks = append(marks, e.missing(j))
	}
	slices.Sort(marks)
	marks = slices.Compact(marks)
	for _, m := range marks {
		if m != "" && e.mustQuote(m) {
			return nil, fmt.Errorf("the missing mark %q cannot be written without quotes", m)
		}
	}
	e.lay.marks = newMarks(append(marks, opt.Marks()...))
	if err := e.makeCells(); err != nil {
		return nil, err
	}
	if first := e.rows(e.header(), 0, min(t.Rows(), sniffedRecords)); slices.Contains(candidates, e.lay.delim) &&
		sniff(first) != e.lay.delim {
		e.all = true // or the table is read back with other columns
		return e, e.makeCells()
	}
	return e, nil
}

// makeCells makes what appends the values of the columns.
func (e *encoder) makeCells() error {
	e.cells = nil
	for j := range e.t.Width() {
		cell, err := e.cell(j)
		if err != nil {
			return fmt.Errorf("column %q %w", e.t.Attr(j).Name, err)
		}
		e.cells = append(e.cells, cell)
	}
	return nil
}

// cuts reports whether a delimiter is in a text, or with all, any.
func (e *encoder) cuts(cell []byte) bool {
	return bytes.IndexByte(cell, e.lay.delim) >= 0 || e.all && bytes.ContainsAny(cell, string(candidates))
}

// missing returns the mark of column j.
func (e *encoder) missing(j int) string {
	if m, ok := e.opt.MissingMarks[e.t.Attr(j).Name]; ok {
		return m
	}
	return e.opt.MissingOut
}

// header returns the first line.
func (e *encoder) header() []byte {
	var dst []byte
	if e.bom {
		dst = append(dst, byteOrderMark...)
	}
	for j := range e.t.Width() {
		if j > 0 {
			dst = append(dst, e.lay.delim)
		}
		name := e.t.Attr(j).Name
		if e.mustQuote(name) || strings.HasPrefix(name, byteOrderMark) {
			name = quote(name)
		}
		dst = append(dst, name...)
	}
	return append(dst, e.eol...)
}

// rows appends records lo to hi-1.
func (e *encoder) rows(dst []byte, lo, hi int) []byte {
	for i := lo; i < hi; i++ {
		for j, cell := range e.cells {
			if j > 0 {
				dst = append(dst, e.lay.delim)
			}
			dst = cell(dst, i)
		}
		dst = append(dst, e.eol...)
	}
	return dst
}

// cell returns what appends the values of column j.
func (e *encoder) cell(j int) (func(dst []byte, i int) []byte, error) {
	a := e.t.Attr(j)
	if !text.OK([]byte(a.Name)) {
		return nil, errors.New("has a name that is not UTF-8 text")
	}
	switch a.Kind {
	case table.Numeric:
		if a.Dates != "" {
			return e.dateCell(j)
		}
		return e.numberCell(j)
	case table.Categorical:
	case table.SetValued:
		return nil, fmt.Errorf("is %s, which CSV files are not written with", a.Kind)
	}
	texts := make([]string, len(a.Labels))
	for k, l := range a.Labels {
		if !text.OK([]byte(l)) {
			return nil, errors.New("has a label that is not UTF-8 text")
		}
		if padded := decimal.PadLabel(l, e.opt.Decimals[a.Name]); padded != l { // a number that became a category
			l = strings.Replace(padded, ".", string(e.notation(j).Point), 1)
		}
		if e.mustQuote(l) || strings.HasPrefix(l, byteOrderMark) || e.lay.marks.find([]byte(l)) >= 0 {
			l = quote(l)
		}
		texts[k] = l
	}
	codes, missing := e.t.Cat(j), e.missing(j)
	return func(dst []byte, i int) []byte {
		if c := codes[i]; c >= 0 {
			return append(dst, texts[c]...)
		}
		return append(dst, missing...)
	}, nil
}

// notation is how the numbers of column j are written.
func (e *encoder) notation(j int) decimal.Notation {
	if n, told := e.opt.Numbers[e.t.Attr(j).Name]; told {
		return n
	}
	return decimal.Notation{Point: e.lay.point}
}

func (e *encoder) numberCell(j int) (func(dst []byte, i int) []byte, error) {
	num, step := e.t.Num(j), e.t.Attr(j).Step
	for i, v := range num {
		if math.IsInf(v, 0) {
			return nil, fmt.Errorf("is infinite in row %d", i+1)
		}
	}
	decs, want, missing := table.Decimals(step), e.opt.Decimals[e.t.Attr(j).Name], e.missing(j)
	written := e.notation(j)
	return func(dst []byte, i int) []byte {
		v := num[i]
		if v != v {
			return append(dst, missing...)
		}
		start := len(dst)
		dst = decimal.Append(dst, v, step, decs)
		if decs < want {
			dst = decimal.Pad(dst, decs, want)
		}
		dst = written.Written(dst, start)
		if cell := dst[start:]; e.lay.marks.find(cell) >= 0 || e.cuts(cell) {
			dst = append(dst, '"', '"')
			copy(dst[start+1:], dst[start:len(dst)-2])
			dst[start] = '"'
		}
		return dst
	}, nil
}

// mustQuote reports whether a text has to be quoted whatever the missing marks are.
func (e *encoder) mustQuote(s string) bool {
	if s == "" || s[0] == e.lay.pad || s[len(s)-1] == e.lay.pad {
		return true
	}
	for i := range len(s) {
		if c := s[i]; c == e.lay.delim || e.all && slices.Contains(candidates, c) || c == '"' || c == '\n' || c == '\r' {
			return true
		}
	}
	return false
}

func quote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
