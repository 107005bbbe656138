package csv

import (
	"fmt"

	"github.com/dither-data/dither/format/text"
)

// span is a run of whole records: data[lo:hi] holds rows of them, the first one being record row of the table.
type span struct{ lo, hi, row, rows int }

// check walks over data[pos:] cell by cell, returns its records cut into at most n spans of about equal bytes, and
// names the place of the first thing that is wrong. It is the only judge of the file's structure: the fast path hands
// over to it whenever something looks odd.
func (l *layout) check(data []byte, pos, width, n int) ([]span, error) {
	if err := text.Check(data); err != nil {
		return nil, err
	}
	var spans []span
	size := (len(data)-pos)/n + 1
	s := span{lo: pos}
	for pos < len(data) {
		start, cells := pos, 0
		if end := blankLine(data, pos); end > 0 && width > 1 {
			pos = end
			continue
		}
		for more := true; more; cells++ {
			end, err := l.checkCell(data, pos)
			if err != nil {
				return nil, err
			}
			more = data[end] == l.delim
			pos = end + 1
		}
		if cells != width {
			return nil, l.uneven(data[:pos], start, cells, width)
		}
		s.rows++
		if pos-s.lo >= size {
			s.hi = pos
			spans = append(spans, s)
			s = span{lo: pos, row: s.row + s.rows}
		}
	}
	s.hi = pos
	return append(spans, s), nil
}

// uneven is the error for a record of so many cells at data[start:].
func (l *layout) uneven(data []byte, start, cells, width int) error {
	for pos := start; pos < len(data); pos++ {
		if l.opening(data, pos) >= 0 {
			_, pos, _ = unquote(data, l.opening(data, pos), nil)
		}
		for ; data[pos] != l.delim && data[pos] != '\n'; pos++ {
			if data[pos] == '"' {
				return text.At(data, pos, "a quote inside a cell that does not begin with one, and %s, expected %d",
					count(cells, "column"), width)
			}
		}
	}
	return text.AtLine(data, start, "%s, expected %d", count(cells, "column"), width)
}

// record returns the cells of the record at data[pos], whether the first one is in quotes, and where the next one
// begins.
func (l *layout) record(data []byte, pos int) (cells []string, quoted bool, end int, err error) {
	var buf, cell []byte
	quoted = l.opening(data, pos) >= 0
	for more := true; more; {
		if end, err = l.checkCell(data, pos); err != nil {
			return nil, false, 0, err
		}
		cell, _, _, buf = l.next(data, pos, buf)
		cells = append(cells, string(cell))
		more, pos = data[end] == l.delim, end+1
	}
	return cells, quoted, pos, nil
}

// blankLine returns the position behind the empty line at pos, or 0 when the line is not empty.
func blankLine(data []byte, pos int) int {
	switch {
	case data[pos] == '\n':
		return pos + 1
	case data[pos] == '\r' && data[pos+1] == '\n':
		return pos + 2
	}
	return 0
}

// checkCell returns the position of the delimiter or line feed behind the cell at pos. The data end in a line feed.
func (l *layout) checkCell(data []byte, pos int) (int, error) {
	open := l.opening(data, pos)
	if open < 0 {
		return l.checkPlain(data, pos)
	}
	_, end, _ := unquote(data, open, nil)
	if end < 0 {
		return 0, text.At(data, open, "the quote is never closed")
	}
	for data[end] == l.pad {
		end++
	}
	switch {
	case data[end] == '\r' && data[end+1] == '\n':
		return end + 1, nil
	case data[end] != l.delim && data[end] != '\n':
		return 0, text.At(data, end, "text behind a closing quote, expected a delimiter or the end of the line")
	}
	return end, nil
}

func (l *layout) checkPlain(data []byte, pos int) (int, error) {
	for ; ; pos++ {
		switch c := data[pos]; {
		case c == l.delim || c == '\n':
			return pos, nil
		case c == '"':
			l.stray++
		case c == '\r' && data[pos+1] != '\n':
			return 0, text.At(data, pos, "a carriage return without a line feed")
		}
	}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
