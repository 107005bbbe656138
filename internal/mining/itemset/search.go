package itemset

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/dither-data/dither/internal/system/mmap"
)

// search is the work of one goroutine: the tree of sets, depth first. A set is extended by items in one order, so that
// every one is met once.
type search struct {
	kind    Kind
	min     int
	sink    sink
	stop    *atomic.Bool
	space   *mmap.Space // of what may be as long as the transactions
	chosen  []int32     // the items of the set at hand
	free    []int32     // All: those that every transaction with the set has; each may join it or not
	levels  []*level
	masks   []uint64 // of the transactions of a child, before they are laid out
	weights []int32
	places  *[8][256]uint64
	eights  *[8][256]int32
	table   []int32 // of hashed masks: their place in the level and 1
	part    int     // of the hash that is not looked at
	supers  []int32 // of a block
	meets   []uint64
	counts  []int32 // by item of a list
	bits    []uint64
	touched []int32
	kept    []int32
	nodes   []*node // by depth
	wide    *[widest / 8][256]uint64
}

// level holds the transactions with the set at hand as bits, those once that are alike: the low ext bits stand for the
// items that may extend the set, the most frequent first, those above for the ones that extend it elsewhere in the
// tree, which only Closed and Maximal look at.
type level struct {
	masks   []uint64
	weights []int32
	items   [64]int32
	counts  [64]int32
	ext     int
	width   int
	support int
	told    int // transactions are told apart by so many of the lowest bits, or by more
}

func (l *level) reset() {
	l.masks, l.weights = l.masks[:0], l.weights[:0]
	l.ext, l.width, l.told = 0, 0, 64
}

func (s *search) level(d int) *level {
	for len(s.levels) <= d {
		s.levels = append(s.levels, new(level))
	}
	return s.levels[d]
}

// low returns the lowest n bits.
func low(n int) uint64 { return 1<<n - 1 }

// descend looks at all sets that extend the one at hand, whose level is l, at depth d. For Maximal it reports whether
// all that may extend it do so together.
func (s *search) descend(l *level, d int) bool {
	switch {
	case l.ext == 0 || s.stop.Load():
		return true
	case s.kind == Maximal && s.whole(l):
		return true
	case l.ext <= blockBits && 1<<l.ext <= blockLoad*len(l.masks):
		s.block(l)
		return false
	}
	for b := l.ext - 1; b >= 0; b-- {
		s.thin(l, b)
		if s.child(l, d+1, b) {
			break
		}
	}
	return false
}

// Transactions of a level are merged again when so many of its items have been looked at, where there are so many
// transactions.
const (
	thinAfter = 4
	thinLeast = 48
)

// thin merges the transactions of a level that are alike in the bits up to b: the children that are left extend their
// sets by these alone. The more common its items are, the fewer are left. Maximal looks at all bits of all of them.
func (s *search) thin(l *level, b int) {
	if s.kind == Maximal || min(l.ext, l.told)-b <= thinAfter || len(l.masks) < thinLeast {
		return
	}
	l.told = b + 1
	ext := low(l.told)
	masks, weights := l.masks, l.weights
	l.masks, l.weights = masks[:0], weights[:0]
	s.room(len(masks))
	for k, m := range masks {
		if s.kind == All {
			m &= ext
		}
		if m&ext != 0 {
			s.add(l, ext, m, weights[k])
		}
	}
	s.clear(l, ext)
}

