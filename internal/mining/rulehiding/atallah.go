package rulehiding

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
)

// Atallah hides itemsets (Atallah et al. 1999), in their order: from a set it walks up the graph of itemsets, each time
// to the part with one item less that most transactions have, down to an item, and deletes this from the transaction
// with the set in which it is in the fewest frequent sets of two. Counts are of the transactions as they are; sets of
// two are those that are frequent in the original and hold nothing sensitive. Ties go to the part that is first in the
// order of lists, and to the transaction that comes first. Cost: for every set the supports on the walks, and O(n log
// n) for each item of it that is deleted.
func Atallah(ctx context.Context, d *Data, patterns []basket.Pattern, l Limits) error {
	hidden := sets(patterns)
	w := &pairs{d: d, least: max(1, l.Least), hidden: hidden, of: map[int32][]bool{}}
	for _, z := range hidden {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows := d.with(z)
		g := &graph{d: d, support: map[string]int{}, gone: map[int32]int{}}
		order, broken := map[int32][]int32{}, map[int32]bool{}
		for left := len(rows); left > 0 && !l.Support.Above(left, d.Len()); left-- {
			item := g.walk(z)
			own, ok := order[item]
			if !ok {
				own = w.order(item, rows)
			}
			for broken[own[0]] {
				own = own[1:]
			}
			d.delete(own[0], item)
			broken[own[0]] = true
			order[item] = own[1:]
			g.gone[item]++
		}
	}
	return nil
}

// graph is the supports of the parts of a set. Every deletion is in another transaction, which had the whole set, so
// that it lowers those of the parts with the item by one.
type graph struct {
	d       *Data
	support map[string]int // of a part, before anything of the set was deleted
	gone    map[int32]int  // deletions by item
}

// walk returns the item at the end of the parts of the most support.
func (g *graph) walk(z []int32) int32 {
	for len(z) > 1 {
		var best []int32
		most := -1
		for k := range z {
			part := slices.Delete(slices.Clone(z), k, k+1)
			if n := g.count(part); n > most || n == most && slices.Compare(part, best) < 0 {
				best, most = part, n
			}
		}
		z = best
	}
	return z[0]
}

func (g *graph) count(part []int32) int {
	var key []byte
	gone := 0
	for _, v := range part {
		key = binary.AppendUvarint(key, uint64(v))
		gone += g.gone[v]
	}
	n, ok := g.support[string(key)]
	if !ok {
		n = g.d.Count(part) + gone
		g.support[string(key)] = n
	}
	return n - gone
}

// pairs tells the frequent sets of two.
type pairs struct {
	d      *Data
	least  int
	hidden [][]int32
	of     map[int32][]bool // by item: the others
}

// with returns the items that are in frequent sets of two with an item.
func (w *pairs) with(item int32) []bool {
	if own, ok := w.of[item]; ok {
		return own
	}
	count := make([]int, len(w.d.count))
	for _, i := range w.d.ever(item) {
		if w.d.had(i, item) {
			for _, v := range w.d.origin.Row(int(i)) {
				count[v]++
			}
		}
	}
	own := make([]bool, len(count))
	for v, n := range count {
		pair := []int32{min(item, int32(v)), max(item, int32(v))}
		own[v] = n >= w.least && int32(v) != item &&
			!slices.ContainsFunc(w.hidden, func(z []int32) bool { return itemset.Contains(pair, z) })
	}
	w.of[item] = own
	return own
}

// order puts transactions into the order in which an item is deleted from them.
func (w *pairs) order(item int32, rows []int32) []int32 {
	others := w.with(item)
	hurt := make(map[int32]int, len(rows))
	for _, i := range rows {
		for _, v := range w.d.rows[i] {
			if others[v] {
				hurt[i]++
			}
		}
	}
	own := slices.Clone(rows)
	slices.SortStableFunc(own, func(a, b int32) int { return cmp.Compare(hurt[a], hurt[b]) })
	return own
}
