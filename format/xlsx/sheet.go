package xlsx

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
)

// What Excel's sheets hold at most.
const (
	maxRows    = 1 << 20
	maxColumns = 1 << 14
	maxText    = 32767 // in units of UTF-16
)

// content is what a cell holds.
type content uint8

const (
	nothing content = iota
	number
	date
	duration
	plainText
	quotedText // which is a text whatever it looks like
	truth
	fault // #N/A and the like
	contents
)

// cell is a cell of the row that is being read.
type cell struct {
	col     int // from 0
	content content
	value   float64 // of a text its code in book.texts
	style   int
}

// column is a column of the sheet.
type column struct {
	name     string
	contents []content
	values   []float64
	count    [contents]int
	style    int // of its first number, or else of the column; -1 for none
	formulas int
	hidden   bool
}

// sheet is a sheet that is being read.
type sheet struct {
	*book
	ctx        context.Context
	columns    []column // by place in the sheet; without a name are those that are no column of the table
	named      int      // columns that have a name
	rows       int      // records
	most       int64    // how many cells the table may have
	row, col   int      // of the cell at hand, from 1
	header     int      // the row of the names, or with numbered of the first record, 0 before it
	skip       int      // rows before it that are left out
	numbered   bool     // no row has names, and the columns are c1, c2 and so on
	unnamed    bool     // the first column has no name, and gets one
	blank      int      // rows without a value behind the last record
	left       int      // such rows between records
	hidden     int      // records in hidden rows
	merged     int
	firstMerge string
	styled     []span // columns that have a style of their own

	cells   []cell
	is      cell
	kind    string
	formula bool
	valued  bool
	inline  bool // the text stands in the cell, within <is>
	content []byte
	inside  place
	rowHid  bool
}

// place is where in a cell the reader is.
type place uint8

const (
	nowhere place = iota
	inValue
	inText
	inPhonetic
)

// span is a run of columns that have a style, or are hidden.
type span struct {
	lo, hi, style int
	hidden        bool
}

const rowsPerLook = 4096

// read takes the cells of a sheet.
func (sh *sheet) read(part string, progress func(done, total int64), bytes int64) error {
	f := sh.part(part)
	if f == nil {
		return errors.New("not a sound Excel workbook: a sheet has no part")
	}
	sh.most = max(freeCells, cellsPerByte*bytes)
	size := max(1, int64(f.UncompressedSize64))
	data := 0 // 1 inside the cells
	looked := 0
	err := sh.each(part, func(s *scanner, t token) error {
		switch {
		case s.is("sheetData") && t != words:
			data = 0
			if t == begins {
				data = s.depth
			}
			return nil
		case data > 0:
			if t == ends && s.is("row") {
				if looked++; looked%rowsPerLook == 1 {
					if err := sh.ctx.Err(); err != nil {
						return err
					}
					if progress != nil {
						progress(int64(float64(bytes)*min(1, float64(s.read)/float64(size))), bytes)
					}
				}
			}
			return sh.token(s, t)
		case t == begins && s.is("col"):
			lo, hi := s.number("min", 0), s.number("max", 0)
			if lo >= 1 && hi >= lo {
				sh.styled = append(sh.styled, span{lo - 1, min(hi, maxColumns), s.number("style", -1), s.yes("hidden")})
			}
		case t == begins && s.is("mergeCell"):
			if ref := string(s.attr("ref")); sh.merged == 0 && strings.Trim(ref, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:") == "" {
				sh.firstMerge = ref
			}
			sh.merged++
		}
		return nil
	})
	if err == nil {
		err = sh.ctx.Err()
	}
	return err
}

// token is a token between the beginning and the end of the cells.
func (sh *sheet) token(s *scanner, t token) error {
	switch {
	case t == words:
		if sh.inside == inValue && !sh.inline || sh.inside == inText && sh.inline {
			sh.content = append(sh.content, s.word...)
		}
		return nil
	case s.is("row"):
		if t == ends {
			return sh.endRow()
		}
		return sh.beginRow(s)
	case s.is("c"):
		if t == ends {
			return sh.endCell()
		}
		return sh.beginCell(s)
	case s.is("f"):
		sh.formula = true
	case s.is("is"): // which wins over a value beside it
		if t == begins && sh.kind == "inlineStr" {
			sh.inline, sh.content = true, sh.content[:0]
		}
		return nil
	case s.is("v"):
		sh.inside, sh.valued = inValue, true
	case s.is("rPh"):
		sh.inside = inPhonetic
	case s.is("t") && sh.inside != inPhonetic:
		sh.inside, sh.valued = inText, true
	default:
		return nil
	}
	if t == ends {
		sh.inside = nowhere
	}
	return nil
}