// child looks at the set with item b of a level, and all that extend it. For Maximal it reports whether it is frequent
// with all items below b: then these have no maximal sets without b.
func (s *search) child(l *level, d, b int) bool {
	support := int(l.counts[b])
	if b == 0 && s.kind == All {
		s.chosen = append(s.chosen, l.items[0])
		s.sink.found(s.chosen, s.free, support)
		s.chosen = s.chosen[:len(s.chosen)-1]
		return false
	}
	wanted := low(l.width) &^ (1 << b)
	if s.kind == All {
		wanted = low(b)
	}
	shared := s.project(l, b, wanted)
	if shared>>b != 0 {
		return false // these are found where the item that all have was taken
	}
	var counts [64]int32
	s.tally(&counts, wanted)
	chosen, free := len(s.chosen), len(s.free)
	s.chosen = append(s.chosen, l.items[b])
	next := s.level(d)
	next.reset()
	next.support = support
	var bit [64]uint64
	s.layout(l, next, b, &counts, &bit)
	s.fill(next, &bit)
	s.report(next)
	all := s.descend(next, d)
	s.chosen, s.free = s.chosen[:chosen], s.free[:free]
	return all && s.kind == Maximal && next.ext+bits.OnesCount64(shared) == b
}

// project takes the wanted bits of the transactions of a level that have bit b as masks, and returns those that all of
// them have. It does not branch: half of the transactions may have the bit, in no order that a processor could foresee.
func (s *search) project(l *level, b int, wanted uint64) (shared uint64) {
	n, size := 0, len(l.masks)
	masks, weights := roomy(s.space, s.masks, size)[:size], roomy(s.space, s.weights, size)[:size]
	shared = wanted
	for k, m := range l.masks {
		has := m >> b & 1
		masks[n], weights[n] = m&wanted, l.weights[k]
		shared &= m | (has - 1)
		n += int(has)
	}
	s.masks, s.weights = masks[:n], weights[:n]
	return shared
}

// layout chooses the bits of the next level of those of l, and takes the items that all its transactions have into the
// set at hand.
func (s *search) layout(l, next *level, b int, counts *[64]int32, bit *[64]uint64) {
	var ext, done [64]uint8
	e, n := 0, 0
	for k := range l.width {
		c := int(counts[k])
		switch {
		case c < s.min || k == b:
		case c == next.support && s.kind == All:
			s.free = append(s.free, l.items[k])
		case c == next.support:
			s.chosen = append(s.chosen, l.items[k])
		case k < b:
			at := e
			for at > 0 && counts[ext[at-1]] < counts[k] {
				ext[at] = ext[at-1]
				at--
			}
			ext[at] = uint8(k)
			e++
		default:
			done[n] = uint8(k)
			n++
		}
	}
	for k, from := range ext[:e] {
		bit[from] = 1 << k
		next.items[k], next.counts[k] = l.items[from], counts[from]
	}
	for k, from := range done[:n] {
		bit[from] = 1 << (e + k)
		next.items[e+k], next.counts[e+k] = l.items[from], counts[from]
	}
	next.ext, next.width = e, e+n
}

// looked reports whether the transactions of a level are looked at: of one item that may extend the set, All needs the
// count alone.
func (s *search) looked(l *level) bool { return l.ext > 1 || l.ext > 0 && s.kind != All }

// fill lays the transactions of a child out by its bits. They are merged where they stand, so that few have their bits
// moved.
func (s *search) fill(next *level, bit *[64]uint64) {
	if !s.looked(next) {
		return
	}
	keep, ext := uint64(0), uint64(0)
	for k, v := range bit {
		if v != 0 {
			keep |= 1 << k
		}
		if v&low(next.ext) != 0 {
			ext |= 1 << k
		}
	}
	alike := s.alike(ext)
	s.room(len(s.masks))
	for k, m := range s.masks {
		if m&ext != 0 {
			s.add(next, alike, m&keep, s.weights[k])
		}
	}
	s.clear(next, alike)
	if len(next.masks) >= manyMasks {
		s.gather(next.masks, bit)
	} else {
		pick(next.masks, bit)
	}
}

// pick moves the bits of masks to their places, one by one.
func pick(masks []uint64, bit *[64]uint64) {
	for k, m := range masks {
		to := uint64(0)
		for ; m != 0; m &= m - 1 {
			to |= bit[bits.TrailingZeros64(m)&63]
		}
		masks[k] = to
	}
}

// manyMasks is from how many masks on gather beats pick.
const manyMasks = 200

