package parquet

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/layout"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// list is a column of lists being read: which definition levels say what, and the items so far.
type list struct {
	empty, full byte // the level of a list without elements, and that of an element that is not null

	start []int    // of each row in items
	items []uint32 // the code of the label doubled, and one more where it is unknown
	gone  []bool   // by row: the list is null
	nulls int      // elements that are null, which are left out
	dict  []uint32 // items by entry of the dictionary, none where the entry has not occurred
}

const none = math.MaxUint32

// listOf returns the leaf of a field that holds lists of single values, in any of the ways of the specification, old
// ones too; the list is nil for a flat field. The error for what is nested otherwise is that it cannot be held.
func listOf(field *element) (leaf *element, l *list, err error) {
	level, e := byte(0), field
	for {
		if e.optional() {
			level++
		}
		if e.repeated() {
			if l != nil {
				return nil, nil, dialect.Unheld("it holds lists of lists, expected lists of single values")
			}
			l = &list{empty: level}
			level++
		}
		if e.leaf() {
			break
		}
		if len(e.fields) != 1 {
			return nil, nil, dialect.Unheld("it is nested, expected a flat column or lists of single values")
		}
		e = e.fields[0]
	}
	if l == nil {
		if !field.leaf() {
			return nil, nil, dialect.Unheld("it is nested, expected a flat column or lists of single values")
		}
		return e, nil, nil
	}
	l.full = level
	return e, l, nil
}

// holdsItems reports whether lists of the type are read as sets.
func (t typ) holdsItems() bool { return t.kind == "string" || t.kind == "int" || t.kind == "uint" }

// listPage reads a page of lists. A row may have begun in the page before.
func (c *column) listPage(p *page) error {
	dict := c.pages.dict
	if p.coded && len(c.list.dict) == 0 {
		c.list.dict = slices.Repeat([]uint32{none}, dict.len())
	}
	next := 0
	for k := range p.rows {
		begins, level := byte(0), c.list.full
		if p.rep != nil {
			begins = p.rep[k]
		}
		if p.def != nil {
			level = p.def[k]
		}
		if !c.list.element(begins, level) {
			continue
		}
		item, err := uint32(none), error(nil)
		if p.coded {
			entry := p.codes[next]
			if item = c.list.dict[entry]; item == none {
				item, err = c.item(dict.at(int(entry)))
				c.list.dict[entry] = item
			}
		} else {
			item, err = c.item(p.values.at(next))
		}
		if err != nil {
			return err
		}
		c.list.items = append(c.list.items, item)
		next++
	}
	return nil
}

// element begins a row where the repetition level is 0, and reports whether the levels are those of a value.
func (l *list) element(repetition, definition byte) bool {
	if repetition == 0 {
		l.start, l.gone = append(l.start, len(l.items)), append(l.gone, definition < l.empty)
	}
	if l.empty < definition && definition < l.full {
		l.nulls++
	}
	return definition == l.full && len(l.start) > 0
}

// item numbers an element; a question mark leads the name of one that is unknown.
func (c *column) item(v []byte) (uint32, error) {
	b := v
	if c.typ.kind == "int" || c.typ.kind == "uint" {
		b = c.appendInteger(c.buf[:0], v)
	} else if !utf8.Valid(b) {
		return 0, dialect.UnheldBytes
	} else if len(b) > 1 && b[0] == '?' {
		code, err := c.label(b[1:])
		return 2*uint32(code) + 1, err
	}
	code, err := c.label(b)
	return 2 * uint32(code), err
}

// sets returns the lists that were read.
func (c *column) sets(ctx context.Context) (table.Column, error) {
	l := c.list
	if l.nulls > 0 {
		c.note = message.Say("read.nulls").Name("column", c.name).Count("n", l.nulls)
	}
	if !slices.Contains(l.gone, true) {
		l.gone = nil
	}
	s, err := table.SetsOfCodes(ctx, append(l.start, len(l.items)), l.items, l.gone)
	return table.SetColumn(c.name, c.labels, s), err
}

// listEncoder returns the schema of a column of sets, the wished one if it can be and else lists of strings, and what
// appends the elements of a row.
func listEncoder(
	c *table.Column,
	wish string,
	index int,
) (parquet.Node, func(dst []parquet.Value, i int) []parquet.Value, error) {
	names, place := layout.Ordered(c)
	unknown := len(c.Sets.Unknown.All()) > 0
	if slices.ContainsFunc(names, func(n string) bool { return !utf8.ValidString(n) }) {
		return nil, nil, errors.New("has an item that is not UTF-8 text")
	}
	if !layout.Marked(c) {
		return nil, nil, errors.New("has an item with a name that begins with a question mark, or is unknown and empty, " +
			"which would be read as another")
	}
	wish, _ = strings.CutPrefix(wish, "list<")
	t, ok := parseType(strings.TrimSuffix(wish, ">"))
	ok = ok && !unknown && (t.kind == "int" || t.kind == "uint")
	values := make([]parquet.Value, 2*len(names)) // by place doubled, and one more for an unknown item
	for k := 0; ok && k < len(names); k++ {
		values[2*k], ok = t.whole(names[k])
	}
	node := parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	if ok {
		node = parquet.Required(t.leaf())
	} else {
		for k, n := range names {
			values[2*k], values[2*k+1] = parquet.ByteArrayValue([]byte(n)), parquet.ByteArrayValue([]byte("?"+n))
		}
	}
	var places []int32
	return parquet.Optional(parquet.List(node)), func(dst []parquet.Value, i int) []parquet.Value {
		if c.MissingAt(i) {
			return append(dst, parquet.NullValue().Level(0, 0, index))
		}
		if places = layout.Places(places, c.Sets, i, place); len(places) == 0 {
			return append(dst, parquet.NullValue().Level(0, 1, index))
		}
		for k, p := range places {
			dst = append(dst, values[p].Level(min(k, 1), 2, index))
		}
		return dst
	}, nil
}

// whole returns the value of a label that is a whole number of the type, as it would be read again.
func (t typ) whole(label string) (parquet.Value, bool) {
	k, err := strconv.ParseInt(label, 10, 64)
	lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
	switch {
	case t.kind == "uint" && t.bits < 64:
		lo, hi = 0, 1<<t.bits-1
	case t.kind == "uint":
		lo = 0
	case t.bits < 64:
		lo, hi = -1<<(t.bits-1), 1<<(t.bits-1)-1
	}
	if err != nil || k < lo || k > hi || strconv.FormatInt(k, 10) != label {
		return parquet.Value{}, false
	}
	if t.bits <= 32 {
		return parquet.Int32Value(int32(k)), true
	}
	return parquet.Int64Value(k), true
}
