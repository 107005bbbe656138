package arrow

import (
	"encoding/binary"
	"math"
)

// The metadata of an Arrow file are FlatBuffers, in which tables point to each other by offsets. The runtime that there
// is for Go believes them; this reader looks at nothing outside its data, and at no more than it holds several times
// over, however often a file points to the same place.

// flat is a FlatBuffer that is read.
type flat struct {
	data []byte
	left int  // bytes that may still be looked at
	bad  bool // something in it cannot be true; whatever is read is zero from there on
}

// looks is how often a byte of a sound file is looked at, and more: what tables share, such as the places of their
// fields, counts for each.
const looks = 32

// root returns the table that a FlatBuffer holds.
func root(data []byte) node {
	f := &flat{data: data, left: looks * (len(data) + 64)}
	return f.follow(0)
}

// has reports whether so many bytes lie at a place.
func (f *flat) has(at, n int) bool {
	if f.left -= n; f.bad || at < 0 || n < 0 || at > len(f.data)-n || f.left < 0 {
		f.bad = true
	}
	return !f.bad
}

// node is a table of a FlatBuffer; at 0 it is none, and all its fields are left out.
type node struct {
	*flat
	at int
}

// follow returns the table that a place points to.
func (f *flat) follow(at int) node {
	if f.has(at, 4) {
		if to := at + int(binary.LittleEndian.Uint32(f.data[at:])); f.has(to, 4) {
			return node{f, to}
		}
	}
	return node{f, 0}
}

// slot returns where a field of so many bytes stands, 0 where it is left out.
func (t node) slot(field, n int) int {
	if t.at == 0 || t.bad {
		return 0
	}
	places := t.at - int(int32(binary.LittleEndian.Uint32(t.data[t.at:])))
	if !t.has(places, 4) {
		return 0
	}
	at := 4 + 2*field
	if at+2 > int(binary.LittleEndian.Uint16(t.data[places:])) || !t.has(places+at, 2) {
		return 0
	}
	off := int(binary.LittleEndian.Uint16(t.data[places+at:]))
	if off == 0 || !t.has(t.at+off, n) {
		return 0
	}
	return t.at + off
}

func (t node) int64(field int) int64 {
	if at := t.slot(field, 8); at > 0 {
		return int64(binary.LittleEndian.Uint64(t.data[at:]))
	}
	return 0
}

func (t node) int32(field int, absent int32) int32 {
	if at := t.slot(field, 4); at > 0 {
		return int32(binary.LittleEndian.Uint32(t.data[at:]))
	}
	return absent
}

func (t node) int16(field int, absent int16) int16 {
	if at := t.slot(field, 2); at > 0 {
		return int16(binary.LittleEndian.Uint16(t.data[at:]))
	}
	return absent
}

func (t node) byte(field int) byte {
	if at := t.slot(field, 1); at > 0 {
		return t.data[at]
	}
	return 0
}

// table returns the table of a field.
func (t node) table(field int) node {
	if at := t.slot(field, 4); at > 0 {
		return t.follow(at)
	}
	return node{t.flat, 0}
}

// vector returns where the elements of a field stand and how many there are, each of so many bytes.
func (t node) vector(field, size int) (at, n int) {
	if at = t.slot(field, 4); at == 0 {
		return 0, 0
	}
	at += int(binary.LittleEndian.Uint32(t.data[at:]))
	if !t.has(at, 4) {
		return 0, 0
	}
	n = int(binary.LittleEndian.Uint32(t.data[at:]))
	if n > math.MaxInt32 || !t.has(at+4, n*size) {
		return 0, 0
	}
	return at + 4, n
}

// text returns the bytes of a field that is a string.
func (t node) text(field int) []byte {
	at, n := t.vector(field, 1)
	return t.data[at : at+n]
}

// tables returns the tables of a field that lists some.
func (t node) tables(field int) []node {
	at, n := t.vector(field, 4)
	out := make([]node, n)
	for k := range out {
		out[k] = t.follow(at + 4*k)
	}
	return out
}

