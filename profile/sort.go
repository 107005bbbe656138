package profile

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/sorting"
)

// free gives the memory for sorting back.
func (s *scratch) free() {
	mmap.Free(s.space, s.keys)
	mmap.Free(s.space, s.spare)
	s.keys, s.spare = nil, nil
}

// sorted returns the keys of the values that are not missing, in ascending order. The slice is the scratch's own. Long
// columns go through a radix sort that skips the bytes in which all keys agree: small whole numbers, whose keys end in
// zeros, take three or four passes instead of eight.
func (s *scratch) sorted(values []float64) []uint64 {
	if cap(s.keys) < len(values) {
		s.free()
		s.keys, s.spare = mmap.Make[uint64](s.space, len(values)), mmap.Make[uint64](s.space, len(values))
	}
	keys := s.keys[:0]
	for _, v := range values {
		if !math.IsNaN(v) {
			keys = append(keys, sorting.Key(v))
		}
	}
	if len(keys) < 2048 {
		slices.Sort(keys)
		return keys
	}
	var counts [8][256]uint32
	for _, k := range keys {
		for b := range 8 {
			counts[b][byte(k>>(8*b))]++
		}
	}
	from, to := keys, s.spare[:len(keys)]
	for b := range 8 {
		c := &counts[b]
		if int(c[byte(from[0]>>(8*b))]) == len(from) {
			continue
		}
		sum := uint32(0)
		for d, n := range c {
			c[d] = sum
			sum += n
		}
		for _, k := range from {
			d := byte(k >> (8 * b))
			to[c[d]] = k
			c[d]++
		}
		from, to = to, from
	}
	return from
}
