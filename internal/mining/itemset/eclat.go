package itemset

import "context"

// Eclat finds itemsets after Zaki, Parthasarathy, Ogihara & Li (1997), depth first over the lists of transactions of
// items, which it intersects. Where a list is shorter as what the set lacks of its prefix, a diffset (Zaki & Gouda
// 2003), it is kept so. Cost: O(length of the lists) an extension, on all cores.
func Eclat(ctx context.Context, t *Transactions, q Query) (Tally, error) {
	least := max(1, q.Least)
	if t.Len() < least {
		return 0, ctx.Err()
	}
	v := transpose(t)
	items := v.frequent(least)
	class := make([]branch, len(items))
	for k, c := range items {
		class[k] = branch{item: c, count: len(v.in[c]), list: v.in[c]}
	}
	return spread(ctx, &q, len(items), func(s *search) func(int) {
		return func(task int) { s.class(v, nil, class, task) }
	})
}

// branch is an item that may extend a prefix.
type branch struct {
	item  int32
	count int
	list  []int32 // the transactions of the prefix with the item, or those without it
	lacks bool
}

// class looks at the prefix with branch k, and at all that extend it by later branches. Tids are the transactions of
// the prefix, nil for all.
func (s *search) class(v *vertical, tids []int32, class []branch, k int) {
	if s.stop.Load() {
		return
	}
	b := class[k]
	own := b.list
	if b.lacks {
		own = without(nil, tids, b.list)
	}
	s.chosen = append(s.chosen, b.item)
	if s.wanted(v, s.chosen, own) {
		s.sink.found(s.chosen, nil, b.count)
	}
	var next []branch
	for _, o := range class[k+1:] {
		if n := b.joined(&o); n.count >= s.min {
			next = append(next, n)
		}
	}
	for i := range next {
		s.class(v, own, next, i)
	}
	s.chosen = s.chosen[:len(s.chosen)-1]
}

// joined returns branch o below branch b of the same prefix.
func (b *branch) joined(o *branch) branch {
	n := branch{item: o.item}
	switch {
	case !b.lacks && !o.lacks:
		n.list = meet(nil, b.list, o.list)
		if n.count = len(n.list); 2*n.count > b.count {
			n.list, n.lacks = without(nil, b.list, o.list), true
		}
	case b.lacks && o.lacks: // of those with b, o lacks what it lacks of the prefix, but for what b lacks, too
		n.list, n.lacks = without(nil, o.list, b.list), true
		n.count = b.count - len(n.list)
	case b.lacks: // o is listed
		n.list = without(nil, o.list, b.list)
		n.count = len(n.list)
	default:
		n.list, n.lacks = meet(nil, b.list, o.list), true
		n.count = b.count - len(n.list)
	}
	return n
}

// without appends to dst what is in the ascending list a and not in b.
func without(dst, a, b []int32) []int32 {
	for _, x := range a {
		if len(b) > far*len(a) {
			b = b[ahead(b, x):]
		}
		for len(b) > 0 && b[0] < x {
			b = b[1:]
		}
		if len(b) == 0 || b[0] != x {
			dst = append(dst, x)
		}
	}
	return dst
}
