package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/dither-data/dither/format/dialect"
)

// source is a file whose footer is read, and whose columns are not.
type source struct {
	data   []byte
	meta   *format.FileMetaData
	root   *element
	leaves int
	memory atomic.Int64 // bytes that labels may yet take, of all columns
	room   atomic.Int64 // bytes that pages may yet unpack to, of all columns
}

// overspent reports whether columns asked for more than that.
func (f *source) overspent() bool { return f.memory.Load() < 0 || f.room.Load() < 0 }

// element is a field of a schema: a group of others, or a leaf, which a column of the file holds.
type element struct {
	*format.SchemaElement
	fields []*element
	first  int // the number of the first leaf in it
}

func (e *element) optional() bool { return e.RepetitionType.V == format.Optional }
func (e *element) repeated() bool { return e.RepetitionType.V == format.Repeated }
func (e *element) leaf() bool     { return e.NumChildren.V == 0 && e.Type.Valid }

// open reads the footer of a file.
func open(data []byte) (*source, error) {
	foot, ok := footerOf(data)
	if !ok {
		return nil, errors.New("not a Parquet file, or one that was cut short")
	}
	f := &source{data: data, meta: new(format.FileMetaData)}
	f.memory.Store(someBytes + bytesPerByte*int64(len(data)))
	f.room.Store(someBytes + bytesPerByte*int64(len(data)))
	protocol := thrift.CompactProtocol{} // texts that it decodes are those of what it reads
	err := thrift.NewDecoder(protocol.NewReaderFromBytes(bytes.Clone(foot))).Decode(f.meta)
	if err != nil || len(f.meta.Schema) == 0 {
		return nil, errDamaged
	}
	var rest []format.SchemaElement
	if f.root, rest, ok = f.schema(f.meta.Schema, 0); !ok || len(rest) > 0 {
		return nil, errDamaged
	}
	return f, f.checkSize()
}

// schema takes the first element, and those that it is a group of, off a schema; false where there are fewer than it
// says, or they lie too deep in each other.
func (f *source) schema(left []format.SchemaElement, deep int) (e *element, rest []format.SchemaElement, ok bool) {
	if len(left) == 0 || deep > deepest {
		return nil, nil, false
	}
	e, rest = &element{SchemaElement: &left[0], first: f.leaves}, left[1:]
	if e.leaf() && deep > 0 {
		f.leaves++
	}
	for range e.NumChildren.V {
		var field *element
		if field, rest, ok = f.schema(rest, deep+1); !ok {
			return nil, nil, false
		}
		e.fields = append(e.fields, field)
	}
	return e, rest, true
}

// columns returns the columns of a file, of which nothing is read yet. Some are left out.
func (f *source) columns(opt *dialect.Options) ([]column, error) {
	cols := make([]column, len(f.root.fields))
	for j, field := range f.root.fields {
		c := &cols[j]
		*c = column{name: field.Name, file: f, leaf: field.first, missing: opt.Missing, room: opt.Space,
			buf: make([]byte, 0, 64)}
		leaf, list, err := holding(field, opt)
		if err == nil {
			c.typ, err = typeOf(leaf)
		}
		if err == nil && list != nil && !c.typ.holdsItems() {
			err = dialect.Unheld(fmt.Sprintf("it holds lists of %s, expected texts or whole numbers", c.typ))
		}
		if left, is := errors.AsType[dialect.Unheld](err); is {
			c.left = string(left)
			continue
		}
		if err != nil {
			return nil, dialect.Unread(field.Name, err)
		}
		if list != nil && opt.Space != nil {
			return nil, dialect.Unread(field.Name, errors.New("it holds lists, which are read in memory alone"))
		}
		c.list, c.leaf = list, leaf.first
		if c.pages, err = pagesOf(f, leaf, field.optional(), list); err != nil {
			return nil, dialect.Unread(field.Name, err)
		}
	}
	return cols, nil
}

// holding is listOf for a field that is not to be left out.
func holding(field *element, opt *dialect.Options) (*element, *list, error) {
	if err := opt.Leaves(field.Name); err != nil {
		return nil, nil, err
	}
	return listOf(field)
}
