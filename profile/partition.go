package profile

import (
	"context"
	"math"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/table"
)

// coded is a quasi-identifier as codes 0..distinct-1, by first appearance; a missing value has a code like any other
// value.
type coded struct {
	name     string
	codes    []int32
	distinct int
	uniques  int
	missing  int32 // code of the missing value, or -1
}

// quasi returns the quasi-identifiers in column order.
func quasi(ctx context.Context, t *table.Table) ([]coded, error) {
	var at []int
	for j := range t.Width() {
		if t.Attr(j).Role&table.Quasi != 0 {
			at = append(at, j)
		}
	}
	cols := make([]coded, len(at))
	err := each(ctx, len(at), func() (func(k int), func()) {
		index := lookup{room: t.Space()}
		return func(k int) { cols[k] = encode(t.Column(at[k]), t.Rows(), &index) }, index.free
	})
	return cols, err
}

// encode codes a column in the index's space.
func encode(c table.Column, rows int, index *lookup) coded {
	out := coded{name: c.Name, codes: mmap.Make[int32](index.room, rows), missing: -1}
	counts := make([]int32, 0, 64)
	add := func(i int, k int32) {
		if int(k) == len(counts) {
			counts = append(counts, 0)
		}
		counts[k]++
		out.codes[i] = k
	}
	switch c.Kind {
	case table.Numeric:
		index.reset(rows, 0)
		for i, v := range c.Num {
			if math.IsNaN(v) {
				v = math.NaN() // one code, whatever the payload
			}
			k := index.get(sorting.Key(v))
			add(i, k)
			if math.IsNaN(v) {
				out.missing = k
			}
		}
	case table.Categorical:
		index.reset(rows, len(c.Labels)+1)
		for i, v := range c.Cat {
			k := index.get(uint64(v + 1))
			add(i, k)
			if v < 0 {
				out.missing = k
			}
		}
	case table.SetValued:
		seen := map[string]int32{}
		var bytes []byte
		for i := range rows {
			bytes = c.AppendKey(bytes[:0], i)
			k, ok := seen[string(bytes)]
			if !ok {
				k = int32(len(seen))
				seen[string(bytes)] = k
			}
			add(i, k)
			if c.MissingAt(i) {
				out.missing = k
			}
		}
	}
	out.distinct = len(counts)
	for _, n := range counts {
		if n == 1 {
			out.uniques++
		}
	}
	return out
}

// missing marks the records that miss a value in any column.
func missing(room *mmap.Space, rows int, cols []coded) []bool {
	out := mmap.Make[bool](room, rows)
	for _, c := range cols {
		if c.missing < 0 {
			continue
		}
		for i, v := range c.codes {
			if v == c.missing {
				out[i] = true
			}
		}
	}
	return out
}

// partition groups records into equivalence classes. Only records that share their class with another are listed: those
// alone stay alone whatever is compared next.
type partition struct {
	rows    []int32 // records with company, ascending
	class   []int32 // class of each, parallel to rows
	sizes   []int32 // records per class, all above 1
	uniques int     // classes of one
	classes int     // all classes
}

// whole returns the partition that tells no records apart.
func whole(room *mmap.Space, n int) partition {
	if n < 2 {
		return partition{uniques: n, classes: n}
	}
	p := partition{rows: mmap.Make[int32](room, n), class: mmap.Make[int32](room, n), sizes: []int32{int32(n)}, classes: 1}
	for i := range p.rows {
		p.rows[i] = int32(i)
	}
	return p
}

// free gives the memory of a partition that is not needed any more back.
func (p *partition) free(room *mmap.Space) {
	mmap.Free(room, p.rows)
	mmap.Free(room, p.class)
}

// refiner holds the memory that one worker reuses.
type refiner struct {
	index lookup // in whose space everything is
	cell  []int32
	sizes []int32
}

func newRefiner(room *mmap.Space) *refiner { return &refiner{index: lookup{room: room}} }

// free gives the memory back.
func (r *refiner) free() {
	mmap.Free(r.index.room, r.cell)
	r.cell = nil
	r.index.free()
}

// step is refine for a partition that is not needed any more.
func (r *refiner) step(p partition, c coded) partition {
	out := r.refine(p, c, true)
	p.free(r.index.room)
	return out
}

