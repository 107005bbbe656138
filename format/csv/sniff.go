package csv

// sniffed is how many bytes and records decide about a delimiter.
const (
	sniffedBytes   = 1 << 16
	sniffedRecords = 100
)

// sniff returns the delimiter of the data: the one that cuts the first records into the same number of cells, the most
// of them; failing that, the one that cuts the first record into the most cells. The order of the candidates settles
// what is left.
func sniff(data []byte) byte {
	best, bestScore := byte(','), -1
	for _, c := range []byte{',', ';', '\t', '|'} {
		cells, even := cut(data[:min(len(data), sniffedBytes)], c)
		score := 2 * cells // a file of one column: whatever cuts nothing
		switch {
		case cells > 1 && even:
			score += 4 * sniffedBytes
		case cells > 1:
			score += 2
		case even:
			score++
		}
		if score > bestScore {
			best, bestScore = c, score
		}
	}
	return best
}

// cut counts the cells of the first record and reports whether the other records have as many.
func cut(data []byte, delim byte) (cells int, even bool) {
	n, records, quoted, start := 1, 0, false, 0
	for i, c := range data {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == delim:
			n++
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
			n, start = 1, i+1
		}
	}
	if records == 0 {
		return n, true
	}
	return cells, true
}