// gather is pick by a table of the places of the bits of every byte.
func (s *search) gather(masks []uint64, bit *[64]uint64) {
	if s.places == nil {
		s.places = new([8][256]uint64)
	}
	p := s.places
	for b := range p {
		for v := 1; v < 256; v++ {
			p[b][v] = p[b][v&(v-1)] | bit[8*b+bits.TrailingZeros8(uint8(v))]
		}
	}
	for k, m := range masks {
		masks[k] = p[0][m&255] | p[1][m>>8&255] | p[2][m>>16&255] | p[3][m>>24&255] | p[4][m>>32&255] | p[5][m>>40&255] |
			p[6][m>>48&255] | p[7][m>>56]
	}
}

// room makes the table ready for so many masks.
func (s *search) room(n int) {
	s.part = 64 - bits.Len(uint(2*n))
	if size := 1 << (64 - s.part); size > len(s.table) {
		mmap.Free(s.space, s.table)
		s.table = mmap.Make[int32](s.space, size)
	}
}

// spot returns where in the table a mask is looked for first.
func (s *search) spot(m uint64) int { return int(m * 0x9e3779b97f4a7c15 >> s.part) }

// after returns the place that is looked at next.
func (s *search) after(at int) int { return (at + 1) & (1<<(64-s.part) - 1) }

// alike returns the bits in which transactions of a level are equal when they are merged, by those that may extend the
// set. A set is closed when no item outside it is in all of its transactions, so of the items that extend it elsewhere
// Closed needs those that merged ones have in common.
func (s *search) alike(ext uint64) uint64 {
	if s.kind == Closed {
		return ext
	}
	return ^uint64(0)
}

// add puts transactions into a level, those together that are alike in some bits.
func (s *search) add(l *level, alike, m uint64, w int32) {
	for at := s.spot(m & alike); ; at = s.after(at) {
		k := s.table[at] - 1
		if k < 0 {
			l.masks, l.weights = push(s.space, l.masks, m), push(s.space, l.weights, w)
			s.table[at] = int32(len(l.masks))
			return
		}
		if (l.masks[k]^m)&alike == 0 {
			l.masks[k] &= m
			l.weights[k] += w
			return
		}
	}
}

// clear empties the table of the masks of a level.
func (s *search) clear(l *level, alike uint64) {
	for k := len(l.masks) - 1; k >= 0; k-- { // the last come first, so that none is hidden behind one that is gone
		at := s.spot(l.masks[k] & alike)
		for s.table[at] != int32(k+1) {
			at = s.after(at)
		}
		s.table[at] = 0
	}
}

// report takes the set at hand.
func (s *search) report(l *level) {
	if s.kind == Maximal && l.width > 0 {
		return
	}
	s.sink.found(s.chosen, s.free, l.support)
}

// whole looks whether all that may extend the set at hand do so together: then no other extension is maximal.
func (s *search) whole(l *level) bool {
	all, support := low(l.ext), 0
	for k, m := range l.masks {
		if m&all == all {
			support += int(l.weights[k])
		}
	}
	if support < s.min {
		return false
	}
	if !s.extended(l, all) {
		n := len(s.chosen)
		s.chosen = append(s.chosen, l.items[:l.ext]...)
		s.sink.found(s.chosen, nil, support)
		s.chosen = s.chosen[:n]
	}
	return true
}

// extended reports whether an item that is not among those that may extend the set at hand is frequent together with it
// and some of these.
func (s *search) extended(l *level, with uint64) bool {
	if l.width == l.ext {
		return false
	}
	var counts [64]int32
	for k, m := range l.masks {
		if m&with != with {
			continue
		}
		for m >>= l.ext; m != 0; m &= m - 1 {
			counts[bits.TrailingZeros64(m)&63] += l.weights[k]
		}
	}
	return slices.ContainsFunc(counts[:l.width-l.ext], func(c int32) bool { return int(c) >= s.min })
}
