package rulehiding

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
)

// SWA is the sliding window of Oliveira & Zaiane 2003: windows of so many transactions one after the other, each by
// itself, so that transactions are looked at once. From ceil of their number times 1 - psi of the transactions with a
// pattern, the shortest first, the item is deleted that most sensitive pairs of transaction and pattern have. Psi is by
// pattern. Cost: O(n log n) for each pattern.
func SWA(ctx context.Context, d *Data, patterns []basket.Pattern, psi []Share, window int) error {
	list := make([][]int32, len(patterns))
	for k, p := range patterns {
		list[k] = p.Items()
	}
	freq := make([]int, len(d.count))
	for from := 0; from < d.Len(); from += window {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+window, d.Len())
		size := make([]int32, to-from)
		for i := range size {
			size[i] = int32(len(d.rows[from+i]))
		}
		d.window(int32(from), int32(to), size, list, psi, freq)
	}
	return nil
}

// Window hides sets in one window, by itself, as SWA does: of transactions of which the items of the sets are given,
// and size is how many each has in all. It reports which items are deleted, by their places in t.Items. Cost: O(n log
// n) for each set.
func Window(t *itemset.Transactions, size []int32, list [][]int32, psi []Share) (gone []bool) {
	d := NewData(t)
	d.window(0, int32(d.Len()), size, list, psi, make([]int, t.Labels))
	gone = make([]bool, len(t.Items))
	for i := range d.rows {
		for k, v := range t.Row(i) {
			gone[t.Start[i]+k] = !d.Has(i, v)
		}
	}
	return gone
}

// window hides the patterns in the transactions from one to before another, whose sizes are those before anything is
// deleted.
func (d *Data) window(from, to int32, size []int32, list [][]int32, psi []Share, freq []int) {
	rows := make([][]int32, len(list))
	for k, z := range list {
		rows[k] = d.between(z, from, to)
		for _, v := range z {
			freq[v] += len(rows[k])
		}
	}
	order := make([]int, len(list))
	victim := make([]int32, len(list))
	for k, z := range list {
		order[k], victim[k] = k, z[0]
		for _, v := range z[1:] {
			if freq[v] > freq[victim[k]] {
				victim[k] = v
			}
		}
	}
	for k, z := range list {
		for _, v := range z {
			freq[v] -= len(rows[k])
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(rows[b]), len(rows[a])) })
	for _, k := range order {
		own := rows[k]
		slices.SortStableFunc(own, func(a, b int32) int { return cmp.Compare(size[a-from], size[b-from]) })
		for _, i := range own[:left(psi[k], len(own))] {
			if itemset.Contains(d.rows[i], list[k]) {
				d.delete(i, victim[k])
			}
		}
	}
}

// between returns the transactions of a window that have all items, ascending.
func (d *Data) between(z []int32, from, to int32) (out []int32) {
	var best []int32
	for k, v := range z {
		all := d.ever(v)
		lo, _ := slices.BinarySearch(all, from)
		hi, _ := slices.BinarySearch(all, to)
		if own := all[lo:hi]; k == 0 || len(own) < len(best) {
			best = own
		}
	}
	for _, i := range best {
		if itemset.Contains(d.rows[i], z) {
			out = append(out, i)
		}
	}
	return out
}
