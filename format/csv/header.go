package csv

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// nameless begins the name of a column that has none in the header, which no other can: Excel writes such columns,
// without a value, behind its tables.
const nameless = "\x00"

// open settles where the records begin, how they are cut and what the columns are called.
func (f *file) open(opt *dialect.Options, info *dialect.Info) error {
	f.lineFeeds(info)
	for range opt.Skip {
		if f.start += 1 + bytes.IndexByte(f.data[f.start:], '\n'); f.start == len(f.data) {
			return fmt.Errorf("all lines are skipped, expected a header behind the first %d", opt.Skip)
		}
	}
	f.separator(opt, info)
	if err := f.setLayout(opt); err != nil {
		return err
	}
	f.squeeze()
	if err := f.header(opt, info); err != nil {
		return f.skipping(err, opt)
	}
	if err := f.remarked(opt); err != nil {
		return err
	}
	if end := max(f.body, f.start+1+bytes.IndexByte(f.data[f.start:], '\n')); end > 1 {
		info.CRLF = f.data[end-2] == '\r'
	}
	f.quotes = text.Has(f.data[f.body:], '"')
	return nil
}

// lineFeeds makes line feeds of the carriage returns of a text that has nothing else at the ends of its lines.
func (f *file) lineFeeds(info *dialect.Info) {
	last := len(f.data) - 1 // is a line feed, whatever the text has
	if bytes.IndexByte(f.data[:min(last, sniffedBytes)], '\r') < 0 || text.Has(f.data[:last], '\n') {
		return
	}
	data := mmap.Make[byte](f.space, len(f.data))
	copy(data, f.data)
	quoted, ends := false, 0
	for k, c := range data {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '\r' && !quoted:
			data[k] = '\n'
			ends++
		}
	}
	if ends == 0 || ends == 1 && data[last-1] == '\n' { // one line, which may have both
		mmap.Free(f.space, data)
		return
	}
	if f.data = data; last > 0 && data[last-1] == '\n' {
		f.data = data[:last]
	}
	info.Note(message.Say("read.carriage"))
}

// separator takes the line with which Excel is told the delimiter: sep=; (some programs put it in quotes).
func (f *file) separator(opt *dialect.Options, info *dialect.Info) {
	line, _, _ := bytes.Cut(f.data[f.start:], []byte{'\n'})
	said, is := bytes.CutPrefix(bytes.ToLower(bytes.Trim(line, "\"\r")), []byte("sep="))
	if !is || len(said) != 1 || checkDelimiter(said[0]) != nil {
		return
	}
	f.start += len(line) + 1
	if opt.Delimiter == 0 {
		opt.Delimiter = said[0]
	}
	info.Note(message.Say("read.delimiter"))
}

// header reads the names of the columns from the first record, or numbers them.
func (f *file) header(opt *dialect.Options, info *dialect.Info) error {
	if f.start == len(f.data) || blankLine(f.data, f.start) > 0 {
		return text.AtLine(f.data, f.start, "found an empty line, expected a header")
	}
	cells, _, end, err := f.record(f.data, f.start)
	if err != nil {
		return err
	}
	if err := text.Check(f.data[:end]); err != nil {
		return err
	}
	if opt.Header == dialect.NoHeader {
		if len(opt.Names) == len(cells) {
			f.names = opt.Names
		}
		for k := len(f.names); k < len(cells); k++ {
			f.names = append(f.names, dialect.NumberedName(k))
		}
		f.body = f.start
		return nil
	}
	if opt.Header == dialect.GuessHeader && !opt.Exact {
		f.heading = cells
	}
	f.body = end
	if n := rowNamed(f.data[f.start:], f.delim); n > 0 {
		cells, f.heading = append([]string{""}, cells...), nil
	}
	return f.setNames(cells, info)
}

