package hide

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/itemset"
)

// BorderSet is a member of the revised positive border with its support.
type BorderSet struct {
	Items []int32
	Count int
}

// Border returns the revised positive border (Sun & Yu 2005): the maximal ones of the frequent itemsets of the original that contain no sensitive set, as lists of codes in their order.
// What keeps it keeps all of them. Cost: that of mining all frequent itemsets, which are held.
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
	err := frequent(ctx, d.origin, least, sets(patterns), func(items []int32, support int) {
		at[key(items)] = len(all)
		all = append(all, BorderSet{slices.Clone(items), support})
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
	slices.SortFunc(out, func(a, b BorderSet) int { return slices.Compare(a.Items, b.Items) })
	return out, nil
}

// MaxMin hides itemsets by the border (Moustakides & Verykios 2006, algorithm 1): of the items of a set that is deleted whose least supported set of the border has the most support, from
// the shortest transaction with all items. Sets of little support come first. Cost: for every deletion the sets of the border with an item of the set, and that of Border.
func MaxMin(ctx context.Context, d *Data, patterns []basket.Pattern, least int) error {
	border, err := Border(ctx, d, patterns, least)
	if err != nil {
		return err
	}
	list := sets(patterns)
	of := map[int32][]int{}
	for _, z := range list {
		for _, v := range z {
			of[v] = nil
		}
	}
	for k, s := range border {
		for _, v := range s.Items {
			if own, ok := of[v]; ok {
				of[v] = append(own, k)
			}
		}
	}
	support := make(map[*int32]int, len(list))
	for _, z := range list {
		support[&z[0]] = d.Count(z)
	}
	slices.SortStableFunc(list, func(a, b []int32) int {
		return cmp.Or(cmp.Compare(support[&a[0]], support[&b[0]]), cmp.Compare(len(b), len(a)), slices.Compare(a, b))
	})
	for _, z := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows := d.with(z)
		d.shortest(rows)
		for k := 0; len(rows)-k >= least && k < len(rows); k++ {
			victim := maxMin(z, border, of, least)
			for _, b := range of[victim] {
				if itemset.Contains(d.rows[rows[k]], border[b].Items) {
					border[b].Count--
				}
			}
			d.delete(rows[k], victim)
		}
	}
	return nil
}

// maxMin returns the item whose least supported set of the border that still stands has the most support, the lower of equal ones.
func maxMin(z []int32, border []BorderSet, of map[int32][]int, least int) int32 {
	best, most := z[0], -1
	for _, v := range z {
		own := math.MaxInt
		for _, b := range of[v] {
			if n := border[b].Count; n >= least {
				own = min(own, n)
			}
		}
		if own > most {
			best, most = v, own
		}
	}
	return best
}
