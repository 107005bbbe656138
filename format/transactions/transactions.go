// Package transactions reads and writes files that hold a set of items in every line and nothing else: those of the
// FIMI workshops, lists of names, and those of SPMF. A table has one set-valued column of them, called items.
//
// A line is a transaction, an empty one a transaction without items. An item that stands in a line twice counts once,
// and the order of items is lost: they are written in ascending order of their names, numbers by their value. Beyond
// what other programs know, ?5 is an item that may or may not be in the transaction, and a line of a single ? a
// transaction of which nothing is known.
package transactions

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// Column is the name of the column of a file.
const Column = "items"

// A core reads about so many bytes at a time: the more, the larger the file.
const (
	leastChunk = 1 << 15
	mostChunk  = 1 << 20
	chunks     = 16 // of a file between these
)

// part is the transactions of a stretch of lines. Items are numbers that code says the meaning of, or those of names.
type part struct {
	ends    []int    // of each transaction in items
	items   []int32  // present, as they stand; their codes once the parts are joined
	rows    int      // at most
	room    int      // of items
	most    uint32   // number of an item
	maybe   []maybe  // that may or may not be there
	missing []int    // transactions
	names   []string // of items, in the order of their appearance; nil where items are their own names
	code    []int32  // of the names in the table
}

// countLines returns how many lines a stretch has, and how many items at most, which stand apart by blanks or by
// another separator.
func countLines(lines []byte, between byte) (rows, items int) {
	rows = bytes.Count(lines, []byte{'\n'})
	items = rows + bytes.Count(lines, []byte{between})
	if between == ' ' {
		items += bytes.Count(lines, []byte{'\t'})
	}
	return rows, items
}

// maybe is an unknown item of a transaction of the part.
type maybe struct {
	row  int
	item uint32
}

// scanner reads the lines of a stretch, which begins at from and ends behind a line feed, into a part with room for
// them.
type scanner func(p *part, data []byte, from, to int) error

// lines are the parts of a file. Their items stand in one array, so that they need no other once they are joined.
type lines struct {
	parts []*part
	all   []int32
	ends  []int       // of the transactions of all parts
	space *mmap.Space // of what is as long as the file
}

// scan reads all lines on all cores.
func scan(ctx context.Context, data []byte, between byte, read scanner, opt dialect.Options) (*lines, error) {
	starts, chunk := []int{0}, min(max(len(data)/chunks, leastChunk), mostChunk)
	for at := 0; at < len(data); {
		at = min(at+chunk, len(data)-1)
		at += bytes.IndexByte(data[at:], '\n') + 1
		starts = append(starts, at)
	}
	l := &lines{parts: make([]*part, len(starts)-1), space: opt.Space}
	parallel.Do(len(l.parts), func(k int) {
		rows, items := countLines(data[starts[k]:starts[k+1]], between)
		l.parts[k] = &part{rows: rows, room: items}
	})
	rows, items := 0, 0
	for _, p := range l.parts {
		rows, items = rows+p.rows, items+p.room
	}
	l.all, l.ends = mmap.Make[int32](l.space, items), mmap.Make[int](l.space, rows)
	free, ends := l.all, l.ends
	for _, p := range l.parts {
		p.items, free = free[:0:p.room], free[p.room:]
		p.ends, ends = ends[:0:p.rows], ends[p.rows:]
	}
	var mu sync.Mutex
	done := 0
	err := parallel.Each(ctx, len(l.parts), func(k int) error {
		err := read(l.parts[k], data, starts[k], starts[k+1])
		if opt.Progress != nil {
			mu.Lock()
			defer mu.Unlock()
			done += starts[k+1] - starts[k]
			opt.Progress(int64(done), int64(len(data)))
		}
		return err
	})
	return l, err
}

