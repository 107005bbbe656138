package hierarchy

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/dither-data/dither/table"
)

// Parse reads the hierarchy of an attribute as ARX writes it: a line per value, the value first, then its group on every level, the most general
// one last, separated by semicolons, commas or tabs, whichever the first line has. There is no header. An error names the line.
func Parse(attribute string, r io.Reader) (*Hierarchy, error) {
	b := bufio.NewReader(r)
	if mark, _ := b.Peek(3); string(mark) == "\ufeff" {
		_, _ = b.Discard(3)
	}
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
		if h.Names == nil {
			if len(fields) < 2 {
				return nil, fmt.Errorf("line %d has %d fields, expected a value and its groups, separated by semicolons", line, len(fields))
			}
			h.Names, h.Up, at = make([][]string, len(fields)), make([][]int32, len(fields)-1), make([]map[string]int32, len(fields))
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

// separator finds out what separates the fields of the first line.
func separator(b *bufio.Reader) rune {
	start, _ := b.Peek(4096)
	line, _, _ := strings.Cut(string(start), "\n")
	for _, s := range ";\t," {
		if strings.ContainsRune(line, s) {
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
		f = strings.TrimSpace(f)
		g, known := at[l][f]
		switch {
		case !known:
			g = int32(len(h.Names[l]))
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

// listed returns the listed value of every number.
func (h *Hierarchy) listed(c *table.Column) ([]int32, error) {
	at := make(map[float64]int32, len(h.Names[0]))
	for g, n := range h.Names[0] {
		v, err := strconv.ParseFloat(n, 64)
		if err != nil {
			return nil, fmt.Errorf("column %q is numeric, and its hierarchy lists what is no number (value %d)", c.Name, g+1)
		}
		at[v] = int32(g)
	}
	out := make([]int32, len(c.Num))
	for i, v := range c.Num {
		g, ok := at[v]
		switch {
		case math.IsNaN(v):
			g = -1
		case !ok:
			return nil, fmt.Errorf("column %q, row %d: %w", c.Name, i+1, ErrNotCovered)
		}
		out[i] = g
	}
	return out, nil
}
