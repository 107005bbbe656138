package parquet

import "encoding/binary"

// footer walks over a footer, which is written in Thrift's compact protocol. The library that decodes it makes room for
// as many elements as a list states.
type footer []byte

// What Thrift writes.
const (
	thriftTrue = iota + 1
	thriftFalse
	thriftByte
	thriftInt16
	thriftInt32
	thriftInt64
	thriftDouble
	thriftBinary
	thriftList
	thriftSet
	thriftMap
	thriftStruct
)

// deepest is how deep values may lie in each other, and groups of columns; those of a footer lie less than ten deep,
// and columns that are read three.
const deepest = 32

// listsFit reports whether a footer holds a whole structure, of which no list, map or text is longer than what follows:
// an element takes a byte at least.
func listsFit(data []byte) bool {
	f := footer(data)
	return f.structure(deepest)
}

// footerOf returns the footer at the end of data; false where there is none, or a list in it is longer than it.
func footerOf(data []byte) ([]byte, bool) {
	if !footerLies(data) {
		return nil, false
	}
	n := len(data) - 8
	foot := data[n-int(binary.LittleEndian.Uint32(data[n:])) : n]
	return foot, listsFit(foot)
}

// footerLies reports whether data end in a footer that lies inside them.
func footerLies(data []byte) bool {
	n := len(data)
	return n >= 12 && string(data[:4]) == "PAR1" && string(data[n-4:]) == "PAR1" &&
		int64(binary.LittleEndian.Uint32(data[n-8:])) <= int64(n-12)
}

// take passes over so many bytes, if they are there.
func (f *footer) take(n uint64) bool {
	if n > uint64(len(*f)) {
		return false
	}
	*f = (*f)[n:]
	return true
}

func (f *footer) number() (uint64, bool) {
	v, n := binary.Uvarint(*f)
	return v, n > 0 && f.take(uint64(n))
}

func (f *footer) octet() (byte, bool) {
	if len(*f) == 0 {
		return 0, false
	}
	b := (*f)[0]
	return b, f.take(1)
}

func (f *footer) structure(deep int) bool {
	for {
		head, ok := f.octet()
		if !ok || head == 0 {
			return ok
		}
		if head>>4 == 0 { // its number follows
			if _, ok := f.number(); !ok {
				return false
			}
		}
		kind := head & 15
		if kind != thriftTrue && kind != thriftFalse && !f.value(kind, deep) {
			return false
		}
	}
}

func (f *footer) value(kind byte, deep int) bool {
	switch kind {
	case thriftTrue, thriftFalse, thriftByte: // of a list
		return f.take(1)
	case thriftInt16, thriftInt32, thriftInt64:
		_, ok := f.number()
		return ok
	case thriftDouble:
		return f.take(8)
	case thriftBinary:
		n, ok := f.number()
		return ok && f.take(n)
	case thriftStruct:
		return deep > 0 && f.structure(deep-1)
	case thriftList, thriftSet:
		head, ok := f.octet()
		n := uint64(head >> 4)
		if ok && n == 15 {
			n, ok = f.number()
		}
		return ok && f.elements(n, deep, head&15)
	case thriftMap:
		n, ok := f.number()
		if !ok || n == 0 {
			return ok
		}
		head, ok := f.octet()
		return ok && f.elements(n, deep, head>>4, head&15)
	}
	return false
}

// elements passes over so many elements, each of values of some kinds.
func (f *footer) elements(n uint64, deep int, kinds ...byte) bool {
	if n > uint64(len(*f)) || deep == 0 {
		return false
	}
	for range n {
		for _, kind := range kinds {
			if !f.value(kind, deep-1) {
				return false
			}
		}
	}
	return true
}
