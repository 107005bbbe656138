package csv

import (
	"bytes"

	"github.com/dither-data/dither/internal/system/mmap"
)

// words returns how many words every line of a text has, parted by blanks outside of quotes; 0 where lines differ.
func words(data []byte) (n int) {
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	lines, count := 0, 0
	for in, quoted, i := false, false, 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '\n' && !quoted:
			if count > 0 {
				if lines > 0 && count != n {
					return 0
				}
				n = count
				lines++
			}
			in, count = false, 0
			if lines == sniffedRecords {
				return n
			}
		case c == ' ' && !quoted || c == '\r':
			in = false
		default:
			if c == '"' && (quoted || !in) {
				quoted = !quoted
			}
			if !in {
				in = true
				count++
			}
		}
	}
	return n
}

// squeeze makes one blank of several in a text whose words they part, as programs write that line columns up, and takes
// those at the ends of lines away. In a text that one blank parts everywhere, two of them are an empty cell.
func (f *file) squeeze() {
	if f.delim != ' ' || f.numberOfCells() > 0 || words(head(f.data[f.start:])) < 2 {
		return
	}
	in := f.data
	out := mmap.Make[byte](f.space, len(in))[:0]
	quoted, cell := false, false // in quotes; in a cell
	for i, c := range in {
		switch {
		case quoted:
			quoted = c != '"'
		case c == ' ':
			if cell {
				out = append(out, c)
			}
			cell = false
			continue
		case c == '\n' || c == '\r' && in[i+1] == '\n':
			if n := len(out); n > 0 && out[n-1] == ' ' {
				out = out[:n-1]
			}
		case c == '"':
			quoted = !cell
		}
		cell = c != '\n'
		out = append(out, c)
	}
	f.data = out
}

// numberOfCells is how many cells every line has where one blank parts them; 0 where lines differ.
func (f *file) numberOfCells() int {
	if cells, even := cut(head(f.data[f.start:]), ' '); even {
		return cells
	}
	return 0
}