// longs returns the whole numbers of a field that lists some, or structures of so many of them.
func (t node) longs(field, of int) []int64 {
	at, n := t.vector(field, 8*of)
	out := make([]int64, n*of)
	for k := range out {
		out[k] = int64(binary.LittleEndian.Uint64(t.data[at+8*k:]))
	}
	return out
}

// A FlatBuffer that is written is a tree of these.
type (
	// of a table, by number; nil is left out. Else a byte, bool, int16, int32, int64, string, fields, list or longs
	fields []any
	list   []fields
	longs  struct { // structures of so many whole numbers
		of     int
		values []int64
	}
)

// flatten returns the FlatBuffer of a table.
func flatten(t fields) []byte {
	b := &builder{out: make([]byte, 4)}
	b.point(0, b.table(t))
	b.pad(8, 0)
	return b.out
}

type builder struct{ out []byte }

// pad adds zeros until what comes behind so many bytes lies at a multiple of n.
func (b *builder) pad(n, behind int) {
	for (len(b.out)+behind)%n != 0 {
		b.out = append(b.out, 0)
	}
}

// point lets a place point to one behind it.
func (b *builder) point(at, to int) { binary.LittleEndian.PutUint32(b.out[at:], uint32(to-at)) }

// width is how many bytes a value takes in its table.
func width(v any) int {
	switch v.(type) {
	case byte, bool:
		return 1
	case int16:
		return 2
	case int64:
		return 8
	}
	return 4
}

// table appends the places of a table's fields, the table, and what it points to.
func (b *builder) table(t fields) (at int) {
	size, places := 4, make([]int, len(t))
	for k, v := range t {
		if v != nil {
			w := width(v)
			size = (size + w - 1) / w * w
			places[k] = size
			size += w
		}
	}
	b.pad(2, 0)
	start := len(b.out)
	b.out = binary.LittleEndian.AppendUint16(b.out, uint16(4+2*len(t)))
	b.out = binary.LittleEndian.AppendUint16(b.out, uint16(size))
	for _, p := range places {
		b.out = binary.LittleEndian.AppendUint16(b.out, uint16(p))
	}
	b.pad(8, 0)
	at = len(b.out)
	b.out = append(b.out, make([]byte, size)...)
	binary.LittleEndian.PutUint32(b.out[at:], uint32(at-start))
	for k, v := range t {
		if v != nil {
			b.value(at+places[k], v)
		}
	}
	return at
}

// value puts a field into its place, and what it points to behind all that there is.
func (b *builder) value(at int, v any) {
	switch v := v.(type) {
	case byte:
		b.out[at] = v
	case bool:
		if v {
			b.out[at] = 1
		}
	case int16:
		binary.LittleEndian.PutUint16(b.out[at:], uint16(v))
	case int32:
		binary.LittleEndian.PutUint32(b.out[at:], uint32(v))
	case int64:
		binary.LittleEndian.PutUint64(b.out[at:], uint64(v))
	case string:
		b.pad(4, 0)
		b.point(at, len(b.out))
		b.out = binary.LittleEndian.AppendUint32(b.out, uint32(len(v)))
		b.out = append(append(b.out, v...), 0)
	case fields:
		b.point(at, b.table(v))
	case list:
		b.pad(4, 0)
		b.point(at, len(b.out))
		b.out = binary.LittleEndian.AppendUint32(b.out, uint32(len(v)))
		first := len(b.out)
		b.out = append(b.out, make([]byte, 4*len(v))...)
		for k, t := range v {
			b.point(first+4*k, b.table(t))
		}
	case longs:
		b.pad(8, 4)
		b.point(at, len(b.out))
		b.out = binary.LittleEndian.AppendUint32(b.out, uint32(len(v.values)/v.of))
		for _, x := range v.values {
			b.out = binary.LittleEndian.AppendUint64(b.out, uint64(x))
		}
	default:
		panic("arrow: a value that no table holds")
	}
}
