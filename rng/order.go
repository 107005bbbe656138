package rng

import (
	"cmp"
	"slices"
)

// Order returns the places of the first k of n records in a random order, each of the n! alike; all where there are no
// more than k. The order is that of the first words of their blocks in the stream, which must serve nothing else.
// Record i is ids[i] or, where ids is nil, first+i. So which of two records comes first depends on the stream and their
// identities alone, whatever other records there are and wherever they stand; of one identity the first comes first.
// Who is among the first k of a table is among the first k of any part of it. Cost: O(n + k log k), some 10 ns a record
// and 0.1 µs for each of the first k; 24 bytes for each of these, and half a megabyte.
func Order[ID ~uint64](s Stream, k, n int, ids []ID, first ID) []int {
	k = min(k, n)
	slots := min(n, 1<<16)
	last := slots // up to which the first k are
	if k < n {
		count := make([]int, slots)
		FirstWords(s, n, ids, first, func(_ int, w uint64) { count[Below(w, slots)]++ })
		last = 0
		for have := 0; have < k; last++ {
			have += count[last]
		}
	}
	some := make([]numbered, 0, k)
	FirstWords(s, n, ids, first, func(i int, w uint64) {
		if k == n || Below(w, slots) < last {
			some = append(some, numbered{w, i})
		}
	})
	sortWords(some, ids)
	out := make([]int, k)
	for i := range out {
		out[i] = some[i].place
	}
	return out
}

// FirstWords calls f with the first word of the block of each of n records, which are numbered as in Blocks. Cost: that
// of Blocks.
func FirstWords[ID ~uint64](s Stream, n int, ids []ID, first ID, f func(i int, w uint64)) {
	blocks := make([]Block, min(n, 1<<12))
	for lo := 0; lo < n; lo += len(blocks) {
		some, of := blocks[:min(len(blocks), n-lo)], ids
		if ids != nil {
			of = ids[lo:]
		}
		Blocks(s, some, of, first+ID(lo))
		for i, b := range some {
			f(lo+i, b.A)
		}
	}
}

// numbered is the word of the record at a place.
type numbered struct {
	word  uint64
	place int
}

// sortWords sorts records by their words. Equal ones, of chance 2^-64, go by identity, and equal ones of these by place.
func sortWords[ID ~uint64](of []numbered, ids []ID) {
	slices.SortFunc(of, func(a, b numbered) int {
		if a.word != b.word {
			return cmp.Compare(a.word, b.word)
		}
		if ids != nil && ids[a.place] != ids[b.place] {
			return cmp.Compare(ids[a.place], ids[b.place])
		}
		return a.place - b.place
	})
}
