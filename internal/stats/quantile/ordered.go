package quantile

import "math"

// Ordered returns the numbers at the given places, from 0, of the ascending order of those that are not missing (NaN),
// of which there must be more. The values are neither moved nor copied: they are counted by 16 bits at a time, the
// highest first. Cost: four passes over the values and half a megabyte for each place.
func Ordered(values []float64, places ...int) []float64 {
	left, prefix := append([]int(nil), places...), make([]uint64, len(places))
	counts := make([][]int, len(places))
	for shift := 48; shift >= 0; shift -= 16 {
		for k := range counts {
			counts[k] = make([]int, 1<<16)
		}
		for _, v := range values {
			if v != v {
				continue
			}
			word := ordinal(v)
			for k := range counts {
				if shift == 48 || word>>(shift+16) == prefix[k] {
					counts[k][word>>shift&0xffff]++
				}
			}
		}
		for k := range counts {
			digit := 0
			for ; left[k] >= counts[k][digit]; digit++ {
				left[k] -= counts[k][digit]
			}
			prefix[k] = prefix[k]<<16 | uint64(digit)
		}
	}
	out := make([]float64, len(places))
	for k, word := range prefix {
		if word>>63 == 1 {
			out[k] = math.Float64frombits(word &^ (1 << 63))
		} else {
			out[k] = math.Float64frombits(^word)
		}
	}
	return out
}

// ordinal maps a number to an integer of the same order.
func ordinal(v float64) uint64 {
	b := math.Float64bits(v)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}
