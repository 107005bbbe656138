package itemset

import (
	"cmp"
	"iter"
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
)

// code is the type of the codes of lists: two bytes where there are no more items than these can tell apart, which is
// nearly always.
type code interface{ uint16 | int32 }

// lists are the transactions with the set at hand while more items than a word has bits are frequent in them: codes 0
// to ext-1 may extend the set, the most frequent of all transactions first, the others extend it elsewhere in the tree.
type lists[C code] struct {
	codes []C     // of the transactions, ascending, with between before each and behind the last
	items []int32 // by code
	// code c below ext is at in[from[c]:from[c+1]] of codes, so that its transactions are read from there, both ways,
	// without knowing where they begin
	in      []int32
	from    []int32
	ext     int
	support int
	space   *mmap.Space // of codes, in and from
}

// between is before every transaction and behind the last: the code of nothing, above all others where it is unsigned.
func between[C code]() C { return ^C(0) }

// narrow is how many items codes of two bytes tell apart.
const narrow = 1<<16 - 1

// lister is a search in lists.
type lister[C code] struct {
	*search
	below []*lists[C] // by depth
}

// rows returns the codes of every transaction.
func (l *lists[C]) rows() iter.Seq[[]C] {
	return func(yield func([]C) bool) {
		begun := 1
		for at, c := range l.codes {
			if c != between[C]() || at == 0 {
				continue
			}
			if !yield(l.codes[begun:at]) {
				return
			}
			begun = at + 1
		}
	}
}

// invert notes where the codes are that may extend the set.
func (l *lists[C]) invert() {
	ext := C(l.ext)
	l.from = roomy(l.space, l.from, l.ext+1)[:l.ext+1]
	clear(l.from)
	for _, c := range l.codes {
		if c < ext && c != between[C]() {
			l.from[c]++
		}
	}
	total := int32(0)
	for c, n := range l.from {
		total += n
		l.from[c] = total
	}
	l.in = roomy(l.space, l.in, int(total))[:total]
	for at := len(l.codes) - 1; at >= 0; at-- {
		if c := l.codes[at]; c < ext && c != between[C]() {
			l.from[c]--
			l.in[l.from[c]] = int32(at)
		}
	}
}

// extend looks at the set at hand with item c, and all that extend it.
func (s *lister[C]) extend(l *lists[C], c int32, d int) {
	in := l.in[l.from[c]:l.from[c+1]]
	if len(s.counts) < len(l.items) {
		s.counts, s.bits = make([]int32, len(l.items)), make([]uint64, len(l.items))
	}
	s.touched = s.touched[:0]
	for _, at := range in {
		for k := at - 1; l.codes[k] != between[C](); k-- {
			s.count(int32(l.codes[k]))
		}
		if s.kind == All {
			continue
		}
		for k := at + 1; l.codes[k] != between[C](); k++ {
			s.count(int32(l.codes[k]))
		}
	}
	chosen, free := len(s.chosen), len(s.free)
	s.chosen = append(s.chosen, l.items[c])
	if ext, kept, ok := s.choose(l.items, c, len(in)); ok {
		s.lay(l, kept, ext, in, d)
	}
	s.chosen, s.free = s.chosen[:chosen], s.free[:free]
}

// count counts a code.
func (s *search) count(c int32) {
	if s.counts[c] == 0 {
		s.touched = append(s.touched, c)
	}
	s.counts[c]++
}

// choose returns the codes, those of items, that go on into the transactions of c, ascending, and how many of them may
// extend the set, and takes those into the set that all its transactions have. It forgets the counts of the others. It
// returns false when the sets with c are found elsewhere in the tree.
func (s *search) choose(items []int32, c int32, support int) (ext int, kept []int32, ok bool) {
	ok = true
	kept = s.kept[:0]
	for _, o := range s.touched {
		n := int(s.counts[o])
		switch {
		case n < s.min || o == c:
		case n == support && o > c:
			ok = false
		case n == support && s.kind == All:
			s.free = append(s.free, items[o])
		case n == support:
			s.chosen = append(s.chosen, items[o])
		default:
			kept = append(kept, o)
			continue
		}
		s.counts[o] = 0
	}
	s.kept = kept
	if !ok {
		for _, o := range kept {
			s.counts[o] = 0
		}
		return 0, nil, false
	}
	slices.Sort(kept)
	ext, _ = slices.BinarySearch(kept, c)
	return ext, kept, true
}

