package itemset

import (
	"context"
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/dither-data/dither/internal/parallel"
)

// ErrEffort says that a search took more than the effort it was given.
var ErrEffort = errors.New("the search for itemsets takes more than the effort it was given")

// Together are the itemsets that are frequent in one of several lists of transactions or another, with their counts in each.
type Together struct {
	lists  int
	starts []int32 // of every set in items
	items  []int32
	counts []int32 // by set and list
	at     map[string]int32
	key    []byte
}

// Limits bound a search.
type Limits struct {
	Least  []int // by list, the transactions that have a set at least
	Most   int   // items of a set; 0 for no limit
	Effort int   // comparisons of 64 transactions; 0 for no limit
	Sets   int   // sets that are kept; 0 for no limit
}

// FindTogether finds the itemsets that are frequent in at least one of the lists, whose items mean the same, and counts them in all. Transactions are bits, so
// it is for lists of up to some thousands of frequent items. It fails with ErrEffort where that is exceeded, which does not depend on the number of cores. Cost: n/64 for n transactions of every list and
// every set that is looked at.
func FindTogether(ctx context.Context, lists []*Transactions, lim Limits) (*Together, error) {
	roots := rootsOf(lists, lim.Least)
	var spent, sets atomic.Int64
	found := make([][]joint, len(roots))
	err := parallel.Each(ctx, len(roots), func(k int) error {
		s := joiner{ctx: ctx, lim: lim, spent: &spent, sets: &sets}
		err := s.extend(nil, roots[k:k+1], roots[k+1:])
		found[k] = s.found
		return err
	})
	if err != nil {
		return nil, err
	}
	t := &Together{lists: len(lists), starts: []int32{0}, at: map[string]int32{}}
	for _, part := range found {
		for _, s := range part {
			t.at[string(t.keyOf(s.items))] = int32(t.Len())
			t.items, t.counts = append(t.items, s.items...), append(t.counts, s.counts...)
			t.starts = append(t.starts, int32(len(t.items)))
		}
	}
	return t, nil
}

// Len returns the number of sets.
func (t *Together) Len() int { return len(t.starts) - 1 }

// Set returns the items of a set, ascending, and how many transactions of each list have them. They are shared and must not be written.
func (t *Together) Set(k int) (items, counts []int32) {
	return t.items[t.starts[k]:t.starts[k+1]:t.starts[k+1]], t.counts[k*t.lists : (k+1)*t.lists : (k+1)*t.lists]
}

// Find returns the number of a set whose items ascend, -1 where it is frequent in no list.
func (t *Together) Find(items []int32) int {
	if k, ok := t.at[string(t.keyOf(items))]; ok {
		return int(k)
	}
	return -1
}

func (t *Together) keyOf(items []int32) []byte {
	t.key = t.key[:0]
	for _, v := range items {
		t.key = binary.AppendUvarint(t.key, uint64(v))
	}
	return t.key
}

// joint is a set with its counts, by list.
type joint struct {
	items, counts []int32
}

// arm is an item behind a set: who has both, by list.
type arm struct {
	item   int32
	who    [][]uint64
	counts []int32
}

// rootsOf returns the items that are frequent in a list.
func rootsOf(lists []*Transactions, least []int) []arm {
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
	var out []arm
	number := make([]int32, labels) // from 1
	for v := range labels {
		b := arm{item: int32(v), counts: counts[v*len(lists) : (v+1)*len(lists)]}
		if !frequent(b.counts, least) {
			continue
		}
		for _, l := range lists {
			b.who = append(b.who, make([]uint64, (l.Len()+63)/64))
		}
		out = append(out, b)
		number[v] = int32(len(out))
	}
	for k, l := range lists {
		for i := range l.Len() {
			for _, v := range l.Row(i) {
				if n := number[v]; n > 0 {
					out[n-1].who[k][i/64] |= 1 << (i % 64)
				}
			}
		}
	}
	return out
}

func frequent(counts []int32, least []int) bool {
	for k, n := range counts {
		if int(n) >= max(1, least[k]) {
			return true
		}
	}
	return false
}

// joiner is a search of one arm.
type joiner struct {
	ctx         context.Context
	lim         Limits
	spent, sets *atomic.Int64
	found       []joint
	pool        sync.Pool
}

// extend takes the set of every arm, and then what later arms, and more of the rest, make of it.
func (s *joiner) extend(prefix []int32, arms, rest []arm) error {
	for k, b := range arms {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		items := append(slices.Clone(prefix), b.item)
		s.found = append(s.found, joint{items, slices.Clone(b.counts)})
		if n := s.sets.Add(1); s.lim.Sets > 0 && n > int64(s.lim.Sets) {
			return ErrEffort
		}
		if len(items) == s.lim.Most {
			continue
		}
		next, err := s.meet(b, arms[k+1:], rest)
		if err == nil {
			err = s.extend(items, next, nil)
		}
		for _, n := range next {
			s.pool.Put(&n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// meet returns those of the arms that are frequent together with one.
func (s *joiner) meet(b arm, lists ...[]arm) (out []arm, err error) {
	words := 0
	for _, w := range b.who {
		words += len(w)
	}
	for _, list := range lists {
		for _, o := range list {
			if n := s.spent.Add(int64(words)); s.lim.Effort > 0 && n > int64(s.lim.Effort) {
				return out, ErrEffort
			}
			made := s.fresh(b)
			made.item = o.item
			for k, w := range b.who {
				made.counts[k] = and(made.who[k], w, o.who[k])
			}
			if frequent(made.counts, s.lim.Least) {
				out = append(out, *made)
			} else {
				s.pool.Put(made)
			}
		}
	}
	return out, nil
}

// fresh returns memory for a arm like b.
func (s *joiner) fresh(b arm) *arm {
	if m, ok := s.pool.Get().(*arm); ok {
		return m
	}
	m := &arm{counts: make([]int32, len(b.counts))}
	for _, w := range b.who {
		m.who = append(m.who, make([]uint64, len(w)))
	}
	return m
}

// and writes the common bits and returns how many there are.
func and(dst, a, b []uint64) (n int32) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		w := a[i] & b[i]
		dst[i] = w
		n += int32(bits.OnesCount64(w))
	}
	return n
}
