package arrow

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"unicode/utf8"

	"github.com/dither-data/dither/format/dialect"
)

// A file may state so many cells: some, and some per byte, as one of Parquet may. Columns of one value are packed in a
// few bytes, and those of nulls in none.
const (
	someCells    = 1 << 24
	cellsPerByte = 500
)

var errImplausible = errors.New("not a sound Arrow file: it states more than a file of its size holds")

const (
	magic   = "ARROW1"
	magicV1 = "FEA1"
	marker  = 1<<32 - 1 // leads a message
)

// versionV4 is the oldest version of the metadata that is read: 4, counted from 0.
const versionV4 = 3

// What a message may be.
const (
	headSchema     = 1
	headDictionary = 2
	headBatch      = 3
)

// file is a file whose messages are read, and whose columns are not.
type file struct {
	data    []byte
	columns []*column
	dicts   map[int64]*dictionary
	unread  map[int64]bool // dictionaries of columns that are left out
	version int16          // of the metadata
	cells   int64          // that it may still state
	spare   atomic.Int64   // bytes that it may still become
	unpack  unpacker       // of dictionaries
	rows    int
	pandas  string // what pandas noted of its frame; empty where it noted nothing
	endless bool   // a stream that does not say where it ends
}

// part is a column's share of a batch.
type part struct {
	rows, nulls int
	codec       codec
	bufs        [][]byte // the bits of what is there, and then those that the type has
	entries     []int32  // of a dictionary: codes of labels
}

// dictionary holds the entries of columns that are coded.
type dictionary struct {
	column
	names []string // the labels
	start int      // of the entries that are in force
	begun bool
}

// open reads everything but the columns.
func open(data []byte) (*file, error) {
	f := &file{data: data, dicts: map[int64]*dictionary{}, unread: map[int64]bool{}}
	f.cells = someCells + cellsPerByte*int64(len(data))
	f.spare.Store(someBytes + bytesPerByte*int64(len(data)))
	f.unpack.file = f
	switch {
	case bytes.HasPrefix(data, []byte(magicV1)):
		return nil, errors.New("a Feather version 1 file, which is not supported: write it again as version 2, as " +
			"current pandas and pyarrow do")
	case bytes.HasPrefix(data, []byte(magic)):
		if err := f.footer(); err != nil {
			return nil, err
		}
	default:
		if err := f.stream(); err != nil {
			return nil, err
		}
	}
	for _, d := range f.dicts {
		d.names = d.seen.Labels()
	}
	for _, c := range f.columns { // many may have one dictionary
		if c.dict != nil {
			if f.cells -= int64(len(c.dict.names)); f.cells < 0 {
				return nil, errImplausible
			}
		}
	}
	return f, nil
}

// footer reads a file by its end, which says where everything lies.
func (f *file) footer() error {
	n := len(f.data)
	if n < 8+4+len(magic) || string(f.data[n-len(magic):]) != magic {
		return errDamaged
	}
	end := n - len(magic) - 4
	size := int64(binary.LittleEndian.Uint32(f.data[end:]))
	if size < 8 || size > int64(end-8) {
		return errDamaged
	}
	foot := root(f.data[end-int(size) : end])
	dicts, batches := foot.longs(2, 3), foot.longs(3, 3)
	f.version = foot.int16(0, 0)
	if err := f.schema(foot.table(1)); err != nil {
		return err
	}
	if foot.bad {
		return errDamaged
	}
	left := int64(n) // blocks that lie over each other would be read again and again
	for k, blocks := range [][]int64{dicts, batches} {
		for ; len(blocks) > 0; blocks = blocks[3:] {
			at, meta, body := blocks[0], int64(uint32(blocks[1])), blocks[2]
			if at < 0 || meta < 8 || body < 0 || at > int64(n) || meta > left || body > left-meta || meta+body > int64(n)-at {
				return errDamaged
			}
			left -= meta + body
			skip := int64(4) // before version 0.15 there was no marker
			if binary.LittleEndian.Uint32(f.data[at:]) == marker {
				skip = 8
			}
			m := root(f.data[at+skip : at+meta])
			if want := byte(headBatch - 1 + k); m.byte(1) != want { // dictionaries are the first
				return errDamaged
			}
			if err := f.message(m, f.data[at+meta:at+meta+body], true); err != nil {
				return err
			}
		}
	}
	return nil
}

