package itemset

import (
	"context"
	"math/bits"
	"slices"
	"sync/atomic"
)

// joiner is a search of several lists by the transactions that items share.
type joiner struct {
	lim         Limits
	words       int // of all lists
	spent, sets atomic.Int64
	items       []int32 // of the roots
	roots       []*arm
	pairs       [][]pair   // by root, the later ones that are frequent with it
	often       [][]uint64 // the same as bits
}

// arm is a set with a root behind it: which transactions have both, by list.
type arm struct {
	root   int32
	counts []int32
	who    [][]uint64
	left   [][]int32 // how many there are from every stride on
}

// pair is a root behind an earlier one, and how many transactions have both, by list.
type pair struct {
	root   int32
	counts []int32
}

// stride is how many words are compared between two looks at what is left.
const stride = 32

// newJoiner returns a search whose roots are the items that are frequent in a list.
func newJoiner(lists []*Transactions, lim Limits) *joiner {
	labels := 0
	for _, l := range lists {
		labels = max(labels, l.Labels)
	}
	counts := make([]int32, labels*len(lists))
	for k, l := range lists {
		for _, v := range l.Items {
			counts[int(v)*len(lists)+k]++
		}
	}
	j := &joiner{lim: lim}
	number := make([]int32, labels) // from 1
	for v := range labels {
		own := counts[v*len(lists) : (v+1)*len(lists)]
		if !frequent(own, lim.Least) {
			continue
		}
		a := &arm{root: int32(len(j.roots)), counts: own}
		for _, l := range lists {
			words := (l.Len() + 63) / 64
			a.who, a.left = append(a.who, make([]uint64, words)), append(a.left, make([]int32, (words+stride-1)/stride))
		}
		j.items, j.roots = append(j.items, int32(v)), append(j.roots, a)
		number[v] = int32(len(j.roots))
	}
	for k, l := range lists {
		j.words += (l.Len() + 63) / 64
		for i := range l.Len() {
			for _, v := range l.Row(i) {
				if n := number[v]; n > 0 {
					j.roots[n-1].who[k][i/64] |= 1 << (i % 64)
				}
			}
		}
	}
	for _, a := range j.roots {
		a.fill(a, a)
	}
	j.pairs, j.often = make([][]pair, len(j.roots)), make([][]uint64, len(j.roots))
	return j
}

func frequent(counts []int32, least []int) bool {
	for k, n := range counts {
		if int(n) >= max(1, least[k]) {
			return true
		}
	}
	return false
}

// afford takes n sets of so many items, alike but for the last, and the effort to compare the last of every one with
// those of all later ones.
func (j *joiner) afford(size, n int) error {
	effort := int64(n) * int64(n-1) / 2 * int64(j.words)
	if size == j.lim.Most {
		effort = 0
	}
	if sets := j.sets.Add(int64(n)); j.lim.Sets > 0 && sets > int64(j.lim.Sets) {
		return ErrEffort
	}
	if spent := j.spent.Add(effort); j.lim.Effort > 0 && spent > int64(j.lim.Effort) {
		return ErrEffort
	}
	return nil
}

// pair finds the roots behind one that are frequent with it.
func (j *joiner) pair(k int) error {
	if j.lim.Most == 1 {
		return nil
	}
	j.often[k] = make([]uint64, (len(j.roots)+63)/64)
	counts := make([]int32, len(j.lim.Least))
	for _, o := range j.roots[k+1:] {
		if j.meet(counts, j.roots[k], o) {
			j.pairs[k] = append(j.pairs[k], pair{root: o.root, counts: slices.Clone(counts)})
			j.often[k][o.root/64] |= 1 << (o.root % 64)
		}
	}
	return j.afford(2, len(j.pairs[k]))
}

