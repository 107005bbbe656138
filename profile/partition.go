package profile

import (
	"context"
	"math"
	"math/bits"

	"github.com/dither-data/dither/table"
)

// coded is a quasi-identifier as codes 0..distinct-1, by first appearance; a missing value has a code like any other value.
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
	err := each(ctx, len(at), func() func(k int) {
		var index lookup
		return func(k int) { cols[k] = encode(t.Column(at[k]), t.Rows(), &index) }
	})
	return cols, err
}

func encode(c table.Column, rows int, index *lookup) coded {
	out := coded{name: c.Name, codes: make([]int32, rows), missing: -1}
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
			k := index.get(key(v))
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
func missing(rows int, cols []coded) []bool {
	out := make([]bool, rows)
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
func whole(n int) partition {
	if n < 2 {
		return partition{uniques: n, classes: n}
	}
	p := partition{rows: make([]int32, n), class: make([]int32, n), sizes: []int32{int32(n)}, classes: 1}
	for i := range p.rows {
		p.rows[i] = int32(i)
	}
	return p
}

// refiner holds the memory that one worker reuses.
type refiner struct {
	index lookup
	cell  []int32
	sizes []int32
}

// refine splits every class by the codes of a column. Unless keep is set only the counts of the result are filled.
func (r *refiner) refine(p partition, c coded, keep bool) partition {
	r.index.reset(len(p.rows), len(p.sizes)*c.distinct)
	if cap(r.cell) < len(p.rows) {
		r.cell = make([]int32, len(p.rows))
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
	out.rows, out.class = make([]int32, 0, left), make([]int32, 0, left)
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
// an open-addressing table that compares whole keys.
type lookup struct {
	keys  []uint64
	vals  []int32 // number + 1; 0 is empty
	shift uint
	next  int32
	dense bool
}

// reset empties the lookup for at most n keys; bound, if positive, is above every key.
func (l *lookup) reset(n, bound int) {
	l.next = 0
	size := bound
	if l.dense = 0 < bound && bound <= 4*n+1024; !l.dense {
		log := bits.Len(uint(2*n + 1))
		size, l.shift = 1<<log, uint(64-log)
		if len(l.keys) < size {
			l.keys = make([]uint64, size)
		}
	}
	if cap(l.vals) < size {
		l.vals = make([]int32, size)
	}
	l.vals = l.vals[:size]
	clear(l.vals)
}

func (l *lookup) get(key uint64) int32 {
	at := key
	if !l.dense {
		at = key * 0x9e3779b97f4a7c15 >> l.shift // 2^64 over the golden ratio spreads consecutive keys
		for mask := uint64(len(l.vals) - 1); l.vals[at] != 0 && l.keys[at] != key; {
			at = (at + 1) & mask
		}
	}
	if l.vals[at] == 0 {
		l.next++
		l.vals[at] = l.next
		if !l.dense {
			l.keys[at] = key
		}
	}
	return l.vals[at] - 1
}
