package profile

import (
	"cmp"
	"hash/maphash"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// sets counts different sets and returns how often the most frequent one occurs.
func (o *Column) sets(c table.Column) (top int) {
	seed := maphash.MakeSeed()
	return o.alike(c, func(key []byte) uint64 { return maphash.Bytes(seed, key) })
}

// hashed is the set of a record.
type hashed struct {
	hash uint64
	row  int
}

// alike is sets by a hash. Sets with the same one are compared, so what is counted does not depend on it. A map of the
// sets would hold all of them a second time.
func (o *Column) alike(c table.Column, hash func(key []byte) uint64) (top int) {
	parts := divided(c, hash)
	found := make([]Column, len(parts))
	tops := make([]int, len(parts))
	parallel.Do(len(parts), func(k int) { tops[k] = found[k].count(c, parts[k]) })
	known := 0
	for k, f := range found {
		o.Distinct, o.Alone, known = o.Distinct+f.Distinct, o.Alone+f.Alone, known+len(parts[k])
	}
	o.Missing = c.Len() - known
	return slices.Max(tops)
}

// divided divides the sets that are not missing by the first byte of their hashes.
func divided(c table.Column, hash func(key []byte) uint64) [][]hashed {
	const grain = 1 << 14
	hashes := make([]uint64, c.Len())
	parallel.Do((len(hashes)+grain-1)/grain, func(k int) {
		var key []byte
		for i := k * grain; i < min(len(hashes), (k+1)*grain); i++ {
			key = c.AppendKey(key[:0], i)
			hashes[i] = hash(key)
		}
	})
	var sizes [256]int
	for _, h := range hashes {
		sizes[h>>56]++
	}
	all, parts := make([]hashed, len(hashes)), make([][]hashed, len(sizes))
	for b, n := range sizes {
		parts[b], all = all[:0:n], all[n:]
	}
	for i, h := range hashes {
		if !c.MissingAt(i) {
			parts[h>>56] = append(parts[h>>56], hashed{h, i})
		}
	}
	return parts
}

// count counts different sets of a part.
func (o *Column) count(c table.Column, all []hashed) (top int) {
	slices.SortFunc(all, func(a, b hashed) int { return cmp.Compare(a.hash, b.hash) })
	for len(all) > 0 {
		others, at, n := 0, 1, 1 // of the sets with the hash of the first, those that differ from it move to the front
		first := all[0]
		for ; at < len(all) && all[at].hash == first.hash; at++ {
			if c.Same(first.row, &c, all[at].row) {
				n++
			} else {
				all[others] = all[at]
				others++
			}
		}
		copy(all[at-others:at], all[:others])
		all = all[at-others:]
		o.Distinct++
		if n == 1 {
			o.Alone++
		}
		top = max(top, n)
	}
	return top
}
