package jsonl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/layout"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/table"
)

// rowsPerLook is how many rows are written between two looks at the context.
const rowsPerLook = 4096

// Write writes the table with all names in every line, and null for what is missing. Categories true and false are
// truth values where opt.Types says boolean, categories are numbers where it says number and all of them are, and items
// where it says list<int64>. It fails on
// infinite numbers, on names and labels that are not UTF-8 text or that the encoding lacks, and on a table without
// records, which would have no columns. Cost: O(bytes).
func Write(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
	return text.Encoded(w, opt.Encoding, func(w io.Writer) error { return write(ctx, w, t, &opt, lineMarks) })
}

// marks are what stands around the records of a file.
type marks struct{ before, between, behind string }

var (
	lineMarks  = marks{"", "\n", "\n"}
	arrayMarks = marks{"[\n", ",\n", "\n]\n"}
)

func write(ctx context.Context, w io.Writer, t *table.Table, opt *dialect.Options, m marks) error {
	if t.Rows() == 0 || t.Width() == 0 {
		return errors.New("a table without records cannot be written as JSON, which has the names of columns in the " +
			"records alone")
	}
	cells := make([]func(dst []byte, i int) []byte, t.Width())
	heads := make([][]byte, t.Width())
	for j := range cells {
		c := t.Column(j)
		var err error
		if !utf8.ValidString(c.Name) {
			err = errors.New("has a name that is not UTF-8 text")
		} else if cells[j], err = cell(&c, opt); err == nil {
			heads[j] = append(quote([]byte{','}, c.Name), ':')
		}
		if err != nil {
			return fmt.Errorf("column %q %w", c.Name, err)
		}
	}
	heads[0][0] = '{'
	out := bufio.NewWriterSize(w, 1<<16)
	if strings.HasPrefix(opt.Encoding, "utf-16") { // which is known by its mark
		out.WriteString("\ufeff")
	}
	var line []byte
	between := m.before
	for i := range t.Rows() {
		if i%rowsPerLook == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if opt.Progress != nil {
				opt.Progress(int64(i), int64(t.Rows()))
			}
		}
		line, between = append(line[:0], between...), m.between
		for j, cell := range cells {
			line = append(line, heads[j]...)
			if t.MissingAt(i, j) {
				line = append(line, "null"...)
			} else {
				line = cell(line, i)
			}
		}
		if _, err := out.Write(append(line, '}')); err != nil {
			return err
		}
	}
	out.WriteString(m.behind)
	return out.Flush()
}

// cell returns what appends the values of a column that are not missing.
func cell(c *table.Column, opt *dialect.Options) (func(dst []byte, i int) []byte, error) {
	typ := opt.Types[c.Name]
	switch c.Kind {
	case table.Numeric:
		return numberCell(c, opt.Decimals[c.Name])
	case table.SetValued:
		return listCell(c, typ)
	case table.Categorical:
	}
	texts := make([]string, len(c.Labels))
	truth := func(l string) bool { return l == "true" || l == "false" }
	bare := typ == "boolean" && all(c.Labels, truth) || typ == numberType && all(c.Labels, isNumber)
	for k, l := range c.Labels {
		if !utf8.ValidString(l) {
			return nil, errors.New("has a label that is not UTF-8 text")
		}
		if texts[k] = l; !bare {
			texts[k] = string(quote(nil, l))
		}
	}
	return func(dst []byte, i int) []byte { return append(dst, texts[c.Cat[i]]...) }, nil
}

// all reports whether all texts are such.
func all(texts []string, such func(string) bool) bool {
	return !slices.ContainsFunc(texts, func(l string) bool { return !such(l) })
}

// isNumber reports whether a text is a number of JSON.
func isNumber(l string) bool {
	s := scanner{data: []byte(l + "\n")}
	_, err := s.number()
	return err == nil && s.pos == len(l)
}

func numberCell(c *table.Column, want int) (func(dst []byte, i int) []byte, error) {
	for i, v := range c.Num {
		if math.IsInf(v, 0) {
			return nil, fmt.Errorf("is infinite in row %d", i+1)
		}
	}
	if c.Dates != "" {
		l, err := dialect.Writable(*c)
		return func(dst []byte, i int) []byte { return append(l.Append(append(dst, '"'), c.Num[i]), '"') }, err
	}
	decs := table.Decimals(c.Step)
	return func(dst []byte, i int) []byte {
		return decimal.Pad(decimal.Append(dst, c.Num[i], c.Step, decs), decs, want)
	}, nil
}

func listCell(c *table.Column, typ string) (func(dst []byte, i int) []byte, error) {
	if !layout.Marked(c) {
		return nil, errors.New("has an item with a name that begins with a question mark, or is unknown and empty, which " +
			"would be read as another")
	}
	names, place := layout.Ordered(c)
	texts := make([]string, 2*len(names)) // by place doubled, and one more for an unknown item
	bare := (strings.HasPrefix(typ, "list<int") || strings.HasPrefix(typ, "list<uint")) && len(c.Sets.Unknown.All()) == 0
	for k, n := range names {
		if !utf8.ValidString(n) {
			return nil, errors.New("has an item that is not UTF-8 text")
		}
		v, err := strconv.ParseInt(n, 10, 64)
		bare = bare && err == nil && strconv.FormatInt(v, 10) == n
		texts[2*k], texts[2*k+1] = string(quote(nil, n)), string(quote(nil, "?"+n))
	}
	if bare {
		for k, n := range names {
			texts[2*k] = n
		}
	}
	var places []int32
	return func(dst []byte, i int) []byte {
		dst = append(dst, '[')
		places = layout.Places(places, c.Sets, i, place)
		for k, p := range places {
			if k > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, texts[p]...)
		}
		return append(dst, ']')
	}, nil
}

// quote appends a text in quotes, with escapes for what must have one.
func quote(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c < ' ':
			dst = fmt.Appendf(dst, `\u%04x`, c)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