// meet reports whether two arms are frequent together, and counts the transactions that have both if so.
func (j *joiner) meet(counts []int32, a, b *arm) bool {
	for k, least := range j.lim.Least {
		counts[k] = common(a, b, k, int32(max(1, least)))
	}
	if !frequent(counts, j.lim.Least) {
		return false
	}
	for k, n := range counts {
		if n < 0 {
			counts[k] = common(a, b, k, 0)
		}
	}
	return true
}

// common counts the transactions of a list that have both arms. It gives up, and returns -1, once they cannot be as
// many as the least.
func common(a, b *arm, list int, least int32) (n int32) {
	x, y, left, right := a.who[list], b.who[list], a.left[list], b.left[list]
	for s := range left {
		if n+min(left[s], right[s]) < least {
			return -1
		}
		lo, hi := s*stride, min((s+1)*stride, len(x))
		also := y[lo:hi]
		for i, w := range x[lo:hi] {
			n += int32(bits.OnesCount64(w & also[i]))
		}
	}
	return n
}

// fill makes an arm of what two have in common.
func (a *arm) fill(b, c *arm) {
	for k, w := range a.who {
		x, y, n := b.who[k], c.who[k], int32(0)
		for s := len(a.left[k]) - 1; s >= 0; s-- {
			for i := s * stride; i < min((s+1)*stride, len(w)); i++ {
				w[i] = x[i] & y[i]
				n += int32(bits.OnesCount64(w[i]))
			}
			a.left[k][s] = n
		}
	}
}

// bough is the work of one core: the sets that begin with a root.
type bough struct {
	*joiner
	ctx    context.Context
	found  []joint
	chosen []int32 // the items of the set at hand
	counts []int32
	free   []*arm
}

// grow finds the sets that begin with root k.
func (b *bough) grow(k int) error {
	root := b.roots[k]
	b.found, b.chosen, b.counts = nil, append(b.chosen[:0], b.items[k]), make([]int32, len(root.counts))
	b.take(root.counts)
	arms := make([]*arm, len(b.pairs[k]))
	for i, p := range b.pairs[k] {
		arms[i] = b.join(root, b.roots[p.root], p.counts)
	}
	return b.extend(arms)
}

// take keeps the set at hand.
func (b *bough) take(counts []int32) {
	b.found = append(b.found, joint{items: slices.Clone(b.chosen), counts: slices.Clone(counts)})
}

// extend takes the set at hand with every arm, and what later arms make of it.
func (b *bough) extend(arms []*arm) error {
	at := len(b.chosen)
	for k, a := range arms {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		b.chosen = append(b.chosen[:at], b.items[a.root])
		b.take(a.counts)
		if len(b.chosen) == b.lim.Most {
			continue
		}
		next := b.behind(a, arms[k+1:])
		if err := b.afford(len(b.chosen)+1, len(next)); err != nil {
			return err
		}
		if err := b.extend(next); err != nil {
			return err
		}
	}
	b.free = append(b.free, arms...)
	return nil
}

// behind returns what is frequent of an arm with later ones.
func (b *bough) behind(a *arm, later []*arm) (out []*arm) {
	for _, o := range later {
		if b.often[a.root][o.root/64]>>(o.root%64)&1 != 0 && b.meet(b.counts, a, o) {
			out = append(out, b.join(a, o, b.counts))
		}
	}
	return out
}

// join returns an arm of what two have in common: which transactions these are only where they are compared with
// others.
func (b *bough) join(a, o *arm, counts []int32) *arm {
	m := &arm{counts: make([]int32, len(counts))}
	if n := len(b.free); n > 0 {
		m, b.free = b.free[n-1], b.free[:n-1]
	}
	m.root = o.root
	copy(m.counts, counts)
	if len(b.chosen)+1 == b.lim.Most {
		return m
	}
	if m.who == nil {
		for k, w := range a.who {
			m.who, m.left = append(m.who, make([]uint64, len(w))), append(m.left, make([]int32, len(a.left[k])))
		}
	}
	m.fill(a, o)
	return m
}