// refine splits every class by the codes of a column. Unless keep is set only the counts of the result are filled.
func (r *refiner) refine(p partition, c coded, keep bool) partition {
	r.index.reset(len(p.rows), len(p.sizes)*c.distinct)
	room := r.index.room
	if cap(r.cell) < len(p.rows) {
		mmap.Free(room, r.cell)
		r.cell = mmap.Make[int32](room, len(p.rows))
	}
	cell, sizes := r.cell[:len(p.rows)], r.sizes[:0]
	for i, row := range p.rows {
		k := r.index.get(uint64(p.class[i])*uint64(c.distinct) + uint64(c.codes[row]))
		if int(k) == len(sizes) {
			sizes = append(sizes, 0)
		}
		sizes[k]++
		cell[i] = k
	}
	r.sizes = sizes
	out := partition{uniques: p.uniques, classes: p.uniques + len(sizes)}
	left := 0
	for _, n := range sizes {
		if n == 1 {
			out.uniques++
		} else {
			left += int(n)
		}
	}
	if !keep {
		return out
	}
	out.rows, out.class = mmap.Make[int32](room, left)[:0], mmap.Make[int32](room, left)[:0]
	renumber := make([]int32, len(sizes))
	for k, n := range sizes {
		if n > 1 {
			renumber[k] = int32(len(out.sizes))
			out.sizes = append(out.sizes, n)
		}
	}
	for i, row := range p.rows {
		if k := cell[i]; sizes[k] > 1 {
			out.rows, out.class = append(out.rows, row), append(out.class, renumber[k])
		}
	}
	return out
}

// lookup numbers different keys 0, 1, ... by first appearance: through an array where the keys are few, else through
// an open-addressing table that compares whole keys and grows with them.
type lookup struct {
	room  *mmap.Space
	keys  []uint64
	vals  []int32 // number + 1; 0 is empty
	shift uint
	next  int32
	dense bool
}

const (
	inArray = 1 << 26 // keys that an array may have room for
	fewest  = 12      // log of the places of a table at first
)

// reset empties the lookup for at most n keys; bound, if positive, is above every key.
func (l *lookup) reset(n, bound int) {
	l.next = 0
	if l.dense = 0 < bound && bound <= min(4*n+1024, inArray); l.dense {
		l.make(bound)
		return
	}
	l.table(fewest)
}

// table empties the table, which gets 2^log places.
func (l *lookup) table(log uint) {
	l.shift = 64 - log
	l.make(1 << log)
	if len(l.keys) < len(l.vals) {
		mmap.Free(l.room, l.keys)
		l.keys = mmap.Make[uint64](l.room, len(l.vals))
	}
}

// make empties so many places.
func (l *lookup) make(size int) {
	if cap(l.vals) < size {
		mmap.Free(l.room, l.vals)
		l.vals = mmap.Make[int32](l.room, size)
		return
	}
	l.vals = l.vals[:size]
	clear(l.vals)
}

// free gives the memory back.
func (l *lookup) free() {
	mmap.Free(l.room, l.vals)
	mmap.Free(l.room, l.keys)
	l.vals, l.keys = nil, nil
}

func (l *lookup) get(key uint64) int32 {
	if l.dense {
		if l.vals[key] == 0 {
			l.next++
			l.vals[key] = l.next
		}
		return l.vals[key] - 1
	}
	at := l.place(key)
	if l.vals[at] == 0 {
		if 2*int(l.next) >= len(l.vals) {
			l.grow()
			at = l.place(key)
		}
		l.next++
		l.vals[at], l.keys[at] = l.next, key
	}
	return l.vals[at] - 1
}

// place returns where a key stands, or would.
func (l *lookup) place(key uint64) uint64 {
	at := key * 0x9e3779b97f4a7c15 >> l.shift // 2^64 over the golden ratio spreads consecutive keys
	for mask := uint64(len(l.vals) - 1); l.vals[at] != 0 && l.keys[at] != key; {
		at = (at + 1) & mask
	}
	return at
}

// grow doubles the table.
func (l *lookup) grow() {
	was := *l
	l.keys, l.vals = nil, nil
	l.table(64 - was.shift + 1)
	for i, v := range was.vals {
		if v != 0 {
			at := l.place(was.keys[i])
			l.vals[at], l.keys[at] = v, was.keys[i]
		}
	}
	was.free()
}
