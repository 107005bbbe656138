package itemset

import (
	"cmp"
	"slices"
)

// Found is an itemset with its count.
type Found struct {
	Items []int32
	Count int
}

// Commonest keeps the commonest of the itemsets that it is shown.
type Commonest struct {
	Most int
	Sets []Found // the commonest first; of equally common ones the shorter, then in the order of items
}

// Add shows it an itemset; it copies what it keeps. Cost: O(1) for most, O(log n) else.
func (c *Commonest) Add(items []int32, count int) {
	f := Found{items, count}
	if n := len(c.Sets); c.Most == 0 || n == c.Most && f.before(c.Sets[n-1]) >= 0 {
		return
	}
	f.Items = slices.Clone(items)
	at, _ := slices.BinarySearchFunc(c.Sets, f, Found.before)
	c.Sets = slices.Insert(c.Sets, at, f)
	c.Sets = c.Sets[:min(c.Most, len(c.Sets))]
}

func (f Found) before(o Found) int {
	return cmp.Or(cmp.Compare(o.Count, f.Count), cmp.Compare(len(f.Items), len(o.Items)), slices.Compare(f.Items, o.Items))
}