func (sh *sheet) beginRow(s *scanner) error {
	at := s.number("r", sh.row+1)
	if at <= sh.row || at > maxRows {
		return fmt.Errorf("row %d stands behind row %d, of %d that a sheet has", at, sh.row, maxRows)
	}
	sh.row, sh.col, sh.cells, sh.rowHid = at, 0, sh.cells[:0], s.yes("hidden")
	return nil
}

func (sh *sheet) beginCell(s *scanner) error {
	col, row := sh.col+1, sh.row
	if ref := s.attr("r"); len(ref) > 0 {
		col, row = coordinates(ref)
	}
	if col <= sh.col || col > maxColumns || row != sh.row || sh.row == 0 {
		return fmt.Errorf("a cell behind column %d of row %d is not where it should be", sh.col, sh.row)
	}
	sh.col = col
	sh.is = cell{col: col - 1, style: s.number("s", 0)}
	sh.kind = string(s.attr("t"))
	sh.formula, sh.valued, sh.inline, sh.content, sh.inside = false, false, false, sh.content[:0], nowhere
	return nil
}

// coordinates reads B7; the column is 0 where it is no such thing.
func coordinates(ref []byte) (col, row int) {
	i := 0
	for ; i < len(ref) && ref[i] >= 'A' && ref[i] <= 'Z' && i < 4; i++ {
		col = 26*col + int(ref[i]-'A') + 1
	}
	for ; i < len(ref) && ref[i]-'0' <= 9 && row <= maxRows; i++ {
		row = 10*row + int(ref[i]-'0')
	}
	if i < len(ref) {
		return 0, 0
	}
	return col, row
}

// letters is the name of a column, from 0.
func letters(col int) string {
	var out []byte
	for col++; col > 0; col = (col - 1) / 26 {
		out = append(out, byte('A'+(col-1)%26))
	}
	slices.Reverse(out)
	return string(out)
}

// endCell reads what the cell holds.
func (sh *sheet) endCell() error {
	where := func() string { return "cell " + letters(sh.is.col) + strconv.Itoa(sh.row) }
	st := sh.styleOf(sh.is.style)
	if len(sh.content) == 0 && slices.Contains([]string{"", "n", "s", "b", "d"}, sh.kind) {
		if sh.formula {
			return fmt.Errorf("%s has a formula without a stored value: open the file in Excel or LibreOffice "+
				"and save it", where())
		}
		return nil
	}
	switch sh.kind {
	case "s":
		k, err := strconv.Atoi(string(sh.content))
		if err != nil || k < 0 || k >= len(sh.shared) {
			return fmt.Errorf("%s has a text that there is not", where())
		}
		sh.is.content, sh.is.value = plainText, float64(sh.shared[k])
	case "str", "inlineStr":
		if sh.valued || sh.formula {
			sh.is.content, sh.is.value = plainText, float64(sh.texts.Code(unescape(sh.content)))
		}
	case "d":
		sh.is.content, sh.is.value = plainText, float64(sh.texts.Code(sh.content))
	case "e":
		sh.is.content = fault
	case "b":
		sh.is.content = truth
		sh.is.value = truthOf(string(sh.content))
	case "", "n":
		v, ok := parse(sh.content)
		if !ok {
			return fmt.Errorf("%s holds no sound number", where())
		}
		sh.is.content, sh.is.value = [...]content{number, date, date, duration}[st.shows], v
	default:
		return fmt.Errorf("%s is of a type that no cell has", where())
	}
	if sh.is.content == plainText && st.text {
		sh.is.content = quotedText
	}
	if sh.is.content != nothing {
		sh.is.style = max(0, min(sh.is.style, len(sh.formats)-1))
		sh.cells = append(sh.cells, sh.is)
		sh.countFormula()
	}
	return nil
}

