package rank

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/sorting"
)

// Order returns the positions of the values in ascending order, equal ones in order of position; known is how many are
// not missing (NaN), whose positions come last. Minus zero equals zero. There may be up to 2^30 values. Cost: O(n),
// about a sixth of slices.Sort for a million numbers; it takes 16 bytes a value besides the result.
//
// Numbers are sorted as whole numbers of the same order, by the upper half of the bits in which they differ and where
// that is equal by the lower half. A half is packed with the position into one word, so that a word is all there is to
// move.
func Order(v []float64) (order []int32, known int) { return orderIn(nil, v) }

// orderIn is Order in a space.
func orderIn(room *mmap.Space, v []float64) (order []int32, known int) {
	lo, hi := uint64(math.MaxUint64), uint64(0)
	for _, x := range v {
		if x == x {
			k := sorting.Key(x)
			lo, hi = min(lo, k), max(hi, k)
			known++
		}
	}
	s := sorter{v, lo, uint64(bits.LeadingZeros64(hi-lo)) & 63}
	order = mmap.Make[int32](room, len(v))
	words, spare := mmap.Make[uint64](room, known), mmap.Make[uint64](room, known)
	r, gap, below := 0, known, uint64(0)
	for i, x := range v {
		if x != x {
			order[gap] = int32(i)
			gap++
			continue
		}
		k := s.key(uint64(i))
		words[r] = k&^math.MaxUint32 | uint64(i)
		below |= k
		r++
	}
	words, spare = radix(words, spare)
	if uint32(below) != 0 {
		s.refine(words, spare)
	}
	for r, w := range words {
		order[r] = int32(uint32(w))
	}
	mmap.Release(room, words, spare)
	return order, known
}

// Words returns the positions of whole numbers in ascending order, equal ones in order of position. There may be up to
// 2^30 of them. Cost: O(n) where they are drawn evenly, as random numbers are; many that differ in the lower half alone
// are compared.
func Words(v []uint64) []int32 {
	words, spare := make([]uint64, len(v)), make([]uint64, len(v))
	for i, k := range v {
		words[i] = k&^math.MaxUint32 | uint64(i)
	}
	words, _ = radix(words, spare)
	order := make([]int32, len(v))
	for r, w := range words {
		order[r] = int32(uint32(w))
	}
	for a := 0; a < len(words); {
		b := a + 1
		for b < len(words) && words[a]>>32 == words[b]>>32 {
			b++
		}
		if b-a > 1 {
			slices.SortStableFunc(order[a:b], func(i, j int32) int { return cmp.Compare(v[i], v[j]) })
		}
		a = b
	}
	return order
}

// sorter knows in which bits the values differ.
type sorter struct {
	v         []float64
	lo, shift uint64
}

// key returns the bits in which value i differs from others, moved to the top.
func (s *sorter) key(i uint64) uint64 { return (sorting.Key(s.v[i]) - s.lo) << s.shift }

// refine sorts every run of words of equal upper halves by the lower half of the keys of their positions.
func (s *sorter) refine(words, spare []uint64) {
	for a := 0; a < len(words); {
		b := a + 1
		for b < len(words) && words[a]>>32 == words[b]>>32 {
			b++
		}
		if b-a > 1 {
			run, sorted := words[a:b], true
			for r, w := range run {
				i := w & math.MaxUint32
				run[r] = s.key(i)<<32 | i
				sorted = sorted && run[max(r-1, 0)] <= run[r]
			}
			if !sorted {
				if result, _ := radix(run, spare[a:b]); &result[0] != &run[0] {
					copy(run, result)
				}
			}
		}
		a = b
	}
}

// few is the number of words up to which comparing them beats counting their digits.
const few = 400

// digits are the shifts of the upper half's digits of 11, 11 and 10 bits.
var digits = [3]int{32, 43, 54}

// radix sorts words, whose lower halves ascend among equal upper halves, and returns them and the spare slice, one in
// the place of the other perhaps.
func radix(words, spare []uint64) (sorted, rest []uint64) {
	if len(words) <= few {
		slices.Sort(words)
		return words, spare
	}
	var count [3][2048]uint32
	for _, w := range words {
		count[0][w>>32&2047]++
		count[1][w>>43&2047]++
		count[2][w>>54]++
	}
	for d, shift := range digits {
		at := &count[d]
		if at[words[0]>>shift&2047] == uint32(len(words)) {
			continue // all have the same digit
		}
		sum := uint32(0)
		for k, n := range at {
			at[k] = sum
			sum += n
		}
		for _, w := range words {
			k := w >> shift & 2047
			spare[at[k]] = w
			at[k]++
		}
		words, spare = spare, words
	}
	return words, spare
}