// setNames names the columns. A first one without a name gets one.
func (f *file) setNames(cells []string, info *dialect.Info) error {
	seen := make(map[string]int)
	for k, name := range cells {
		switch first, twice := seen[name]; {
		case name == "":
			name = nameless + strconv.Itoa(k+1)
		case twice:
			if f.doubled == nil {
				f.doubled = text.AtLine(f.data, f.start, "columns %d and %d are both named %q", first, k+1, name)
			}
			name += nameless + strconv.Itoa(k+1)
		}
		f.names = append(f.names, name)
		seen[name] = k + 1
	}
	if f.doubled != nil && f.heading == nil {
		return f.doubled
	}
	if !slices.ContainsFunc(f.names, func(name string) bool { return !strings.HasPrefix(name, nameless) }) {
		return text.AtLine(f.data, f.start, "no column has a name in the header")
	}
	if len(f.names) > 1 && cells[0] == "" && f.holds(0) {
		f.names[0] = dialect.RowName(cells)
		info.Note(dialect.UnnamedRows(f.names[0]))
	}
	return nil
}

// holds reports whether column j holds a value in the first records.
func (f *file) holds(j int) bool {
	pos := f.body
	for n := 0; pos < len(f.data) && n < sniffedRecords; n++ {
		cells, _, end, err := f.record(f.data, pos)
		if err != nil {
			return false
		}
		if j < len(cells) && cells[j] != "" {
			return true
		}
		pos = end
	}
	return false
}

// isRecord reports whether what the columns are named after looks like a record of theirs.
func (r *result) isRecord(cols []table.Column) bool {
	return r.heading != nil && dialect.LikeRecord(r.heading, cols, r.point)
}

// longestPreamble is how many lines before the header are looked for.
const longestPreamble = 30

// preamble returns how many lines stand before the header, where the lines behind them are cut evenly into two cells or
// more, and the last of them is not; 0 where there are none.
func (f *file) preamble(opt *dialect.Options) int {
	rest := head(f.data[f.start:])
	for skip := 1; skip <= longestPreamble; skip++ {
		line, after, _ := bytes.Cut(rest, []byte{'\n'})
		rest = after
		next, records, more := bytes.Cut(rest, []byte{'\n'})
		if !more || len(records) == 0 {
			return 0
		}
		delim := opt.Delimiter
		if delim == 0 {
			delim = sniff(rest)
		}
		cells, even := cut(rest, delim)
		if !even || cells < 2 || padded(next, delim) {
			continue
		}
		n := bytes.Count(line, []byte{delim}) + 1
		switch {
		case n == cells && !padded(line, delim): // which is the header
			return 0
		case n > 1 || cells > 2 && bytes.ContainsAny(line, " #") || headedLines(rest, delim):
			return skip
		}
		return 0 // a column of texts
	}
	return 0
}

// headedLines reports whether the first line names columns of numbers.
func headedLines(data []byte, delim byte) bool {
	l, records := layout{delim: delim, pad: ' '}, [][]string(nil)
	for pos := 0; pos < bytes.LastIndexByte(data, '\n') && len(records) < sniffedRecords; {
		cells, _, end, err := l.record(data, pos)
		if err != nil || len(records) > 0 && len(cells) != len(records[0]) {
			return false
		}
		records, pos = append(records, cells), end
	}
	return headed(records)
}

// padded reports whether a cell of a line is empty.
func padded(line []byte, delim byte) bool {
	return slices.ContainsFunc(bytes.Split(line, []byte{delim}), func(cell []byte) bool {
		return len(bytes.Trim(cell, " \r")) == 0
	})
}

// skipping adds to an error about the structure of a file how lines before the header are left out.
func (f *file) skipping(err error, opt *dialect.Options) error {
	if fault, is := err.(*text.Fault); is && opt.Skip == 0 {
		if n := f.preamble(opt); n > 0 {
			fault.Text += "; " + wayAround(n)
		}
	}
	return err
}

func wayAround(n int) string {
	return fmt.Sprintf("if remarks stand before the header, --skip %d (file: {skip: %d} in a policy) leaves them out",
		n, n)
}

// remarked refuses a file that is read as one column because its first line is a remark.
func (f *file) remarked(opt *dialect.Options) error {
	if len(f.names) > 1 || opt.Delimiter != 0 || opt.Skip > 0 || opt.Header != dialect.GuessHeader || opt.Exact {
		return nil
	}
	n := f.preamble(opt)
	if n == 0 {
		return nil
	}
	return text.AtLine(f.data, f.start, "the first line is not cut into columns, and the lines behind it are; %s, and "+
		"--header takes the first line for the name of the only column", wayAround(n))
}