// truthOf is the number of a truth value.
func truthOf(word string) float64 {
	if word == "1" || word == "true" {
		return 1
	}
	return 0
}

// countFormula notes that the value of the cell was worked out.
func (sh *sheet) countFormula() {
	if sh.formula && sh.header > 0 && sh.is.col < len(sh.columns) {
		sh.columns[sh.is.col].formulas++
	}
}

func (b *book) styleOf(k int) style {
	if k < 0 || k >= len(b.formats) {
		return style{}
	}
	return b.formats[k]
}

// parse reads a number as it stands in a cell.
func parse(word []byte) (float64, bool) {
	if v, _, ok := decimal.Parse(word, '.'); ok && !math.IsInf(v, 0) {
		return v + 0, true
	}
	v, err := strconv.ParseFloat(string(word), 64)
	return v + 0, err == nil && !math.IsInf(v, 0) && v == v
}

// endRow takes the row as the names of columns, or as a record.
func (sh *sheet) endRow() error {
	if sh.row <= sh.skip {
		return nil
	}
	if len(sh.cells) == 0 {
		sh.blank++
		return nil
	}
	if sh.header == 0 {
		sh.header, sh.blank = sh.row, 0
		if !sh.numbered {
			return sh.names()
		}
		sh.number()
	}
	if int64(sh.named)*int64(sh.rows+1) > sh.most { // before a column is filled up to here
		return errAir
	}
	sh.left, sh.blank = sh.left+sh.blank, 0
	if sh.rowHid {
		sh.hidden++
	}
	for _, c := range sh.cells {
		if c.col >= len(sh.columns) || sh.columns[c.col].name == "" {
			if c.content == plainText && sh.texts.Label(int32(c.value)) == "" {
				continue
			}
			if c.col == 0 {
				sh.nameFirst()
				sh.columns[0].add(sh.rows, c)
				continue
			}
			return fmt.Errorf("column %s holds something in row %d and has no name in row %d, where names are taken from: "+
				"name it or clear it, or delete what stands above the names", letters(c.col), sh.row, sh.header)
		}
		sh.columns[c.col].add(sh.rows, c)
	}
	sh.rows++
	return nil
}

// add takes the cell as the value of a record.
func (c *column) add(record int, is cell) {
	c.pad(record)
	c.contents, c.values = append(c.contents, is.content), append(c.values, is.value)
	c.count[is.content]++
	if c.style < 0 && is.content != plainText && is.content != quotedText && is.content != fault {
		c.style = is.style
	}
}

// pad makes room for so many records.
func (c *column) pad(records int) {
	if n := records - len(c.contents); n > 0 {
		c.contents, c.values = append(c.contents, make([]content, n)...), append(c.values, make([]float64, n)...)
	}
}

// nameFirst names the first column, which holds the names of rows.
func (sh *sheet) nameFirst() {
	var names []string
	for _, c := range sh.columns {
		names = append(names, c.name)
	}
	sh.columns[0].name = dialect.RowName(names)
	sh.unnamed = true
	sh.named++
}

// number names the columns as far as the row at hand goes.
func (sh *sheet) number() {
	sh.columns = make([]column, sh.cells[len(sh.cells)-1].col+1)
	sh.named = len(sh.columns)
	for k := range sh.columns {
		sh.columns[k] = column{name: dialect.NumberedName(k), style: -1}
	}
}

// names takes the row at hand as the names of columns.
func (sh *sheet) names() error {
	sh.columns, sh.named = make([]column, sh.cells[len(sh.cells)-1].col+1), len(sh.cells)
	for k := range sh.columns {
		sh.columns[k].style = -1
	}
	for _, c := range sh.cells {
		name := ""
		switch c.content {
		case plainText, quotedText:
			name = sh.texts.Label(int32(c.value))
		case number, duration:
			name = string(decimal.Append(nil, c.value, 0, -1))
		case truth:
			name = truths[int(c.value)]
		case date:
			if name = sh.iso(c.value); name == "" {
				name = string(decimal.Append(nil, c.value, 0, -1))
			}
		case nothing, fault, contents:
		}
		if name == "" {
			return fmt.Errorf("column %s has no name in row %d, where names are taken from", letters(c.col), sh.row)
		}
		sh.columns[c.col].name = name
	}
	return nil
}