// stream reads message by message.
func (f *file) stream() error {
	for rest, first := f.data, true; ; first = false {
		if len(rest) == 0 && !first {
			f.endless = true
			return nil
		}
		skip := 4
		if len(rest) >= 4 && binary.LittleEndian.Uint32(rest) == marker {
			skip = 8
		}
		if len(rest) < skip {
			return errDamaged
		}
		size := int64(binary.LittleEndian.Uint32(rest[skip-4:]))
		if rest = rest[skip:]; size == 0 {
			if first || len(rest) > 0 {
				return errDamaged
			}
			return nil
		}
		if size < 8 || size > int64(len(rest)) {
			return errDamaged
		}
		m := root(rest[:size])
		rest = rest[size:]
		body := m.int64(3)
		if body < 0 || body > int64(len(rest)) {
			return errDamaged
		}
		if first != (m.byte(1) == headSchema) {
			return errDamaged
		}
		var err error
		if first {
			f.version = m.int16(0, 0)
			err = f.schema(m.table(2))
		} else {
			err = f.message(m, rest[:body], false)
		}
		if err != nil {
			return err
		}
		rest = rest[body:]
	}
}

// deepest is how deep fields may lie in each other.
const deepest = 32

// schema reads the fields of the columns.
func (f *file) schema(s node) error {
	if s.at == 0 {
		return errDamaged
	}
	if s.int16(0, 0) != 0 {
		return errors.New("a big-endian Arrow file, which is not supported")
	}
	for k, field := range s.tables(1) {
		name := field.text(0)
		if field.bad {
			return errDamaged
		}
		if !utf8.Valid(name) {
			return fmt.Errorf("the name of column %d is not UTF-8 text", k+1)
		}
		c := &column{name: string(name)}
		var err error
		if c.typ, err = typeOf(field); err == nil {
			err = f.coding(c, field.table(4))
		}
		if left, is := errors.AsType[dialect.Unheld](err); is {
			c.left = string(left)
			if c.share, is = f.share(field, deepest); !is {
				return errDamaged
			}
		} else if err != nil {
			return fmt.Errorf("column %q %w", c.name, err)
		}
		f.columns = append(f.columns, c)
	}
	for _, pair := range s.tables(2) {
		if string(pair.text(0)) == dialect.PandasKey {
			f.pandas = string(pair.text(1))
		}
	}
	if s.bad {
		return errDamaged
	}
	return nil
}

// coding notes the dictionary of a column, if its field has one.
func (f *file) coding(c *column, about node) error {
	if about.at == 0 {
		return nil
	}
	c.index = typ{kind: "int", bits: 32}
	if index := about.table(1); index.at > 0 {
		c.index.bits = int(index.int32(0, 0))
		if index.byte(1) == 0 {
			c.index.kind = "uint"
		}
	}
	id := about.int64(0)
	d := f.dicts[id]
	if d == nil {
		d = &dictionary{column: column{name: c.name, typ: c.typ, labelled: true}}
		f.dicts[id] = d
	}
	if d.typ != c.typ || !slices.Contains(plain, c.index) {
		return errDamaged
	}
	c.typ.coded, c.typ.ordered = true, about.byte(2) != 0
	c.dict = d
	return nil
}

