package rulehiding

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
)

// weightUnit is how finely the weights of the border are told: down to 2^-24. Sums of whole numbers do not depend on
// their order, so ties are ties.
const weightUnit = 1 << 24

// BBA hides itemsets by the border (Sun & Yu 2005): the longest first, of equal ones that of the least support. Of the
// items of a set and the transactions that have it the deletion is made that weighs least on the sets of the border
// that it touches, of equal ones that in the first transaction, of the lowest item. A set of the border weighs the more
// the closer it is to being lost: from support s down to s' it weighs (s - s' + 1) / (s - least), and from least on
// more than all others together. Cost: for every deletion the transactions with the set, and those that share a set of
// the border with the one that changed; that of Border.
func BBA(ctx context.Context, d *Data, patterns []basket.Pattern, least int) error {
	w, err := newBordered(ctx, d, patterns, least)
	if err != nil {
		return err
	}
	slices.SortStableFunc(w.list, func(a, b []int32) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(w.support[&a[0]], w.support[&b[0]]), slices.Compare(a, b))
	})
	first := make([]int, len(w.border))
	for k, b := range w.border {
		first[k] = b.Count
	}
	for _, z := range w.list {
		rows := d.with(z)
		if len(rows) < max(1, least) {
			continue
		}
		c := newCosts(w, z, rows, first)
		for left := len(rows); left >= max(1, least); left-- {
			if err := ctx.Err(); err != nil {
				return err
			}
			c.take()
		}
	}
	return nil
}

// costs is what deleting an item of a set from a transaction costs.
type costs struct {
	w      *bordered
	z      []int32
	rows   []int32
	first  []int     // by set of the border: its support in the original
	touch  [][]int32 // by row: the sets of the border that it has, with an item of the set
	holds  [][]int32 // by set of the border: the rows that have it
	cost   []int64   // by row and item
	broken []bool    // by row
}

func newCosts(w *bordered, z, rows []int32, first []int) *costs {
	c := &costs{
		w:      w,
		z:      z,
		rows:   rows,
		first:  first,
		touch:  make([][]int32, len(rows)),
		holds:  make([][]int32, len(w.border)),
		cost:   make([]int64, len(rows)*len(z)),
		broken: make([]bool, len(rows)),
	}
	var own []int
	for _, v := range z {
		own = append(own, w.of[v]...)
	}
	slices.Sort(own)
	for _, b := range slices.Compact(own) {
		for k, i := range rows {
			if itemset.Contains(w.d.rows[i], w.border[b].Items) {
				c.touch[k] = append(c.touch[k], int32(b))
				c.holds[b] = append(c.holds[b], int32(k))
			}
		}
		c.charge(b, c.weight(b))
	}
	return c
}

// weight returns what a set of the border weighs now.
func (c *costs) weight(b int) int64 {
	s, now, least := c.first[b], c.w.border[b].Count, max(1, c.w.least)
	if now > least {
		return int64(s-now+1) * weightUnit / int64(s-least)
	}
	return int64(len(c.w.border)+1+least-now) * weightUnit
}

// charge adds a weight of a set of the border to what deletions cost.
func (c *costs) charge(b int, by int64) {
	for at, v := range c.z {
		if _, ok := slices.BinarySearch(c.w.border[b].Items, v); !ok {
			continue
		}
		for _, k := range c.holds[b] {
			c.cost[int(k)*len(c.z)+at] += by
		}
	}
}

// take makes the deletion that costs least.
func (c *costs) take() {
	row, item := -1, 0
	for k := range c.rows {
		if c.broken[k] {
			continue
		}
		for at := range c.z {
			if row < 0 || c.cost[k*len(c.z)+at] < c.cost[row*len(c.z)+item] {
				row, item = k, at
			}
		}
	}
	c.broken[row] = true
	before := make([]int64, len(c.touch[row]))
	for k, b := range c.touch[row] {
		before[k] = c.weight(int(b))
	}
	c.w.delete(c.rows[row], c.z[item])
	for k, b := range c.touch[row] {
		if by := c.weight(int(b)) - before[k]; by != 0 {
			c.charge(int(b), by)
		}
	}
}
