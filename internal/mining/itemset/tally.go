package itemset

import "math/bits"

// From how many masks on bits are counted by the values of four, and of eight of them, together.
const (
	byFour  = 24
	byEight = 400
)

// tally counts in how many transactions every wanted bit of the masks at hand is. A counter of every value that some
// neighbouring bits have needs no look at each bit.
func (s *search) tally(counts *[64]int32, wanted uint64) {
	switch {
	case len(s.masks) >= byEight:
		if s.eights == nil {
			s.eights = new([8][256]int32)
		}
		used := s.eights[:(bits.Len64(wanted)+7)/8]
		clear(used)
		for k, m := range s.masks {
			w := s.weights[k]
			for b := range used {
				used[b][m&255] += w
				m >>= 8
			}
		}
		for b := range used {
			fold(used[b][:], counts[8*b:8*b+8])
		}
	case len(s.masks) >= byFour:
		var fours [16][16]int32
		used := fours[:(bits.Len64(wanted)+3)/4]
		for k, m := range s.masks {
			w := s.weights[k]
			for b := range used {
				used[b][m&15] += w
				m >>= 4
			}
		}
		for b := range used {
			fold(used[b][:], counts[4*b:4*b+4])
		}
	default:
		for k, m := range s.masks {
			w := s.weights[k]
			for ; m != 0; m &= m - 1 {
				counts[bits.TrailingZeros64(m)&63] += w
			}
		}
	}
}

// fold counts bits of the counters of their values, which it uses up.
func fold(values, counts []int32) {
	for b := len(counts) - 1; b >= 0; b-- {
		without, with := values[:1<<b], values[1<<b:2<<b]
		n := int32(0)
		for k, w := range with {
			without[k] += w
			n += w
		}
		counts[b] = n
	}
}
