package parquet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"github.com/dither-data/dither/format/layout"
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
// ones too; nil for a flat field. It is an error for what is nested otherwise.
func listOf(field parquet.Field) (leaf parquet.Node, l *list, err error) {
	level, n := byte(0), parquet.Node(field)
	for {
		if n.Optional() {
			level++
		}
		if n.Repeated() {
			if l != nil {
				return nil, nil, errors.New("holds lists of lists, expected lists of single values")
			}
			l = &list{empty: level}
			level++
		}
		if n.Leaf() {
			break
		}
		fields := n.Fields()
		if len(fields) != 1 {
			return nil, nil, errors.New("is nested, expected a flat column or lists of single values")
		}
		n = fields[0]
	}
	if l == nil {
		if !field.Leaf() {
			return nil, nil, errors.New("is nested, expected a flat column or lists of single values")
		}
		return n, nil, nil
	}
	l.full = level
	return n, l, nil
}

// holdsItems reports whether lists of the type are read as sets.
func (t typ) holdsItems() bool { return t.kind == "string" || t.kind == "int" || t.kind == "uint" }

// listPage reads a page of lists. A row may have begun in the page before.
func (c *column) listPage(p parquet.Page) error {
	if p.Dictionary() == nil {
		values := p.Values()
		var buf [256]parquet.Value
		for {
			n, err := values.ReadValues(buf[:])
			for _, v := range buf[:n] {
				if c.list.element(byte(v.RepetitionLevel()), byte(v.DefinitionLevel())) {
					item, err := c.item(v)
					if err != nil {
						return err
					}
					c.list.items = append(c.list.items, item)
				}
			}
			if err != nil {
				return eof(err)
			}
			if n == 0 {
				return errors.New("a page ends early")
			}
		}
	}
	if d := p.Dictionary(); d != c.dict {
		c.dict, c.list.dict = d, slices.Repeat([]uint32{none}, d.Len())
	}
	data := p.Data()
	indexes, next := data.Int32(), 0
	begins, levels := p.RepetitionLevels(), p.DefinitionLevels()
	if len(begins) != len(levels) {
		return errDamaged
	}
	for k, level := range levels {
		if !c.list.element(begins[k], level) {
			continue
		}
		if next == len(indexes) {
			return errDamaged
		}
		entry := indexes[next]
		next++
		if c.list.dict[entry] == none {
			item, err := c.item(c.dict.Index(entry))
			if err != nil {
				return err
			}
			c.list.dict[entry] = item
		}
		c.list.items = append(c.list.items, c.list.dict[entry])
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
func (c *column) item(v parquet.Value) (uint32, error) {
	b := c.buf[:0]
	switch c.typ.kind {
	case "uint":
		if v.Kind() == parquet.Int32 {
			b = strconv.AppendUint(b, uint64(v.Uint32()), 10)
		} else {
			b = strconv.AppendUint(b, v.Uint64(), 10)
		}
	case "int":
		k, _ := c.integer(v)
		b = strconv.AppendInt(b, k, 10)
	default:
		if b = v.ByteArray(); !utf8.Valid(b) {
			return 0, errors.New("found bytes that are not UTF-8, expected text")
		}
		if len(b) > 1 && b[0] == '?' {
			code, err := c.label(b[1:])
			return 2*uint32(code) + 1, err
		}
	}
	code, err := c.label(b)
	return 2 * uint32(code), err
}

// sets returns the lists that were read.
func (c *column) sets(ctx context.Context) (table.Column, error) {
	l := c.list
	if l.nulls > 0 {
		c.note = fmt.Sprintf("column %q: %d elements of its lists are null and left out", c.name, l.nulls)
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
	for _, n := range names {
		switch {
		case !utf8.ValidString(n):
			return nil, nil, errors.New("has an item that is not UTF-8 text")
		case len(n) > 1 && n[0] == '?', n == "" && unknown:
			return nil, nil, errors.New("has an item with a name that begins with a question mark or is empty, " +
				"which would be read as unknown")
		}
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
