package anatomy

import (
	"container/heap"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// group returns the group of every record, from 0, and their number: the algorithm Anatomize of Xiao & Tao 2006, figure
// 3. A record whose value is missing is in none, -1. The counts of the values are eligible for l, and rows stand in the
// order of their identities. Cost: O(n log v), and sorting the records of each value.
func group(t *table.Table, column, l int, src rng.Source) ([]int32, int) {
	b := newBuckets(t, column, src.Fork("order"))
	of := make([]int32, t.Rows())
	for i := range of {
		of[i] = -1
	}
	groups := int32(0)
	taken := make([]int32, l)
	for len(b.largest) >= l {
		for k := range taken {
			taken[k] = heap.Pop(b).(int32)
			of[b.next(taken[k])] = groups
		}
		for _, v := range taken {
			if b.left(v) > 0 {
				heap.Push(b, v)
			}
		}
		groups++
	}
	b.residues(of, groups, src.Fork("residues"))
	return of, int(groups)
}

// buckets holds the records of every sensitive value that are in no group yet, in random order, and the values that
// have some as a heap, the one with most first and of equal ones the first label.
type buckets struct {
	codes   []int32
	rows    [][]int // by value
	used    []int   // by value: as many of its rows are in groups
	largest []int32 // values, a heap
}

func newBuckets(t *table.Table, column int, src rng.Source) *buckets {
	codes := t.Cat(column)
	counts := tally(codes, len(t.Attr(column).Labels))
	b := &buckets{codes: codes, rows: make([][]int, len(counts)), used: make([]int, len(counts))}
	for v, n := range counts {
		b.rows[v] = make([]int, 0, n)
		if n > 0 {
			b.largest = append(b.largest, int32(v))
		}
	}
	ids, first := t.IDs()
	for _, i := range rng.Order(src.Stream(), t.Rows(), t.Rows(), ids, first) {
		if v := codes[i]; v >= 0 {
			b.rows[v] = append(b.rows[v], i)
		}
	}
	heap.Init(b)
	return b
}

// left returns how many records of a value are in no group.
func (b *buckets) left(v int32) int { return len(b.rows[v]) - b.used[v] }

// next takes a record of a value.
func (b *buckets) next(v int32) int {
	b.used[v]++
	return b.rows[v][b.used[v]-1]
}

// residues puts every record that is left into a random group of those that lack its value: one of each of fewer than l
// values (property 1 of the paper). Cost: O(groups + records of the value) for each.
func (b *buckets) residues(of []int32, groups int32, src rng.Source) {
	draws := src.Stream().Words()
	for v := range b.rows {
		for b.left(int32(v)) > 0 {
			has := make([]bool, groups)
			for _, i := range b.rows[v][:b.used[v]] {
				has[of[i]] = true
			}
			var lack []int32
			for g, in := range has {
				if !in {
					lack = append(lack, int32(g))
				}
			}
			of[b.next(int32(v))] = lack[rng.Below(draws.Next(), len(lack))]
		}
	}
}

// Len, Less, Swap, Push and Pop make largest a heap.
func (b *buckets) Len() int { return len(b.largest) }

func (b *buckets) Less(i, k int) bool {
	v, w := b.largest[i], b.largest[k]
	if n, m := b.left(v), b.left(w); n != m {
		return n > m
	}
	return v < w
}

func (b *buckets) Swap(i, k int) { b.largest[i], b.largest[k] = b.largest[k], b.largest[i] }

func (b *buckets) Push(v any) { b.largest = append(b.largest, v.(int32)) }

func (b *buckets) Pop() any {
	last := len(b.largest) - 1
	v := b.largest[last]
	b.largest = b.largest[:last]
	return v
}
