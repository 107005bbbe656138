package itemset

import (
	"context"
	"slices"
)

// LCM finds itemsets after Uno, Kiyomi & Arimura (2004): depth first, an item at a time, with the transactions of the set at hand at each step, equal ones
// merged; items that all of them have are taken at once; closed sets are told without a memory of earlier ones, because an item that could have extended
// them before shows in all of their transactions. Where items are few and common, transactions are bits both ways at the top of the tree. The supports of all sets of the last few items are counted together. Cost: O(sum of squared
// lengths) for the pairs, and what BenchmarkLCM shows an itemset; on all cores.
func LCM(ctx context.Context, t *Transactions, q Query) (Tally, error) {
	least := max(1, q.Least)
	if t.Len() < least {
		return 0, ctx.Err()
	}
	r := rankingOf(t, least)
	if r.standsUpright(t) {
		v, err := r.upright(ctx, t)
		if err != nil {
			return 0, err
		}
		root := v.root()
		return spread(ctx, &q, root.ext, func(s *search, task int) { s.raise(v, root, root.ext-1-task, 0) })
	}
	if len(r.items) > 64 {
		l := r.lists(t)
		l.invert()
		return spread(ctx, &q, l.ext, func(s *search, task int) { s.extend(l, int32(l.ext-1-task), 0) })
	}
	first := &search{kind: q.Kind, min: least}
	root := first.word(r, t)
	branches := root.ext
	if branches <= blockBits {
		branches = 0
	}
	return spread(ctx, &q, 1+branches, func(s *search, task int) {
		s.free, s.chosen = append(s.free[:0], first.free...), append(s.chosen[:0], first.chosen...)
		own := s.own(root)
		switch {
		case task > 0:
			s.thin(own, root.ext-task)
			s.child(own, 1, root.ext-task)
		default:
			s.report(root)
			if branches == 0 {
				s.descend(own, 0)
			}
		}
	})
}

// own returns a copy of the root of all goroutines, which merges its transactions as the tasks go on: those of a goroutine come in the order of the tree.
func (s *search) own(root *level) *level {
	if len(s.levels) == 0 {
		l := s.level(0)
		*l = *root
		l.masks, l.weights = slices.Clone(root.masks), slices.Clone(root.weights)
	}
	return s.levels[0]
}