// lay lays the transactions of code c out for its own extensions, as bits where these suffice.
func (s *lister[C]) lay(l *lists[C], kept []int32, ext int, in []int32, d int) {
	if len(kept) > 64 {
		s.sublists(l, kept, ext, in, d)
		return
	}
	slices.SortFunc(kept[:ext],
		func(a, b int32) int { return cmp.Or(cmp.Compare(s.counts[b], s.counts[a]), cmp.Compare(a, b)) })
	next := s.level(d)
	next.reset()
	next.ext, next.width, next.support = ext, len(kept), len(in)
	for k, o := range kept {
		next.items[k], next.counts[k] = l.items[o], s.counts[o]
		s.counts[o], s.bits[o] = 0, 1<<k
	}
	s.report(next)
	if s.looked(next) {
		s.room(len(in))
		alike, last := s.alike(low(ext)), slices.Max(kept)
		for _, at := range in {
			m := uint64(0)
			for k := at - 1; l.codes[k] != between[C](); k-- {
				m |= s.bits[l.codes[k]]
			}
			if m == 0 {
				continue
			}
			for k := at + 1; uint32(l.codes[k]) <= uint32(last); k++ {
				m |= s.bits[l.codes[k]]
			}
			s.add(next, alike, m, 1)
		}
		s.clear(next, alike)
	}
	for _, o := range kept {
		s.bits[o] = 0
	}
	s.descend(next, d)
}

// sublists is lay for more items than a word has bits. They keep their order, so that no transaction is sorted again.
func (s *lister[C]) sublists(l *lists[C], kept []int32, ext int, in []int32, d int) {
	for len(s.below) <= d {
		s.below = append(s.below, &lists[C]{space: s.space})
	}
	next := s.below[d]
	next.items, next.ext, next.support = next.items[:0], ext, len(in)
	total := len(in) + 1
	for k, o := range kept {
		next.items = append(next.items, l.items[o])
		total += int(s.counts[o])
		s.counts[o] = -int32(k) - 1 // from here on its code
	}
	next.codes = append(roomy(next.space, next.codes, total), between[C]())
	add := func(c C) {
		if at := s.counts[c]; at < 0 {
			next.codes = append(next.codes, C(-at-1))
		}
	}
	for _, at := range in {
		for l.codes[at-1] != between[C]() {
			at--
		}
		for ; l.codes[at] != between[C](); at++ {
			add(l.codes[at])
		}
		next.codes = append(next.codes, between[C]())
	}
	for _, o := range kept {
		s.counts[o] = 0
	}
	if s.kind != Maximal {
		s.sink.found(s.chosen, s.free, len(in))
	}
	next.invert()
	for c := int32(ext) - 1; c >= 0 && !s.stop.Load(); c-- {
		s.extend(next, c, d+1)
	}
}

// ranking is the frequent items, the most frequent first, and in how many transactions each is.
type ranking struct {
	items  []int32
	counts []int32 // by position in items
	code   []int32 // by item: its position and 1; 0 where it is not frequent
}

func rankingOf(t *Transactions, min int) *ranking {
	counts := t.counts()
	r := &ranking{code: make([]int32, t.Labels)}
	for c, n := range counts {
		if n >= min {
			r.items = append(r.items, int32(c))
		}
	}
	slices.SortFunc(r.items, func(a, b int32) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	for k, c := range r.items {
		r.code[c] = int32(k) + 1
		r.counts = append(r.counts, int32(counts[c]))
	}
	return r
}

// total is how many frequent items the transactions have in all.
func (r *ranking) total() (n int) {
	for _, c := range r.counts {
		n += int(c)
	}
	return n
}

// listsOf returns the transactions in codes of the frequent items, in a space.
func listsOf[C code](r *ranking, t *Transactions, in *mmap.Space) *lists[C] {
	l := &lists[C]{support: t.Len(), items: r.items, ext: len(r.items), space: in}
	l.codes = append(mmap.Make[C](in, r.total()+t.Len()+1)[:0], between[C]())
	for i := range t.Len() {
		begun := len(l.codes)
		for _, c := range t.Row(i) {
			if k := r.code[c]; k > 0 {
				l.codes = append(l.codes, C(k-1))
			}
		}
		slices.Sort(l.codes[begun:])
		l.codes = append(l.codes, between[C]())
	}
	return l
}

// word returns the transactions as a level, when the items fit into a word. Those that all transactions have are taken
// into the set at hand.
func (s *search) word(r *ranking, t *Transactions) *level {
	next := s.level(0)
	next.reset()
	next.support = t.Len()
	in := 0 // all
	for in < len(r.items) && int(r.counts[in]) == t.Len() {
		in++
	}
	if s.kind == All {
		s.free = append(s.free, r.items[:in]...)
	} else {
		s.chosen = append(s.chosen, r.items[:in]...)
	}
	next.ext = len(r.items) - in
	next.width = next.ext
	bit := make([]uint64, t.Labels)
	for k, c := range r.items[in:] {
		next.items[k], next.counts[k] = c, r.counts[in+k]
		bit[c] = 1 << k
	}
	if !s.looked(next) {
		return next
	}
	next.masks, next.weights = roomy(s.space, next.masks, t.Len()), roomy(s.space, next.weights, t.Len())
	s.room(t.Len())
	all := low(next.ext)
	for i := range t.Len() {
		m := uint64(0)
		for _, c := range t.Row(i) {
			m |= bit[c]
		}
		if m != 0 {
			s.add(next, all, m, 1)
		}
	}
	s.clear(next, all)
	return next
}
