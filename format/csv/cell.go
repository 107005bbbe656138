package csv

import "bytes"

// layout is what the cells of a file have in common.
type layout struct {
	delim byte
	pad   byte // the blank around a cell that is not part of it; 0 when the blank is the delimiter
	point byte
	marks marks
	stray int // quotes inside cells that do not begin with one, as far as the structure was checked
}

// marks finds missing marks.
type marks struct {
	list  []string
	empty int       // the index of the empty mark, -1 without
	first [256]bool // by first byte: whether any mark begins so
}

func newMarks(list []string) marks {
	m := marks{list: list, empty: -1}
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == "" {
			m.empty = i
		} else {
			m.first[list[i][0]] = true
		}
	}
	return m
}

// find returns the index of the mark that text is, or -1.
func (m *marks) find(text []byte) int {
	if len(text) == 0 {
		return m.empty
	}
	if m.first[text[0]] {
		for i, mark := range m.list {
			if string(text) == mark {
				return i
			}
		}
	}
	return -1
}

// trim drops the blanks around an unquoted cell.
func (l *layout) trim(text []byte) []byte {
	for len(text) > 0 && text[0] == l.pad {
		text = text[1:]
	}
	for len(text) > 0 && text[len(text)-1] == l.pad {
		text = text[:len(text)-1]
	}
	return text
}

// opening returns the position of the quote that opens the cell at pos, or -1 when the cell is not quoted.
func (l *layout) opening(data []byte, pos int) int {
	for data[pos] == l.pad {
		pos++
	}
	if data[pos] == '"' {
		return pos
	}
	return -1
}

// unquote returns the text of the cell whose quote opens at data[pos], and the position behind the closing quote: -1
// when there is none. A text with doubled quotes is put together in buf, which is returned for the next call. The data
// end in a line feed.
func unquote(data []byte, pos int, buf []byte) (text []byte, end int, _ []byte) {
	pos++
	n := bytes.IndexByte(data[pos:], '"')
	if n < 0 {
		return nil, -1, buf
	}
	end = pos + n + 1
	if data[end] != '"' {
		return data[pos : end-1], end, buf
	}
	buf = buf[:0]
	for data[end] == '"' {
		buf = append(buf, data[pos:end]...)
		pos = end + 1
		if n = bytes.IndexByte(data[pos:], '"'); n < 0 {
			return nil, -1, buf
		}
		end = pos + n + 1
	}
	buf = append(buf, data[pos:end-1]...)
	return buf, end, buf
}

// next returns the cell at data[pos], which check has found sound: its text, whether it is quoted, and the position of
// the delimiter or line feed behind it.
func (l *layout) next(data []byte, pos int, buf []byte) (text []byte, quoted bool, end int, _ []byte) {
	if open := l.opening(data, pos); open >= 0 {
		text, end, buf = unquote(data, open, buf)
		for data[end] != l.delim && data[end] != '\n' {
			end++
		}
		return text, true, end, buf
	}
	end = pos
	for data[end] != l.delim && data[end] != '\n' {
		end++
	}
	text = data[pos:end]
	if n := len(text); data[end] == '\n' && n > 0 && text[n-1] == '\r' {
		text = text[:n-1]
	}
	return l.trim(text), false, end, buf
}
