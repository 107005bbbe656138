package itemset

import (
	"context"
	"fmt"
	"math"
)

// LCM finds itemsets after Uno, Kiyomi & Arimura (2004): depth first, an item at a time, with the transactions of the
// set at hand at each step, equal ones merged; items that all of them have are taken at once; closed sets are told
// without a memory of earlier ones, because an item that could have extended them before shows in all of their
// transactions. Where items are few and common, transactions are bits both ways at the top of the tree. The supports of
// all sets of the last few items are counted together. Cost: O(sum of squared lengths) for the pairs, and what
// BenchmarkLCM shows an itemset; on all cores.
func LCM(ctx context.Context, t *Transactions, q Query) (Tally, error) {
	least := max(1, q.Least)
	if t.Len() < least {
		return 0, ctx.Err()
	}
	q.space = t.Space.Fork()
	defer q.space.Close()
	r := rankingOf(t, least)
	switch {
	case r.standsUpright(t):
		return r.inUpright(ctx, &q, t)
	case len(r.items) <= 64:
		return r.inWords(ctx, &q, t)
	case len(r.items) <= narrow:
		return inLists[uint16](r, ctx, &q, t)
	}
	return inLists[int32](r, ctx, &q, t)
}

// inUpright searches in upright transactions.
func (r *ranking) inUpright(ctx context.Context, q *Query, t *Transactions) (Tally, error) {
	v, err := r.upright(ctx, t, q.space)
	if err != nil {
		return 0, err
	}
	root := v.root()
	return spread(ctx, q, root.ext, func(s *search) func(int) {
		return func(task int) { s.raise(v, root, root.ext-1-task, 0) }
	})
}

// inLists searches in lists.
func inLists[C code](r *ranking, ctx context.Context, q *Query, t *Transactions) (Tally, error) {
	if n := r.total() + t.Len() + 1; n > math.MaxInt32 {
		return 0, fmt.Errorf("%d transactions have %d frequent items in all, but LCM can handle up to 2^31: raise "+
			"the support, or omit items", t.Len(), r.total())
	}
	l := listsOf[C](r, t, q.space)
	l.invert()
	return spread(ctx, q, l.ext, func(s *search) func(int) {
		in := &lister[C]{search: s}
		return func(task int) { in.extend(l, int32(l.ext-1-task), 0) }
	})
}

// inWords searches in transactions of one word. Every goroutine has its own of them, and merges these as its tasks go
// on.
func (r *ranking) inWords(ctx context.Context, q *Query, t *Transactions) (Tally, error) {
	first := &search{kind: q.Kind, min: max(1, q.Least), space: q.space}
	root := first.word(r, t)
	branches := root.ext
	if branches <= blockBits {
		branches = 0
	}
	return spread(ctx, q, 1+branches, func(s *search) func(int) {
		own := *root
		own.masks = append(roomy[uint64](q.space, nil, len(root.masks)), root.masks...)
		own.weights = append(roomy[int32](q.space, nil, len(root.weights)), root.weights...)
		return func(task int) {
			s.free, s.chosen = append(s.free[:0], first.free...), append(s.chosen[:0], first.chosen...)
			switch {
			case task > 0:
				s.thin(&own, root.ext-task)
				s.child(&own, 1, root.ext-task)
			default:
				s.report(root)
				if branches == 0 {
					s.descend(&own, 0)
				}
			}
		}
	})
}
