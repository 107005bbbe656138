// Package csv reads and writes delimited text as typed columns.
//
// The grammar is that of RFC 4180 with what real files add to it: any delimiter, a byte order mark, lines that end in
// LF, CR LF or all in CR, blanks around a cell (they are not part of it unless quoted), quotes inside a cell that does
// not begin with one, empty lines (skipped in a table of more than one column), a first line sep=; and a first column
// without a name, which a header may even leave out. The first record is the header, and a file is refused in which it
// looks like a record (dialect.LikeRecord), unless Options.Header says what it is. The text is UTF-8 or in another
// encoding, see text.Open. Anything else is refused with the line and, where there is one, the byte in the line; no
// message holds a value.
//
// A column is numeric when every value that is not missing is a decimal number, or every one a date of one notation
// (see package calendar), and categorical otherwise. So it is where day and month cannot be told apart, or decimals and
// thousands (decimal.Shape.Doubtful), and Info says how to tell. Not taken for numbers are codes: integers of more than
// 15 digits or with a leading zero, and everything that is not finite. The grid of a numeric column is the greatest
// power of ten, up to 1, of which all values are multiples; zeros at the end are a manner of writing, which Info keeps.
// A column with exponents, or with more than 15 digits before and behind the point taken together, is continuous.
// Labels are in the order of their first appearance.
//
// Cost: one pass over the text, O(bytes), split over the cores at line ends; a second pass for columns that begin as
// numbers and turn out to be text, and a first one for the structure of a file with quotes. The table does not depend
// on the number of cores. Memory: the text, 8 bytes for each number, 4 for each category and about 20 for each distinct
// label.
package csv

import (
	"bytes"
	"context"
	"fmt"
	"runtime"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Read returns the table that the text holds. It keeps no reference to data, and may write behind its end up to its
// capacity. Errors name the line, and the column by name or number; they hold no value.
func Read(ctx context.Context, data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
	return read(ctx, data, opt, runtime.GOMAXPROCS(0))
}

// file is a text being read.
type file struct {
	layout
	data     []byte // without byte order mark, with a line feed at its end
	start    int    // where the header, or without one the first record, begins
	body     int    // where the records begin
	names    []string
	heading  []string // the names as the first record has them; nil without a header
	doubled  error    // two of them are alike
	numbers  map[string]decimal.Notation
	exact    bool
	kinds    map[string]table.Kind
	dates    map[string]*calendar.Layout
	quotes   bool // there are quotes in the body
	checked  bool // the structure is known to be sound
	total    int  // records
	space    *mmap.Space
	workers  int
	progress *progress
}

func read(ctx context.Context, data []byte, opt dialect.Options, workers int) (*table.Table, *dialect.Info, error) {
	info := &dialect.Info{Format: "csv"}
	f := &file{kinds: opt.Kinds, numbers: opt.Numbers, exact: opt.Exact, workers: workers, space: opt.Space,
		progress: newProgress(opt.Progress, len(data))}
	var err error
	if f.dates, err = opt.Layouts(); err != nil {
		return nil, nil, err
	}
	if opt.Space != nil {
		if err := text.InPlace(data, opt.Encoding); err != nil {
			return nil, nil, err
		}
	}
	content, as, err := text.Open(data, opt.Encoding)
	if err != nil {
		return nil, nil, err
	}
	f.data = content
	info.Found(as, opt.Encoding == "")
	if err := f.open(&opt, info); err != nil {
		return nil, nil, err
	}
	r, err := f.fill(ctx)
	if f.delim == ';' && f.point == '.' && !f.exact {
		r, err = f.tryComma(ctx, r, err, info)
	}
	if err != nil {
		return nil, nil, f.skipping(err, &opt)
	}
	f.tellStray(info)
	info.Delimiter, info.DecimalComma, info.SignKnown = f.delim, f.point == ',', r.known
	r.countMarks(info)
	if last := f.total - 1; last >= 0 && opt.Space == nil { // else the file is not read again
		if info.FirstLine = r.lineOf(0); r.lineOf(last) != info.FirstLine+last {
			info.FirstLine = 0
		}
	}
	if opt.Delimiter == 0 {
		f.tellBlanks(info)
	}
	t, err := r.table(info)
	if err != nil {
		return nil, nil, f.skipping(err, &opt)
	}
	return t, info, nil
}

// tellStray notes quotes that are part of a value.
func (f *file) tellStray(info *dialect.Info) {
	if f.stray > 0 {
		info.Note(message.Say("read.quotes").Count("n", f.stray))
	}
}

// tellBlanks notes that blanks may separate the columns of a file in which nothing else does.
func (f *file) tellBlanks(info *dialect.Info) {
	if len(f.names) > 1 {
		return
	}
	if cells := words(head(f.data[f.start:])); cells > 1 {
		info.Note(message.Say("read.blanks").Count("n", cells))
	}
}

// tryComma reads again with decimal commas where these make numbers of what was text, or where a column that must be
// numbers could not be read.
func (f *file) tryComma(ctx context.Context, r *result, err error, info *dialect.Info) (*result, error) {
	if err == nil && !r.decimalComma() || err != nil && len(f.kinds)+len(f.dates) == 0 {
		return r, err
	}
	f.point = ','
	again, failed := f.fill(ctx)
	if r != nil {
		r.free()
	}
	if failed != nil && err != nil {
		f.point = '.'
		return r, err
	}
	if failed == nil && again.known {
		info.Note(message.Say("read.comma"))
	}
	return again, failed
}

// setLayout settles delimiter, decimal point and missing marks.
func (f *file) setLayout(opt *dialect.Options) error {
	f.delim, f.pad, f.point = opt.Delimiter, ' ', '.'
	if f.delim == 0 {
		f.delim = sniff(f.data[f.start:])
	}
	if err := checkDelimiter(f.delim); err != nil {
		return err
	}
	if f.delim == ' ' {
		f.pad = 0
	}
	if opt.DecimalComma {
		f.point = ','
	}
	f.marks = newMarks(opt.Marks())
	return nil
}

func checkDelimiter(c byte) error {
	if c >= 0x80 || c == '"' || c == '\r' || c == '\n' || c == 0 {
		return fmt.Errorf("the delimiter %q cannot be used; expected an ASCII character other than a quote or a "+
			"line end", c)
	}
	return nil
}

// plainSpans cuts the records of a text without quotes at line ends.
func (f *file) plainSpans() []span {
	var spans []span
	for k, lo := 0, f.body; k < f.workers && lo < len(f.data); k++ {
		hi := f.body + (len(f.data)-f.body)*(k+1)/f.workers
		if hi = max(hi, lo+1); hi < len(f.data) {
			hi += bytes.IndexByte(f.data[hi-1:], '\n')
		}
		spans = append(spans, span{lo: lo, hi: hi})
		lo = hi
	}
	parallel(len(spans), len(spans), func(k int) {
		spans[k].rows = text.Count(f.data[spans[k].lo:spans[k].hi], '\n')
	})
	for k := 1; k < len(spans); k++ {
		spans[k].row = spans[k-1].row + spans[k-1].rows
	}
	if n := len(f.names); n > 1 && len(spans) > 0 { // empty lines at the end of the file are common
		s := &spans[len(spans)-1]
		for s.rows > 1 && s.hi-s.lo > 1 && f.data[s.hi-1] == '\n' && f.data[s.hi-2] == '\n' {
			s.hi--
			s.rows--
		}
	}
	return spans
}
