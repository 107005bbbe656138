package yamlfile

import (
	"regexp"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// pieceSize is the number of entries of a long map that are parsed together. The library copies all entries of a map
// that follow one for each of them, and keeps some kilobytes for each until the text is parsed, so a table of 50,000
// columns takes minutes in one piece, and gigabytes; in pieces its cost is linear, and what a piece takes is free for
// the next.
const pieceSize = 100

// piece is some entries of a long map, from their own lines.
type piece struct {
	text string
	line int // lines before it
}

// entryLine is a line on which an entry begins whose key is plain, or in quotes. All else that YAML may have there ends
// the parsing in pieces.
var entryLine = regexp.MustCompile(
	`^(?:[^\s:#'"{}\[\],&*!|>%@?` + "`" + `-][^:#'"{}\[\]\r]*|"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'):(?:[ \r]|$)`)

// cut takes the entries behind the first ones out of the long map, and leaves blank lines in their place. There are no
// pieces where the map has few entries, or is not one of plain lines. At is the line of its key, from 1.
func cut(text, key string, size int) (rest string, pieces []piece, at int) {
	starts := []int{0} // of the lines, and the end of the text
	for k := range len(text) {
		if text[k] == '\n' {
			starts = append(starts, k+1)
		}
	}
	lines := len(starts)
	starts = append(starts, len(text))
	of := func(from, to int) string { return text[starts[from]:starts[to]] }
	first := 0 // the line behind the key
	for ; first < lines; first++ {
		if after, ok := strings.CutPrefix(of(first, first+1), key+":"); ok && idle(after) {
			break
		}
	}
	first++
	indent, entries, begin, end := 0, 0, -1, first
	for ; end < lines; end++ {
		line := of(end, end+1)
		deep := len(line)
		line = strings.TrimLeft(line, " ")
		deep -= len(line)
		switch {
		case idle(line):
			continue
		case deep > indent && indent > 0:
			continue
		case indent == 0:
			indent = deep
		}
		if deep == 0 {
			break
		}
		if deep != indent || !entryLine.MatchString(strings.TrimSuffix(line, "\n")) {
			return "", nil, 0
		}
		if entries++; entries > size && entries%size == 1%size {
			if begin >= 0 {
				pieces = append(pieces, piece{of(begin, end), begin})
			}
			begin = end
		}
	}
	if begin < 0 {
		return "", nil, 0
	}
	pieces = append(pieces, piece{of(begin, end), begin})
	blank := strings.Repeat("\n", end-pieces[0].line)
	return of(0, pieces[0].line) + blank + of(end, lines), pieces, first
}

// idle reports whether a line, or the rest of one, is blank or a remark.
func idle(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#'
}

// inPieces reads a text whose long map is parsed in pieces. It is false where that is short, or where anything is wrong
// with it or unusual: parsed whole, the text tells what.
func (s *Source) inPieces(text string) (any, bool) {
	rest, pieces, at := cut(text, s.kind.Long, s.kind.piece)
	if pieces == nil {
		return nil, false
	}
	root, err := s.document(rest)
	if err != nil {
		return nil, false
	}
	v, err := s.plain(root, "", 0)
	top, ok := v.(map[string]any)
	if err != nil || !ok {
		return nil, false
	}
	path := Pointer("", s.kind.Long)
	long, ok := top[s.kind.Long].(map[string]any)
	if begins, _ := s.Keys.Of(path); !ok || begins.Line != at {
		return nil, false
	}
	defer func() { s.before = 0 }()
	for _, p := range pieces {
		s.before = p.line
		root, err := s.document(p.text)
		if err != nil {
			return nil, false
		}
		var entries []*ast.MappingValueNode
		switch n := root.(type) {
		case *ast.MappingNode:
			entries = n.Values
		case *ast.MappingValueNode:
			entries = []*ast.MappingValueNode{n}
		default:
			return nil, false
		}
		if err := s.entries(long, entries, path, 1); err != nil {
			return nil, false
		}
	}
	return v, true
}
