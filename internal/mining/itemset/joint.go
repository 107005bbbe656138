package itemset

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/dither-data/dither/internal/system/parallel"
)

// ErrEffort says that a search took more than the effort it was given.
var ErrEffort = errors.New("the search for itemsets takes more than the effort it was given")

// Together are the itemsets that are frequent in one of several lists of transactions or another, with their counts in
// each.
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

// FindTogether finds the itemsets that are frequent in at least one of the lists, whose items mean the same, and counts
// them in all. Transactions are bits, so it is for lists of up to some thousands of frequent items. It fails with
// ErrEffort where that is exceeded, which does not depend on the number of cores, and is known before the sets that
// exceed it are counted. Cost: at most n/64 for n transactions of every list and every set that is looked at. A set
// that is frequent in no list is given up where too few transactions are left, and not looked at where two of its items
// are frequent together in none.
func FindTogether(ctx context.Context, lists []*Transactions, lim Limits) (*Together, error) {
	j := newJoiner(lists, lim)
	if err := j.afford(1, len(j.roots)); err != nil {
		return nil, err
	}
	if err := parallel.Each(ctx, len(j.roots), j.pair); err != nil {
		return nil, err
	}
	found := make([][]joint, len(j.roots))
	_, err := parallel.With(
		ctx,
		len(j.roots),
		func() *bough { return &bough{joiner: j, ctx: ctx} },
		func(b *bough, k int) error {
			err := b.grow(k)
			found[k] = b.found
			return err
		},
	)
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

// Set returns the items of a set, ascending, and how many transactions of each list have them. They are shared and must
// not be written.
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