// column joins the parts. The labels are those of the items' numbers where numbered, which ascend, and else the names
// in the order of their appearance.
func column(ctx context.Context, l *lines, label func(id uint32) string) (table.Column, error) {
	parts := l.parts
	var labels []string
	var number *coding
	if label != nil {
		ids := distinct(parts, l.space)
		for _, id := range ids {
			labels = append(labels, label(id))
		}
		number = coder(ids)
	} else {
		labels = join(parts)
	}
	rows, unknown, missing := 0, 0, 0
	rowAt := make([]int, len(parts))
	for k, p := range parts {
		rowAt[k] = rows
		rows, unknown, missing = rows+len(p.ends), unknown+len(p.maybe), missing+len(p.missing)
	}
	if l.space != nil && unknown+missing > 0 {
		return table.Column{}, errors.New("items and transactions of which nothing is known (?) take memory for each: " +
			"leave them out of the file, or give dither the memory for it")
	}
	s := &table.Sets{Present: table.Lists{Start: mmap.Make[int](l.space, rows+1), Codes: l.joined()}}
	err := parallel.Each(ctx, len(parts), func(k int) error {
		p := parts[k]
		p.items = p.items[:p.fill(s.Present.Start[rowAt[k]:rowAt[k]+len(p.ends)], p.coder(number))]
		return nil
	})
	if err != nil {
		return table.Column{}, err
	}
	at := 0
	for k, p := range parts { // close the gaps of items that were there twice, and of room that was not needed
		copy(s.Present.Codes[at:], p.items)
		for i := range p.ends {
			s.Present.Start[rowAt[k]+i] += at
		}
		at += len(p.items)
	}
	s.Present.Start[rows], s.Present.Codes = at, s.Present.Codes[:at]
	mmap.Free(l.space, l.ends)
	if missing > 0 {
		s.Missing = make([]bool, rows)
	}
	if unknown > 0 {
		s.Unknown.Start = make([]int, rows+1)
	}
	for k, p := range parts {
		for _, i := range p.missing {
			s.Missing[rowAt[k]+i] = true
		}
		if unknown > 0 {
			p.unknown(s, rowAt[k], p.coder(number))
		}
	}
	return table.SetColumn(Column, labels, s), nil
}

// coder returns the codes of the items of the part.
func (p *part) coder(number *coding) *coding {
	if number != nil {
		return number
	}
	return &coding{table: p.code}
}

// joined returns an array for the codes of all items: that of the items, which may be written over from its beginning
// on. Where a part found no room in it, as separators were counted that are none of its file, it is another.
func (l *lines) joined() []int32 {
	items, own := 0, true
	for _, p := range l.parts {
		items += len(p.items)
		own = own && len(p.items) <= p.room
	}
	if own {
		return l.all
	}
	return mmap.Make[int32](l.space, items)
}

// fill puts the codes of every transaction, ascending and once each, in the place of the items, and where it begins
// into starts; it returns how many there are.
func (p *part) fill(starts []int, code *coding) int {
	from, to := 0, 0
	for i, end := range p.ends {
		starts[i] = to
		own := p.items[to : to+end-from]
		last, ascending := int32(-1), true
		for k, id := range p.items[from:end] {
			var v int32
			if code.table != nil {
				v = code.table[id]
			} else {
				v = code.search(uint32(id))
			}
			own[k] = v
			ascending = ascending && v > last
			last = v
		}
		if !ascending {
			slices.Sort(own)
			own = slices.Compact(own)
		}
		from, to = end, to+len(own)
	}
	return to
}

// unknown adds the items that may be there to the sets, but for those that are there.
func (p *part) unknown(s *table.Sets, first int, code *coding) {
	next := 0
	for i := range p.ends {
		from := len(s.Unknown.Codes)
		for ; next < len(p.maybe) && p.maybe[next].row == i; next++ {
			v := code.of(p.maybe[next].item)
			if _, there := slices.BinarySearch(s.Present.Row(first+i), v); !there {
				s.Unknown.Codes = append(s.Unknown.Codes, v)
			}
		}
		own := s.Unknown.Codes[from:]
		slices.Sort(own)
		s.Unknown.Codes = s.Unknown.Codes[:from+len(slices.Compact(own))]
		s.Unknown.Start[first+i+1] = len(s.Unknown.Codes)
	}
}

