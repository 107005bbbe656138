package classes

import (
	"context"
	"math/bits"
)

const (
	parts = 256     // of the keys by their hash: the lookup of a part of a million keys stays in the nearest cache
	block = 1 << 16 // records that one task takes
	alone = 1 << 13 // keys below which one core is as fast as many
)

// number writes into dst the number of every key: equal keys have the same, and numbers go up from 0 by first
// appearance. It returns how many there are. Bound is above every key, or 0 for none.
func number(ctx context.Context, keys []uint64, bound uint64, dst []int32) (int, error) {
	switch {
	case bound > 0 && bound <= 4*uint64(len(keys))+1024:
		return direct(keys, bound, dst), ctx.Err()
	case len(keys) < alone:
		var l lookup
		l.reset(len(keys))
		for i, k := range keys {
			dst[i] = l.get(k)
		}
		return int(l.next), ctx.Err()
	}
	return scattered(ctx, keys, dst)
}

// direct numbers keys below a small bound through an array.
func direct(keys []uint64, bound uint64, dst []int32) int {
	seen := make([]int32, bound) // number + 1
	next := int32(0)
	for i, k := range keys {
		if seen[k] == 0 {
			next++
			seen[k] = next
		}
		dst[i] = seen[k] - 1
	}
	return int(next)
}

// scattered brings together the keys of a part, numbers the parts on all cores, and renumbers by first appearance.
func scattered(ctx context.Context, keys []uint64, dst []int32) (int, error) {
	blocks := (len(keys) + block - 1) / block
	of := func(b int) (lo, hi int) { return b * block, min(len(keys), (b+1)*block) }
	at := make([][parts]int32, blocks)
	err := each(ctx, blocks, func() func(int) {
		return func(b int) {
			lo, hi := of(b)
			for _, k := range keys[lo:hi] {
				at[b][mix(k)>>56]++
			}
		}
	})
	if err != nil {
		return 0, err
	}
	var starts [parts + 1]int32
	sum := int32(0)
	for p := range parts {
		starts[p] = sum
		for b := range at {
			at[b][p], sum = sum, sum+at[b][p]
		}
	}
	starts[parts] = sum
	together, rows := make([]uint64, len(keys)), make([]int32, len(keys))
	err = each(ctx, blocks, func() func(int) {
		return func(b int) {
			lo, hi := of(b)
			for i, k := range keys[lo:hi] {
				to := &at[b][mix(k)>>56]
				together[*to], rows[*to] = k, int32(lo+i)
				*to++
			}
		}
	})
	if err != nil {
		return 0, err
	}
	err = each(ctx, parts, func() func(int) {
		var l lookup
		return func(p int) {
			from, to := starts[p], starts[p+1]
			l.reset(int(to - from))
			for i := from; i < to; i++ {
				dst[rows[i]] = from + l.get(together[i])
			}
		}
	})
	return renumber(dst), err
}

// renumber replaces the numbers, all below the length, by such that go up by first appearance, and returns how many
// there are.
func renumber(numbers []int32) int {
	first := make([]int32, len(numbers)) // new number + 1
	next := int32(0)
	for i, k := range numbers {
		if first[k] == 0 {
			next++
			first[k] = next
		}
		numbers[i] = first[k] - 1
	}
	return int(next)
}

// mix spreads a key over all bits (the finaliser of MurmurHash3).
func mix(k uint64) uint64 {
	k ^= k >> 33
	k *= 0xff51afd7ed558ccd
	k ^= k >> 33
	k *= 0xc4ceb9fe1a85ec53
	return k ^ k>>33
}

// lookup numbers different keys by first appearance in an open-addressing table that compares whole keys.
type lookup struct {
	slots []slot
	mask  uint64
	next  int32
}

type slot struct {
	key    uint64
	number int32 // + 1; 0 is empty
}

// reset empties the lookup for at most n keys.
func (l *lookup) reset(n int) {
	size := 1 << bits.Len(uint(2*n))
	if cap(l.slots) < size {
		l.slots = make([]slot, size)
	}
	l.slots = l.slots[:size]
	clear(l.slots)
	l.mask, l.next = uint64(size-1), 0
}

func (l *lookup) get(key uint64) int32 {
	at := mix(key) & l.mask // the highest bits have chosen the part
	for l.slots[at].number != 0 && l.slots[at].key != key {
		at = (at + 1) & l.mask
	}
	s := &l.slots[at]
	if s.number == 0 {
		l.next++
		*s = slot{key, l.next}
	}
	return s.number - 1
}
