package nearest

import (
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/table"
)

// blocks are groups of records that agree in some attributes: only records of one block are compared.
type blocks struct {
	n                int     // blocks
	target, released []int32 // block of every record; -1 when it lacks one of the attributes
}

// oneBlock returns a single block.
func oneBlock(targets, released int) blocks {
	return blocks{1, make([]int32, targets), make([]int32, released)}
}

// newBlocks returns the blocks of the targets, rows of the original, and of the released records by known attributes.
func newBlocks(original, released *table.Table, rows []int, known []intruder.Known) blocks {
	b := oneBlock(len(rows), released.Rows())
	for _, k := range known {
		b.refine(values(original, k), values(released, k), rows)
	}
	return b
}

// refine splits the blocks by one more attribute.
func (b *blocks) refine(original, released []float64, rows []int) {
	type key struct {
		block int32
		value float64
	}
	id := map[key]int32{}
	split := func(block *int32, v float64) {
		if *block < 0 || v != v {
			*block = -1
			return
		}
		k := key{*block, v}
		next, ok := id[k]
		if !ok {
			next = int32(len(id))
			id[k] = next
		}
		*block = next
	}
	for i, row := range rows {
		split(&b.target[i], original[row])
	}
	for j, v := range released {
		split(&b.released[j], v)
	}
	b.n = len(id)
}

// values returns the values of a column, the group of a category in place of its code; NaN is missing.
func values(t *table.Table, k intruder.Known) []float64 {
	c := t.Column(k.Column)
	out := c.Numbers()
	if k.Groups != nil { // of categories
		for i, code := range c.Cat {
			if code >= 0 {
				out[i] = float64(k.Groups[code])
			}
		}
	}
	return out
}

// pairs returns the number of pairs of targets and released records in the same block.
func (b *blocks) pairs() float64 {
	targets, released := b.sizes(b.target), b.sizes(b.released)
	sum := 0.0
	for k, n := range targets {
		sum += float64(float64(n) * float64(released[k]))
	}
	return sum
}

// apart returns how many targets have their own record, the released one of their row, in another block or in none.
func (b *blocks) apart(rows []int) int {
	n := 0
	for i, row := range rows {
		if k := b.target[i]; k < 0 || b.released[row] != k {
			n++
		}
	}
	return n
}

func (b *blocks) sizes(of []int32) []int {
	n := make([]int, b.n)
	for _, k := range of {
		if k >= 0 {
			n[k]++
		}
	}
	return n
}

// sort returns the released records block by block, inside of one in the given order, and where each block starts.
func (b *blocks) sort(order []int) (records, start []int) {
	start = make([]int, b.n+1)
	for k, n := range b.sizes(b.released) {
		start[k+1] = start[k] + n
	}
	records = make([]int, start[b.n])
	next := append([]int(nil), start...)
	for _, j := range order {
		if k := b.released[j]; k >= 0 {
			records[next[k]] = j
			next[k]++
		}
	}
	return records, start
}
