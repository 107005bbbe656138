package rulehiding

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/system/sorting"
)

// BorderSet is a member of the revised positive border with its support.
type BorderSet struct {
	Items []int32
	Count int
}

// Border returns the revised positive border (Sun & Yu 2005): the maximal ones of the frequent itemsets of the original
// that contain no sensitive set, as lists of codes in their order. What keeps it keeps all of them. Cost: that of
// mining all frequent itemsets, which are held; it returns TooMany where they are more than a million.
func Border(ctx context.Context, d *Data, patterns []basket.Pattern, least int) ([]BorderSet, error) {
	var all []BorderSet
	at := map[string]int{}
	key := func(items []int32) string {
		var b []byte
		for _, v := range items {
			b = binary.AppendUvarint(b, uint64(v))
		}
		return string(b)
	}
	err := frequent(ctx, d.origin, least, sets(patterns), most, func(items []int32, support int) bool {
		at[key(items)] = len(all)
		all = append(all, BorderSet{slices.Clone(items), support})
		return true
	})
	if err != nil {
		return nil, err
	}
	inner := make([]bool, len(all)) // a larger set is among them
	part := make([]int32, 0, 64)
	for _, s := range all {
		for k := range s.Items {
			part = append(append(part[:0], s.Items[:k]...), s.Items[k+1:]...)
			if own, ok := at[key(part)]; ok {
				inner[own] = true
			}
		}
	}
	var out []BorderSet
	for k, s := range all {
		if !inner[k] {
			out = append(out, s)
		}
	}
	sorting.Func(out, func(a, b BorderSet) int { return slices.Compare(a.Items, b.Items) })
	return out, nil
}

// MaxMin hides itemsets by the border (Moustakides & Verykios 2006, algorithm 1): of the items of a set that is deleted
// whose least supported set of the border has the most support, from the shortest transaction with all items. Sets of
// little support come first. Cost: for every deletion the sets of the border with an item of the set, and that of
// Border.
func MaxMin(ctx context.Context, d *Data, patterns []basket.Pattern, least int) error {
	return maxMin(ctx, d, patterns, least, false)
}

// MaxMin2 is MaxMin by algorithm 2: the item is deleted from the shortest transaction that does not have the set of the
// border which chose it, where there is one. Cost: as MaxMin, and for every deletion the transactions with all items.
func MaxMin2(ctx context.Context, d *Data, patterns []basket.Pattern, least int) error {
	return maxMin(ctx, d, patterns, least, true)
}

func maxMin(ctx context.Context, d *Data, patterns []basket.Pattern, least int, spare bool) error {
	w, err := newBordered(ctx, d, patterns, least)
	if err != nil {
		return err
	}
	slices.SortStableFunc(w.list, func(a, b []int32) int {
		return cmp.Or(cmp.Compare(w.support[&a[0]], w.support[&b[0]]), cmp.Compare(len(b), len(a)), slices.Compare(a, b))
	})
	for _, z := range w.list {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows := d.with(z)
		d.shortest(rows)
		for len(rows) >= max(1, least) {
			victim, weak := w.maxMin(z)
			at := 0
			if spare && weak >= 0 {
				at = max(0,
					slices.IndexFunc(rows, func(i int32) bool { return !itemset.Contains(d.rows[i], w.border[weak].Items) }))
			}
			w.delete(rows[at], victim)
			rows = slices.Delete(rows, at, at+1)
		}
	}
	return nil
}

// bordered is sets being hidden beside the border.
type bordered struct {
	d       *Data
	least   int
	border  []BorderSet // with the support now
	list    [][]int32
	support map[*int32]int  // of a set of the list before anything is deleted, by the place of its first item
	of      map[int32][]int // by item of the list: members of the border
}

func newBordered(ctx context.Context, d *Data, patterns []basket.Pattern, least int) (*bordered, error) {
	border, err := Border(ctx, d, patterns, least)
	if err != nil {
		return nil, err
	}
	w := &bordered{
		d:       d,
		least:   least,
		border:  border,
		list:    sets(patterns),
		support: map[*int32]int{},
		of:      map[int32][]int{},
	}
	for _, z := range w.list {
		w.support[&z[0]] = d.Count(z)
		for _, v := range z {
			w.of[v] = nil
		}
	}
	for k, s := range border {
		for _, v := range s.Items {
			if own, ok := w.of[v]; ok {
				w.of[v] = append(own, k)
			}
		}
	}
	return w, nil
}

// delete takes an item of the list out of a transaction and counts the border.
func (w *bordered) delete(i, item int32) {
	for _, b := range w.of[item] {
		if itemset.Contains(w.d.rows[i], w.border[b].Items) {
			w.border[b].Count--
		}
	}
	w.d.delete(i, item)
}

// maxMin returns the item whose least supported set of the border that still stands has the most support, the lower of
// equal ones, and that set, the first of equal ones; -1 where no set of the border with the item stands.
func (w *bordered) maxMin(z []int32) (best int32, weak int) {
	most := -1
	for _, v := range z {
		own, at := math.MaxInt, -1
		for _, b := range w.of[v] {
			if n := w.border[b].Count; n >= w.least && n < own {
				own, at = n, b
			}
		}
		if own > most {
			best, weak, most = v, at, own
		}
	}
	return best, weak
}
