package itemset

import "context"

// LCM finds itemsets after Uno, Kiyomi & Arimura (2004): depth first, an item at a time, with the transactions of the set at hand at each step, equal ones
// merged; items that all of them have are taken at once; closed sets are told without a memory of earlier ones, because an item that could have extended
// them before shows in all of their transactions. Where items are few and common, transactions are bits both ways at the top of the tree. The supports of all sets of the last few items are counted together. Cost: O(sum of squared
// lengths) for the pairs, and what BenchmarkLCM shows an itemset; on all cores.
func LCM(ctx context.Context, t *Transactions, minCount int, kind Kind, visit Visit) (Tally, error) {
	least := max(1, minCount)
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
		return spread(ctx, kind, least, root.ext, visit, func(s *search, task int) { s.raise(v, root, root.ext-1-task, 0) })
	}
	if len(r.items) > 64 {
		l := r.lists(t)
		l.invert()
		return spread(ctx, kind, least, l.ext, visit, func(s *search, task int) { s.extend(l, int32(l.ext-1-task), 0) })
	}
	first := &search{kind: kind, min: least}
	root := first.word(r, t)
	branches := root.ext
	if branches <= blockBits {
		branches = 0
	}
	return spread(ctx, kind, least, 1+branches, visit, func(s *search, task int) {
		s.free, s.chosen = append(s.free[:0], first.free...), append(s.chosen[:0], first.chosen...)
		switch {
		case task > 0:
			s.child(root, 1, root.ext-task)
		default:
			s.report(root)
			if branches == 0 {
				s.descend(root, 0)
			}
		}
	})
}
