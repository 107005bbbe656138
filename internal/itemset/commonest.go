package itemset

import (
	"cmp"
	"context"
	"runtime"
	"slices"
)

// Found is an itemset with its count.
type Found struct {
	Items []int32
	Count int
}

// Commonest returns the most commonest itemsets, or as many as there are, and counts all. The commonest comes first; of equally common ones the shorter, then in
// the order of items. It counts all without visiting them, and looks for the commonest among those that are in many more transactions; only maximal ones, which
// are others then, are all visited. Cost: that of the miner, and little besides.
func Commonest(ctx context.Context, mine Miner, t *Transactions, minCount int, kind Kind, most int) ([]Found, Tally, error) {
	if kind == Maximal {
		return commonest(ctx, mine, t, minCount, kind, most)
	}
	n, err := mine(ctx, t, minCount, kind, nil)
	if len(t.Items) > large {
		runtime.GC() // what was laid out for it would stand beside what is laid out next
	}
	counts := t.counts()
	slices.Sort(counts)
	for items := most; err == nil && n > 0 && most > 0; items *= 2 { // so many items are at least so many sets, but that closed ones may hold several
		least := minCount
		if items < len(counts) {
			least = max(minCount, counts[len(counts)-items])
		}
		sets, _, err := commonest(ctx, mine, t, least, kind, most)
		if err != nil || len(sets) == most || least == minCount {
			return sets, n, err
		}
	}
	return nil, n, err
}

// large is how many items are worth a collection of garbage after a search.
const large = 1 << 24

// commonest visits all itemsets.
func commonest(ctx context.Context, mine Miner, t *Transactions, minCount int, kind Kind, most int) (sets []Found, n Tally, err error) {
	n, err = mine(ctx, t, minCount, kind, func(items []int32, count int) bool {
		f := Found{items, count}
		if len(sets) == most && (most == 0 || f.before(sets[most-1]) >= 0) {
			return true
		}
		f.Items = slices.Clone(items)
		at, _ := slices.BinarySearchFunc(sets, f, Found.before)
		sets = slices.Insert(sets, at, f)
		sets = sets[:min(most, len(sets))]
		return true
	})
	return sets, n, err
}

func (f Found) before(o Found) int {
	return cmp.Or(cmp.Compare(o.Count, f.Count), cmp.Compare(len(f.Items), len(o.Items)), slices.Compare(f.Items, o.Items))
}
