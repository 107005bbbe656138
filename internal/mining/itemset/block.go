package itemset

import "math/bits"

// A block is the last few items: the supports of all their sets at once, by adding up over supersets, cost less than
// looking at them one by one.
const (
	blockBits = 12
	blockLoad = 8 // sets of a block for one transaction, at most
)

// block looks at all sets of the items that may extend the set at hand.
func (s *search) block(l *level) {
	sets := 1 << l.ext
	all := low(l.ext)
	if len(s.supers) < sets {
		s.supers = make([]int32, 1<<blockBits)
		s.meets = make([]uint64, 1<<blockBits)
	}
	supers := s.supers[:sets]
	clear(supers)
	for k, m := range l.masks {
		supers[m&all] += l.weights[k]
	}
	for half := 1; half < sets; half *= 2 {
		for lo := 0; lo < sets; lo += 2 * half {
			without, with := supers[lo:lo+half], supers[lo+half:lo+2*half]
			for k, n := range with[:len(without)] {
				without[k] += n
			}
		}
	}
	switch s.kind {
	case All:
		s.blockAll(l, supers)
	case Closed:
		s.blockClosed(l, supers)
	case Maximal:
		s.blockMaximal(l, supers)
	}
}

func (s *search) blockAll(l *level, supers []int32) {
	if s.sink.out != nil {
		for k, c := range supers {
			if int(c) >= s.min && k > 0 {
				s.sink.found(s.joined(l, uint64(k)), s.free, int(c))
			}
		}
		return
	}
	n, least := 0, int32(s.min)
	for _, c := range supers[1:] {
		if c >= least {
			n++
		}
	}
	s.sink.tally = s.sink.tally.plus(Tally(n).doubled(len(s.free)))
	if !s.sink.best.wants(len(s.chosen)+1, l.support) {
		return
	}
	for k, c := range supers[1:] {
		if c >= least && s.sink.best.wants(len(s.chosen)+1, int(c)) {
			s.sink.offer(s.joined(l, uint64(k+1)), s.free, int(c))
		}
	}
}

// joined returns the set at hand with some items of a level, which are valid until the next.
func (s *search) joined(l *level, set uint64) []int32 {
	out := s.chosen
	for m := set; m != 0; m &= m - 1 {
		out = append(out, l.items[bits.TrailingZeros64(m)&63])
	}
	return out
}

// blockClosed looks for the sets that are all that their transactions have in common.
func (s *search) blockClosed(l *level, supers []int32) {
	all := low(l.ext)
	meets := s.meets[:len(supers)]
	for k := range meets {
		meets[k] = ^uint64(0)
	}
	for _, m := range l.masks {
		meets[m&all] &= m
	}
	for half := 1; half < len(meets); half *= 2 {
		for lo := 0; lo < len(meets); lo += 2 * half {
			without, with := meets[lo:lo+half], meets[lo+half:lo+2*half]
			for k, m := range with[:len(without)] {
				without[k] &= m
			}
		}
	}
	for k, c := range supers {
		if int(c) >= s.min && meets[k] == uint64(k) && k > 0 {
			s.sink.found(s.joined(l, uint64(k)), s.free, int(c))
		}
	}
}

// blockMaximal looks for the sets that no item can join.
func (s *search) blockMaximal(l *level, supers []int32) {
	least := int32(s.min)
next:
	for k, c := range supers {
		if c < least || k == 0 {
			continue
		}
		for b := range l.ext {
			if k>>b&1 == 0 && supers[k|1<<b] >= least {
				continue next
			}
		}
		if !s.extended(l, uint64(k)) {
			s.sink.found(s.joined(l, uint64(k)), s.free, int(c))
		}
	}
}