// message reads what a dictionary or a batch of records says of the columns.
func (f *file) message(m node, body []byte, once bool) error {
	head := m.table(2)
	if m.int16(0, 0) < versionV4 {
		return errors.New("an Arrow file from before version 0.8, which is not supported: write it again")
	}
	switch m.byte(1) {
	case headBatch:
		parts, err := f.split(head, body, f.columns)
		if err != nil {
			return err
		}
		for j, c := range f.columns {
			if c.left != "" {
				continue
			}
			c.parts = append(c.parts, parts[j])
			if c.dict != nil {
				c.parts[len(c.parts)-1].entries = c.dict.cat[c.dict.start:]
			}
		}
		if len(parts) > 0 {
			f.rows += parts[0].rows
		}
	case headDictionary:
		id, delta := head.int64(0), head.byte(2) != 0
		d := f.dicts[id]
		if d == nil && f.unread[id] && !head.bad {
			return nil
		}
		if d == nil || head.bad {
			return errDamaged
		}
		if !delta {
			if once && d.begun {
				return errors.New("not a sound Arrow file: it has a dictionary twice")
			}
			d.start = len(d.cat)
		}
		parts, err := f.split(head.table(1), body, []*column{&d.column})
		if err != nil {
			return err
		}
		d.begun = true
		if err := d.labels(&parts[0], &f.unpack); err != nil {
			return fmt.Errorf("column %q: %w", d.name, err)
		}
	default:
		return errDamaged
	}
	return nil
}

// split returns the shares of columns of a batch.
func (f *file) split(batch node, body []byte, columns []*column) ([]part, error) {
	rows, lengths := batch.int64(0), batch.longs(1, 2)
	b := buffers{body: body, places: batch.longs(2, 2), more: batch.longs(4, 1), left: int64(len(body))}
	c := unpacked
	if packing := batch.table(3); packing.at > 0 {
		if c = codec(packing.byte(0)); c > zstdFrame || packing.byte(1) != 0 {
			return nil, errors.New("buffers are packed in a way that is not supported; expected LZ4, Zstandard or none")
		}
	}
	nodes := 0
	for _, col := range columns {
		nodes += max(1, col.share.nodes)
	}
	if batch.at == 0 || batch.bad || rows < 0 || len(lengths) != 2*nodes {
		return nil, errDamaged
	}
	if rows > f.cells/int64(max(1, len(columns))) {
		return nil, errImplausible
	}
	f.cells -= rows * int64(len(columns))
	parts := make([]part, len(columns))
	for j, col := range columns {
		has, nulls := lengths[0], lengths[1]
		lengths = lengths[2*max(1, col.share.nodes):]
		parts[j] = part{rows: int(rows), nulls: int(nulls), codec: c}
		if has != rows || nulls < 0 || nulls > rows {
			return nil, errDamaged
		}
		if col.left != "" {
			if !b.pass(col.share) {
				return nil, errDamaged
			}
			continue
		}
		var ok bool
		if parts[j].bufs, ok = b.of(col); !ok {
			return nil, errDamaged
		}
	}
	if len(b.places) > 0 {
		return nil, errDamaged
	}
	return parts, nil
}

// buffers are those of a batch that no column has taken yet.
type buffers struct {
	body   []byte
	places []int64 // where each begins, and how long it is
	more   []int64 // by column of type utf8_view: how many buffers of texts it has
	left   int64   // bytes; buffers that lie over each other would be unpacked again and again
}

// of takes the buffers of a column; false where they are none of the batch.
func (b *buffers) of(c *column) ([][]byte, bool) {
	n := c.buffers()
	if c.typ.isView() && c.dict == nil {
		if len(b.more) == 0 || b.more[0] < 0 || b.more[0] > int64(len(b.places)) {
			return nil, false
		}
		n += int(b.more[0])
		b.more = b.more[1:]
	}
	out := make([][]byte, n)
	for k := range out {
		var ok bool
		if out[k], ok = b.next(); !ok {
			return nil, false
		}
	}
	return out, true
}

// next takes a buffer, nil for an empty one; false where there is none.
func (b *buffers) next() ([]byte, bool) {
	if len(b.places) == 0 {
		return nil, false
	}
	at, n := b.places[0], b.places[1]
	if b.places = b.places[2:]; n == 0 {
		return nil, true
	}
	if at < 0 || n < 0 || n > b.left || at > int64(len(b.body))-n {
		return nil, false
	}
	b.left -= n
	return b.body[at : at+n], true
}
