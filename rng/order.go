package rng

import "slices"

// Order returns the places of the first k of n records in a random order, each of the n! alike; all where there are no
// more than k. The order is that of the first words of their blocks in the stream, which must serve nothing else.
// Record i is ids[i] or, where ids is nil, first+i. So which of two records comes first depends on the stream and their
// identities alone, whatever other records there are and wherever they stand; of one identity the first comes first.
// Who is among the first k of a table is among the first k of any part of it. Cost: O(n), some 10 ns a record and 50 ns
// for each of the first k; 40 bytes for each of these, and for one in 4,096 of the others.
func Order[ID ~uint64](s Stream, k, n int, ids []ID, first ID) []int {
	k = min(k, n)
	slots := min(n, 1<<12)
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
	some = inOrder(some, n, ids)
	out := make([]int, k)
	for i := range out {
		out[i] = some[i].place
	}
	return out
}

// Sample returns the places that Order has first, ascending: a sample without replacement. Cost: that of Order; none
// where it is everybody.
func Sample[ID ~uint64](s Stream, k, n int, ids []ID, first ID) []int {
	if k < n {
		out := Order(s, k, n, ids, first)
		slices.Sort(out)
		return out
	}
	out := make([]int, n)
	for i := range out {
		out[i] = i
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

// inOrder returns records by their words, of which there are about as many below 1/n of all words as below any other.
// Equal ones, of chance 2^-64, go by identity, and equal ones of these by place. Each is dealt to one of n slots by its
// word and then moves past the few before it that are larger. Cost: O(n).
func inOrder[ID ~uint64](all []numbered, n int, ids []ID) []numbered {
	end := []int{0} // of every slot, and before them their start
	for _, v := range all {
		slot := Below(v.word, n)
		if slot+2 > len(end) {
			end = append(end, make([]int, slot+2-len(end))...)
		}
		end[slot+1]++
	}
	for k := range len(end) - 1 {
		end[k+1] += end[k]
	}
	out := make([]numbered, len(all))
	for _, v := range all {
		slot := Below(v.word, n)
		k := end[slot]
		end[slot]++
		for ; k > 0 && before(v, out[k-1], ids); k-- {
			out[k] = out[k-1]
		}
		out[k] = v
	}
	return out
}

func before[ID ~uint64](a, b numbered, ids []ID) bool {
	if a.word != b.word || ids == nil {
		return a.word < b.word
	}
	return ids[a.place] < ids[b.place]
}
