package c45

import (
	"math/bits"
	"slices"
)

// sortByCode sorts keys by their upper 32 bits, which are codes below size; what the lower bits carry goes along. It
// returns either a or b, which have the same length, holding the result.
func sortByCode(a, b []uint64, size int) []uint64 {
	if len(a) < 64 {
		slices.Sort(a)
		return a
	}
	digit := 8
	if len(a) > 1<<12 {
		digit = 11
	}
	width := bits.Len(uint(size - 1))
	passes := max(1, (width+digit-1)/digit)
	digit = (width + passes - 1) / passes
	var start [1 << 11]int32
	for p := range passes {
		shift := 32 + p*digit
		mask := uint64(1)<<digit - 1
		count := start[:1<<digit]
		clear(count)
		for _, k := range a {
			count[k>>shift&mask]++
		}
		offsets(count)
		for _, k := range a {
			d := k >> shift & mask
			b[count[d]] = k
			count[d]++
		}
		a, b = b, a
	}
	return a
}
