package csv

import (
	"bytes"
	"strconv"
)

// sniffed is how many bytes and records decide about a delimiter.
const (
	sniffedBytes   = 1 << 16
	sniffedRecords = 100
)

// head is the part of a text that decides about its delimiter.
func head(data []byte) []byte { return data[:min(len(data), sniffedBytes)] }

// sniff returns the delimiter of the data: the one that cuts the first records into the same number of cells, the most
// of them; failing that, the one that cuts the first record into the most cells. The order of the candidates settles
// what is left. Records behind a header that lacks the name of their first cell count as even, too; only such are cut
// at blanks.
func sniff(data []byte) byte {
	best, bestScore, most := byte(','), -1, 1
	for _, c := range candidates {
		cells, even := cut(head(data), c)
		if !even {
			if n := rowNamed(data, c); n > 0 {
				cells, even = n, true
			}
		}
		score := 2 * cells // a file of one column: whatever cuts nothing
		switch {
		case cells > 1 && even:
			score += 4 * sniffedBytes
		case cells > 1:
			score += 2
		case even:
			score++
		}
		most = max(most, cells)
		if score > bestScore {
			best, bestScore = c, score
		}
	}
	if most == 1 && rowNamed(data, ' ') > 0 {
		return ' '
	}
	return best
}

// candidates are the delimiters that are detected.
var candidates = []byte{',', ';', '\t', '|'}

// cut counts the cells of the first record and reports whether the other records have as many. A quote opens behind any
// delimiter: which one the file has is not known yet.
func cut(data []byte, delim byte) (cells int, even bool) {
	n, records, start := 1, 0, 0
	quoted, opens := false, true // in quotes; a quote here opens
	for i, c := range data {
		switch {
		case c == '"' && (quoted || opens):
			quoted, opens = !quoted, true // two of them are one inside
		case quoted:
		case c == '\n':
			blank := i-start == 0 || i-start == 1 && data[start] == '\r'
			if records == 0 {
				cells = n
			} else if n != cells && !blank {
				return cells, false
			}
			if records++; records == sniffedRecords {
				return cells, true
			}
			n, start, opens = 1, i+1, true
		case c == delim:
			n++
			opens = true
		case c != ' ':
			opens = bytes.IndexByte(candidates, c) >= 0
		}
	}
	if records == 0 {
		return n, true
	}
	return cells, true
}

// rowNamed returns how many cells the records have where the header has one fewer, and the first cell of every record
// names it, as R writes tables: in quotes, or numbers that go up, or texts of which none comes twice and that are no
// header themselves. One name and unquoted numbers are decimals with a comma. It returns 0 for any other text.
func rowNamed(data []byte, delim byte) int {
	records, quoted := oneMore(head(data), delim)
	if len(records) == 0 {
		return 0
	}
	width, ended := len(records[0]), true
	up, seen, last := true, map[string]bool{}, 0
	for n, cells := range records {
		k, err := strconv.Atoi(cells[0])
		up = up && err == nil && (n == 0 || k > last)
		last = k
		seen[cells[0]] = true
		ended = ended && cells[width-1] == ""
	}
	alone := len(records) > 1 && len(seen) == len(records) && delim != ' ' && !headed(records)
	if ended || !quoted && (width == 2 || !up && !alone) { // a delimiter ends every record
		return 0
	}
	return width
}

// oneMore returns the first records where all of them have one cell more than the header, and whether their first cells
// are all in quotes.
func oneMore(data []byte, delim byte) (records [][]string, quoted bool) {
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	l := layout{delim: delim, pad: ' '}
	if delim == ' ' {
		l.pad = 0
	}
	named, quoted := 0, true
	for pos := 0; pos < len(data) && len(records) < sniffedRecords; {
		if end := blankLine(data, pos); end > 0 {
			pos = end
			continue
		}
		cells, first, end, err := l.record(data, pos)
		switch {
		case err != nil || named > 0 && len(cells) != named+1:
			return nil, false
		case named == 0:
			named = len(cells)
		default:
			records, quoted = append(records, cells), quoted && first
		}
		pos = end
	}
	return records, quoted
}

// headed reports whether the first of the records names columns of numbers.
func headed(records [][]string) bool {
	for j, first := range records[0] {
		numbers := 0
		for _, cells := range records {
			if _, err := strconv.ParseFloat(cells[j], 64); err == nil {
				numbers++
			}
		}
		if _, err := strconv.ParseFloat(first, 64); err != nil && numbers == len(records)-1 {
			return true
		}
	}
	return false
}