// each calls f for the items of a part.
func (p *part) each(f func(id uint32)) {
	for _, id := range p.items {
		f(uint32(id))
	}
	for _, m := range p.maybe {
		f(m.item)
	}
}

// fewNumbers is up to which number of an item a table by number is small.
const fewNumbers = 1 << 22

// distinct returns the items that occur, ascending. What is as long as the file is in a space.
func distinct(parts []*part, in *mmap.Space) (ids []uint32) {
	last, items := uint32(0), 0
	for _, p := range parts {
		last, items = max(last, p.most), items+len(p.items)+len(p.maybe)
	}
	if items == 0 {
		return nil
	}
	if dense(last, items) && (in == nil || last < fewNumbers) {
		seen := make([]atomic.Bool, last+1)
		parallel.Do(len(parts), func(k int) {
			parts[k].each(func(id uint32) {
				if !seen[id].Load() {
					seen[id].Store(true)
				}
			})
		})
		for id := range seen {
			if seen[id].Load() {
				ids = append(ids, uint32(id))
			}
		}
		return ids
	}
	all := mmap.Make[uint32](in, items)[:0]
	for _, p := range parts {
		p.each(func(id uint32) { all = append(all, id) })
	}
	slices.Sort(all)
	ids = slices.Clone(slices.Compact(all))
	mmap.Free(in, all)
	return ids
}

// dense reports whether a table by number is no larger than the items themselves, or small.
func dense(most uint32, items int) bool { return int(most) < items+1<<20 }

// coding is which code an item has.
type coding struct {
	table []int32  // by item, where it is
	ids   []uint32 // else the items, ascending: the code is the position
}

func (c *coding) of(id uint32) int32 {
	if c.table != nil {
		return c.table[id]
	}
	return c.search(id)
}

func (c *coding) search(id uint32) int32 {
	k, _ := slices.BinarySearch(c.ids, id)
	return int32(k)
}

// coder returns the position of an item among those that occur.
func coder(ids []uint32) *coding {
	c := &coding{ids: ids}
	if n := len(ids); n > 0 && dense(ids[n-1], 4*n) {
		c.table = make([]int32, ids[n-1]+1)
		for k, id := range ids {
			c.table[id] = int32(k)
		}
	}
	return c
}

// join numbers the names of all parts in the order of their appearance.
func join(parts []*part) (labels []string) {
	number := map[string]int32{}
	for _, p := range parts {
		p.code = make([]int32, len(p.names))
		for k, name := range p.names {
			code, ok := number[name]
			if !ok {
				code = int32(len(labels))
				number[name] = code
				labels = append(labels, name)
			}
			p.code[k] = code
		}
	}
	return labels
}

// finish makes the table of what was read.
func finish(
	ctx context.Context,
	content []byte,
	as text.Written,
	opt dialect.Options,
	name string,
	c table.Column,
) (*table.Table, *dialect.Info, error) {
	t, err := table.New(c)
	if err != nil {
		return nil, nil, err
	}
	info := &dialect.Info{Format: name}
	if end := bytes.IndexByte(content, '\n'); end > 0 && content[end-1] == '\r' {
		info.CRLF = true
	}
	info.Found(as, opt.Encoding == "")
	return t.In(opt.Space), info, ctx.Err()
}

// open returns the text of a file.
func open(data []byte, opt dialect.Options) ([]byte, text.Written, error) {
	if len(data) == 0 {
		return nil, text.Written{}, errors.New("the file is empty: it holds no transaction")
	}
	if opt.Space != nil {
		if err := text.InPlace(data, opt.Encoding); err != nil {
			return nil, text.Written{}, err
		}
	}
	return text.Open(data, opt.Encoding)
}
