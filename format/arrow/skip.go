package arrow

import "slices"

// share is how much of a batch a field takes that is not read.
type share struct {
	nodes, buffers int
	views          int // of its fields, each of which has more buffers, as many as the batch says
}

// buffersOf is how many buffers values of types have that are not two (Arrow columnar format, Buffer Listing for Each
// Layout), besides those of views; unions are another matter.
var buffersOf = map[byte]int{
	typeNull: 0, typeBinary: 3, typeUtf8: 3, typeLargeBinary: 3, typeLargeUtf8: 3, typeStruct: 1, typeFixedSizeList: 1,
	typeRunEndEncoded: 0, typeListView: 3, typeLargeListView: 3,
}

// share returns how much of a batch a field takes with all that is in it, and notes its dictionaries as none that is
// read; false where it says too much.
func (f *file) share(field node, deep int) (s share, ok bool) {
	if deep == 0 || field.bad {
		return s, false
	}
	number, n := field.byte(2), 2
	if of, other := buffersOf[number]; other {
		n = of
	} else if number == typeUnion {
		if field.table(3).int16(0, 0) == 0 { // a sparse one
			n = 1
		}
		if f.version < versionV5 { // which had one that says what is null
			n++
		}
	}
	s = share{nodes: 1, buffers: n}
	if number == typeUtf8View || number == typeBinaryView {
		s.views = 1
	}
	for _, child := range field.tables(5) {
		more, ok := f.share(child, deep-1)
		if !ok {
			return s, false
		}
		s = share{s.nodes + more.nodes, s.buffers + more.buffers, s.views + more.views}
	}
	if about := field.table(4); about.at > 0 { // of which a batch has the codes alone
		f.unread[about.int64(0)] = true
		s = share{nodes: 1, buffers: 2}
	}
	return s, !field.bad
}

// pass takes the buffers of a share; false where they are none of the batch.
func (b *buffers) pass(s share) bool {
	n := s.buffers
	if s.views > len(b.more) {
		return false
	}
	for _, more := range b.more[:s.views] {
		if more < 0 || more > int64(len(b.places)) {
			return false
		}
		n += int(more)
	}
	b.more = b.more[s.views:]
	if n > len(b.places)/2 {
		return false
	}
	b.places = b.places[2*n:]
	return true
}

// held are the columns of a file that are read.
func (f *file) held() []*column {
	return slices.DeleteFunc(slices.Clone(f.columns), func(c *column) bool { return c.left != "" })
}
