package itemset

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/internal/system/sorting"
)

// Found is an itemset with its count.
type Found struct {
	Items []int32
	Count int
}

// before orders sets: the commonest first; of equally common ones the shorter, then by items.
func (f Found) before(o Found) int {
	return cmp.Or(cmp.Compare(o.Count, f.Count), cmp.Compare(len(f.Items), len(o.Items)), slices.Compare(f.Items, o.Items))
}

// Commonest returns the most commonest itemsets, or as many as there are, and counts all. The commonest comes first; of
// equally common ones the shorter, then in the order of items. Cost: that of counting them, and little besides: so many
// items are at least so many sets, so what is in fewer transactions than these is no more than counted. Closed sets may
// hold several items each; where they do, the commonest are looked for once more.
func Commonest(
	ctx context.Context,
	mine Miner,
	t *Transactions,
	minCount int,
	kind Kind,
	most int,
) ([]Found, Tally, error) {
	counts := t.counts()
	slices.Sort(counts)
	floor := func(items int) int {
		if kind == Maximal || items <= 0 || items >= len(counts) {
			return 0
		}
		return counts[len(counts)-items]
	}
	b := &best{most: most, floor: floor(most)}
	n, err := mine(ctx, t, Query{Least: minCount, Kind: kind, best: b})
	for items := 2 * most; err == nil && len(b.sets) < most && b.floor > minCount; items *= 2 {
		b = &best{most: most, floor: max(minCount, floor(items))}
		_, err = mine(ctx, t, Query{Least: b.floor, Kind: kind, best: b})
	}
	return b.sets, n, err
}

// best is the commonest itemsets, of those that so many transactions contain at least.
type best struct {
	most  int
	floor int
	sets  []Found // in order
}

// fresh returns an empty one for a goroutine.
func (b *best) fresh() *best {
	if b == nil {
		return nil
	}
	return &best{most: b.most, floor: b.floor}
}

// wants reports whether a set of so many items or more, in so many transactions or fewer, can be among them.
func (b *best) wants(items, count int) bool {
	if b == nil || count < b.floor || b.most <= 0 {
		return false
	}
	if len(b.sets) < b.most {
		return true
	}
	last := &b.sets[len(b.sets)-1]
	return count > last.Count || count == last.Count && items <= len(last.Items)
}

// take puts a set in its place.
func (b *best) take(items []int32, count int) {
	f := Found{slices.Clone(items), count}
	slices.Sort(f.Items)
	at, _ := slices.BinarySearchFunc(b.sets, f, Found.before)
	if b.sets = slices.Insert(b.sets, at, f); len(b.sets) > b.most {
		b.sets = b.sets[:b.most]
	}
}

// join takes what another goroutine found.
func (b *best) join(o *best) {
	if b == nil {
		return
	}
	b.sets = append(b.sets, o.sets...)
	sorting.Func(b.sets, Found.before)
	b.sets = b.sets[:min(b.most, len(b.sets))]
}
