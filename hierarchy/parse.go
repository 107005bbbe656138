package hierarchy

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Parse reads the hierarchy of an attribute as ARX writes it: a line per value, the value first, then its group on
// every level, the most general one last, separated by semicolons, tabs or commas, whichever of them, in this order,
// the first line has outside quotes. There is no header. Blanks around labels, and byte order marks, are dropped. A
// line for the empty value, which is a missing one, is skipped. An error names the line, and no value. What is returned
// passes Check.
func Parse(attribute string, r io.Reader) (*Hierarchy, error) {
	b := bufio.NewReader(r)
	in := csv.NewReader(b)
	in.Comma, in.FieldsPerRecord, in.ReuseRecord = separator(b), -1, true
	h := &Hierarchy{Attribute: attribute}
	var at []map[string]int32
	for {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		var wrong *csv.ParseError
		if errors.As(err, &wrong) {
			return nil, fmt.Errorf("line %d: %w", wrong.Line, wrong.Err)
		}
		if err != nil {
			return nil, err
		}
		line, _ := in.FieldPos(0)
		for k, f := range fields {
			fields[k] = clean(f)
		}
		if fields[0] == "" {
			continue
		}
		if h.Names == nil {
			if len(fields) < 2 {
				return nil, fmt.Errorf("line %d has %d fields, expected a value and its groups, separated by semicolons", line,
					len(fields))
			}
			h.Names, h.Up = make([][]string, len(fields)), make([][]int32, len(fields)-1)
			at = make([]map[string]int32, len(fields))
			for l := range at {
				at[l] = map[string]int32{}
			}
		}
		if err := h.add(fields, at); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
	if h.Names == nil {
		return nil, errors.New("the hierarchy is empty, expected a line per value")
	}
	return h, nil
}

// marks are bytes that text editors leave behind.
var marks = strings.NewReplacer("\ufeff", "", "\r", "")

// clean returns a label without what is around it.
func clean(field string) string {
	if strings.ContainsAny(field, "\ufeff\r") {
		field = marks.Replace(field)
	}
	return strings.TrimSpace(field)
}

// separator finds out what separates the fields of the first line that is not empty, and skips a byte order mark.
func separator(b *bufio.Reader) rune {
	if mark, _ := b.Peek(3); string(mark) == "\ufeff" {
		_, _ = b.Discard(3)
	}
	start, _ := b.Peek(4096)
	seen, quoted := map[rune]bool{}, false
	for _, c := range strings.TrimLeft(string(start), "\r\n") {
		if c == '\n' && !quoted {
			break
		}
		if c == '"' {
			quoted = !quoted
		}
		if !quoted {
			seen[c] = true
		}
	}
	for _, s := range ";\t," {
		if seen[s] {
			return s
		}
	}
	return ';'
}

// add puts a value with its groups into the hierarchy. At finds groups by level and label.
func (h *Hierarchy) add(fields []string, at []map[string]int32) error {
	if len(fields) != len(h.Names) {
		return fmt.Errorf("%d fields, expected %d as in the first line", len(fields), len(h.Names))
	}
	below := int32(-1)
	for l, f := range fields {
		g, known := at[l][f]
		switch {
		case f == "" || !utf8.ValidString(f):
			return fmt.Errorf("field %d is empty or not UTF-8 text, expected the label of a group", l+1)
		case !known:
			g = int32(len(h.Names[l]))
			f = strings.Clone(f) // a field keeps its whole line alive
			at[l][f] = g
			h.Names[l] = append(h.Names[l], f)
			if l < h.Height() {
				h.Up[l] = append(h.Up[l], -1)
			}
		case l == 0:
			return errors.New("the value is listed twice")
		}
		if l > 0 {
			if up := &h.Up[l-1][below]; *up < 0 {
				*up = g
			} else if *up != g {
				return fmt.Errorf("the group on level %d is elsewhere inside another group of level %d", l-1, l)
			}
		}
		below = g
	}
	return nil
}
