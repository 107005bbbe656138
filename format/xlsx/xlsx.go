// Package xlsx reads and writes the workbooks of Excel: .xlsx (ECMA-376, Office Open XML, SpreadsheetML).
//
// The names of columns stand in the first row that is not empty, and a row that holds anything is a record. Numbers are
// numbers, of which Excel shows fewer digits than it keeps. Those that a format shows as dates are dates, in the
// notation of ISO 8601, and times of day are numbers of seconds. Errors such as #N/A, and texts that mean missing, are
// missing. Texts are categories unless all of them are numbers, or dates; a text behind an apostrophe stays what it is.
// Of a formula its last value is read; where a file has none, it is refused. What is hidden is read. All that a reader
// could overlook stands in the notes: other sheets, hidden columns and rows, merged cells, empty rows, errors,
// formulas, numbers that are texts.
//
// A release is a workbook of one sheet: cells have the formats of the original, and there are no formulas, no other
// sheets and no colours. Labels that begin with = are texts, and those that could be taken for a number, a date or a
// formula stand behind an apostrophe. Dates before March 1900, which Excel does not know, and those finer than a
// thousandth of a second, are texts.
//
// A sheet is read as it is unpacked, in the memory of its table (and nine bytes for a cell meanwhile) and of its
// distinct texts. A part that unpacks to more than 150 times the file is refused.
//
// Cost: O(cells) on one core, about as much as twice unpacking them.
package xlsx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

func init() { dialect.Register("xlsx", Format) }

// Format is Excel workbooks.
var Format = dialect.Format{
	Card: card.Card{
		Name: "xlsx", Title: "Excel", Aliases: []string{"Excel workbook", "Office Open XML"},
		Summary: "is an Excel workbook, of which one sheet is read: column names in its first row, at most " +
			"1,048,575 records",
		Paper: "ECMA-376, Office Open XML",
		Missing: "an empty cell, an error such as #N/A, and ?, NA or NaN as text; a text after an apostrophe is " +
			"never missing",
		Cost: "O(cells) in time",
	},
	Extensions: []string{".xlsx"},
	Looks:      Looks,
	Read:       Read,
	Write:      Write,
	Loses:      dialect.LosesLabels | dialect.LosesNotations | dialect.LosesZeros | dialect.LosesLong,
}

// Looks reports whether data are a zip archive that holds a workbook.
func Looks(data []byte) bool {
	return bytes.HasPrefix(data, []byte("PK\x03\x04")) &&
		(bytes.Contains(data[:min(len(data), 1<<16)], []byte("xl/workbook.")) ||
			bytes.Contains(data[max(0, len(data)-1<<16):], []byte("xl/workbook.")) || isWorkbook(data))
}

// freeCells and cellsPerByte bound tables that are larger than anything the file says of them.
const (
	freeCells    = 1 << 24
	cellsPerByte = 64
)

var errAir = errors.New("hardly any cell of the sheet holds a value: leave columns out")

// Read returns the table in a sheet: the one that opt.Sheet names, or the first that is not hidden. It keeps no
// reference to data.
func Read(ctx context.Context, data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	b, err := open(data)
	if err != nil {
		return nil, nil, err
	}
	which, note, err := b.choose(opt.Sheet)
	if err != nil {
		return nil, nil, err
	}
	info := &dialect.Info{Format: "xlsx", Sheet: which.name, Types: map[string]string{}}
	if !note.Empty() {
		info.Note(note)
	}
	sh := &sheet{book: b, ctx: ctx, skip: opt.Skip, numbered: opt.Header == dialect.NoHeader}
	if err := sh.read(which.part, opt.Progress, int64(len(data))); errors.Is(err, errAir) {
		return nil, nil, errAir
	} else if err != nil {
		return nil, nil, err
	}
	if sh.header == 0 {
		return nil, nil, fmt.Errorf("the sheet %q is empty, expected the names of columns in its first row", which.name)
	}
	sh.tell(info)
	cols := sh.table(&opt, info)
	list := make([]table.Column, len(cols))
	names := make([]string, len(cols))
	for j := range cols {
		list[j] = cols[j].Column
		names[j] = list[j].Name
	}
	if opt.Header == dialect.GuessHeader && !sh.unnamed && dialect.LikeRecord(names, list, '.') {
		return nil, nil, dialect.ErrHeader
	}
	t, err := table.New(list...)
	if err == nil {
		t, err = opt.Force(t, info)
	}
	if err == nil {
		t, err = opt.ReadDates(t, info, func(j int) bool { return cols[j].settled })
	}
	if err != nil {
		return nil, nil, err
	}
	return t, info, nil
}

// table makes the columns, and gives the memory of each back as it goes.
func (sh *sheet) table(opt *dialect.Options, info *dialect.Info) (out []built) {
	for _, s := range sh.styled {
		for k := s.lo; s.hidden && k < min(s.hi, len(sh.columns)); k++ {
			sh.columns[k].hidden = true
		}
	}
	for k := range sh.columns {
		if c := &sh.columns[k]; c.name != "" {
			out = append(out, sh.columnOf(c, opt, info))
			c.contents, c.values = nil, nil
		}
	}
	return out
}

// tell notes what is about the sheet and no column.
func (sh *sheet) tell(info *dialect.Info) {
	note := info.Note
	if sh.header > 1 && !sh.numbered && sh.skip == 0 {
		note(message.Say("read.headerRow").Name("row", strconv.Itoa(sh.header)))
	}
	if sh.unnamed {
		note(dialect.UnnamedRows(sh.columns[0].name))
	}
	if sh.left > 0 {
		note(message.Say("read.emptyRows").Count("n", sh.left))
	}
	if sh.hidden > 0 {
		note(message.Say("read.hiddenRows").Count("n", sh.hidden))
	}
	if sh.merged > 0 {
		note(message.Say("read.merged").Count("n", sh.merged).Name("cells", sh.firstMerge))
	}
}
