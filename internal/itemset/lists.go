package itemset

import (
	"cmp"
	"math/bits"
	"slices"
)

// lists are the transactions with the set at hand while more items than a word has bits are frequent in them: codes 0 to ext-1 may extend the set, the most
// frequent first, the others extend it elsewhere in the tree.
type lists struct {
	start   []int32 // transaction t has codes[start[t]:start[t+1]], ascending
	codes   []int32
	items   []int32 // by code
	in      []int32 // the transactions of code c are in[from[c]:from[c+1]]
	from    []int32
	ext     int
	support int
}

func (l *lists) row(t int32) []int32 { return l.codes[l.start[t]:l.start[t+1]] }

// invert notes in which transactions a code is.
func (l *lists) invert() {
	l.from = make([]int32, len(l.items)+1)
	for _, c := range l.codes {
		l.from[c+1]++
	}
	for c := range l.items {
		l.from[c+1] += l.from[c]
	}
	next := slices.Clone(l.from)
	l.in = make([]int32, len(l.codes))
	for t := range int32(len(l.start) - 1) {
		for _, c := range l.row(t) {
			l.in[next[c]] = t
			next[c]++
		}
	}
}

// extend looks at the set at hand with item c, and all that extend it.
func (s *search) extend(l *lists, c int32, d int) {
	rows := l.in[l.from[c]:l.from[c+1]]
	all := s.kind == All
	if len(s.counts) < len(l.items) {
		s.counts = make([]int32, len(l.items))
	}
	touched := s.touched[:0]
	for _, t := range rows {
		for _, o := range l.row(t) {
			if all && o >= c {
				break
			}
			if s.counts[o] == 0 {
				touched = append(touched, o)
			}
			s.counts[o]++
		}
	}
	s.touched = touched
	chosen, free := len(s.chosen), len(s.free)
	s.chosen = append(s.chosen, l.items[c])
	if ext, kept, ok := s.choose(l, c, len(rows)); ok {
		s.lay(l, kept, ext, rows, d)
	}
	s.chosen, s.free = s.chosen[:chosen], s.free[:free]
}

// choose returns the codes that go on into the transactions of c, those that may extend the set before the others, and takes those into the set that all
// its transactions have. It forgets the counts of the others. It returns false when the sets with c are found elsewhere in the tree.
func (s *search) choose(l *lists, c int32, support int) (ext int, kept []int32, ok bool) {
	ok = true
	kept = make([]int32, 0, 64)
	for _, o := range s.touched {
		n := int(s.counts[o])
		switch {
		case n < s.min || o == c:
		case n == support && o > c:
			ok = false
		case n == support && s.kind == All:
			s.free = append(s.free, l.items[o])
		case n == support:
			s.chosen = append(s.chosen, l.items[o])
		default:
			kept = append(kept, o)
			continue
		}
		s.counts[o] = 0
	}
	if !ok {
		for _, o := range kept {
			s.counts[o] = 0
		}
		return 0, nil, false
	}
	slices.SortFunc(kept, func(a, b int32) int {
		if (a < c) != (b < c) {
			return cmp.Compare(a, b)
		}
		return cmp.Or(cmp.Compare(s.counts[b], s.counts[a]), cmp.Compare(a, b))
	})
	ext, _ = slices.BinarySearchFunc(kept, c, func(o, c int32) int {
		if o < c {
			return -1
		}
		return 1
	})
	return ext, kept, true
}

// lay lays the transactions of code c out for its own extensions, as bits where these suffice.
func (s *search) lay(l *lists, kept []int32, ext int, rows []int32, d int) {
	if len(kept) > 64 {
		s.sublists(l, kept, ext, rows, d)
		return
	}
	next := s.level(d)
	next.reset()
	next.ext, next.width, next.support = ext, len(kept), len(rows)
	for k, o := range kept {
		next.items[k], next.counts[k] = l.items[o], s.counts[o]
		s.counts[o] = -int32(k) - 1 // from here on its bit
	}
	s.report(next)
	if ext > 0 {
		s.room(len(rows))
		alike := s.alike(next)
		last := slices.Max(kept)
		for _, t := range rows {
			m := uint64(0)
			for _, o := range l.row(t) {
				if o > last {
					break
				}
				if at := s.counts[o]; at < 0 {
					m |= 1 << uint(-at-1)
				}
			}
			if m&low(ext) != 0 {
				s.add(next, alike, m, 1)
			}
		}
		s.clear(next, alike)
	}
	for _, o := range kept {
		s.counts[o] = 0
	}
	s.descend(next, d)
}

// sublists is lay for more items than a word has bits.
func (s *search) sublists(l *lists, kept []int32, ext int, rows []int32, d int) {
	next := &lists{start: make([]int32, 1, len(rows)+1), items: make([]int32, len(kept)), ext: ext, support: len(rows)}
	for k, o := range kept {
		next.items[k] = l.items[o]
		s.counts[o] = -int32(k) - 1
	}
	for _, t := range rows {
		for _, o := range l.row(t) {
			if at := s.counts[o]; at < 0 {
				next.codes = append(next.codes, -at-1)
			}
		}
		slices.Sort(next.codes[next.start[len(next.start)-1]:])
		next.start = append(next.start, int32(len(next.codes)))
	}
	for _, o := range kept {
		s.counts[o] = 0
	}
	if s.kind != Maximal {
		s.sink.found(s.chosen, s.free, len(rows))
	}
	next.invert()
	for c := int32(ext) - 1; c >= 0 && !s.stop.Load(); c-- {
		s.extend(next, c, d)
	}
}

// ranked returns the transactions in codes of the frequent items, the most frequent first.
func ranked(t *Transactions, min int) *lists {
	counts := t.counts()
	l := &lists{support: t.Len()}
	total := 0
	for c, n := range counts {
		if n >= min {
			l.items = append(l.items, int32(c))
			total += n
		}
	}
	slices.SortFunc(l.items, func(a, b int32) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	code := make([]int32, t.Labels)
	for k, c := range l.items {
		code[c] = int32(k) + 1
	}
	l.ext = len(l.items)
	l.start, l.codes = make([]int32, 1, t.Len()+1), make([]int32, 0, total)
	for i := range t.Len() {
		for _, c := range t.Row(i) {
			if k := code[c]; k > 0 {
				l.codes = append(l.codes, k-1)
			}
		}
		own := l.codes[l.start[i]:]
		slices.Sort(own)
		l.start = append(l.start, int32(len(l.codes)))
	}
	return l
}

// word returns the transactions as a level, when the items fit into a word.
func (s *search) word(l *lists) *level {
	next := s.level(0)
	next.reset()
	next.support = l.support
	first := &level{width: len(l.items)}
	var counts [64]int32
	copy(first.items[:], l.items)
	s.masks, s.weights = s.masks[:0], s.weights[:0]
	for t := range int32(len(l.start) - 1) {
		m := uint64(0)
		for _, c := range l.row(t) {
			m |= 1 << c
		}
		for r := m; r != 0; r &= r - 1 {
			counts[bits.TrailingZeros64(r)&63]++
		}
		if m != 0 {
			s.masks, s.weights = append(s.masks, m), append(s.weights, 1)
		}
	}
	var bit [64]uint64
	s.layout(first, next, len(l.items), &counts, &bit)
	s.fill(next, &bit)
	return next
}
