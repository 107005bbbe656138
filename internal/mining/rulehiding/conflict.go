package rulehiding

import (
	"cmp"
	"context"
	"math/big"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/system/sorting"
)

// Oliveira & Zaiane 2002 and 2003 take patterns out of as many of the transactions that have them as a disclosure
// threshold says, and look at nothing else.

// Victim says which items of a pattern are deleted.
type Victim int

// The algorithms.
const (
	Naive  Victim = iota // all items; a transaction that would be empty keeps the commonest
	MinFIA               // the rarest item
	MaxFIA               // the commonest item
	IGA                  // an item that as many patterns as possible share
)

// Conflicts deletes items of patterns from the transactions that have them: ceil of their number times 1 - phi.
// Transactions that have many of the patterns come first, or last where ascending is asked for. Supports are those of
// the original. Cost: O(n) for each pattern.
func Conflicts(ctx context.Context, d *Data, patterns []basket.Pattern, phi Share, how Victim, ascending bool) error {
	w := &conflicts{d: d, count: slices.Clone(d.count), degree: make([]int32, d.Len())}
	for _, p := range patterns {
		z := p.Items()
		w.patterns, w.rows = append(w.patterns, z), append(w.rows, d.with(z))
	}
	for _, rows := range w.rows {
		for _, i := range rows {
			w.degree[i]++
		}
	}
	for k, rows := range w.rows {
		slices.SortStableFunc(rows, func(a, b int32) int {
			if ascending {
				return cmp.Compare(w.degree[a], w.degree[b])
			}
			return cmp.Compare(w.degree[b], w.degree[a])
		})
		w.rows[k] = rows[:left(phi, len(rows))]
		w.all = append(w.all, len(rows))
	}
	if how == IGA {
		return w.groups(ctx)
	}
	for k, z := range w.patterns {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch how {
		case Naive:
			w.clear(k)
		case MinFIA:
			w.take(k, rarest(z, w.count))
		case MaxFIA, IGA:
			w.take(k, commonest(z, w.count))
		}
	}
	return nil
}

// left is ceil(n (1 - phi)).
func left(phi Share, n int) int {
	x := new(big.Rat).Sub(big.NewRat(1, 1), phi.rat())
	if x.Sign() <= 0 {
		return 0
	}
	s, err := shareOf(x)
	if err != nil {
		return n
	}
	return s.Of(n)
}

type conflicts struct {
	d        *Data
	count    []int // of the original, by item
	degree   []int32
	patterns [][]int32
	rows     [][]int32 // those selected, by pattern
	all      []int     // transactions with the pattern
}

// take deletes an item of a pattern from the selected transactions that still have the pattern.
func (w *conflicts) take(k int, item int32) {
	for _, i := range w.rows[k] {
		if itemset.Contains(w.d.rows[i], w.patterns[k]) {
			w.d.delete(i, item)
		}
	}
}

// clear deletes all items of a pattern.
func (w *conflicts) clear(k int) {
	z := w.patterns[k]
	for _, i := range w.rows[k] {
		if !itemset.Contains(w.d.rows[i], z) {
			continue
		}
		keep := int32(-1)
		if len(w.d.rows[i]) == len(z) {
			keep = commonest(z, w.count)
		}
		for _, v := range z {
			if v != keep {
				w.d.delete(i, v)
			}
		}
	}
}

// group is patterns that share an item.
type group struct {
	patterns []int
	label    int32
}

// groups is IGA: patterns that share items lose the rarest of these, so that one deletion hides several.
func (w *conflicts) groups(ctx context.Context) error {
	list, err := w.shared(ctx)
	if err != nil {
		return err
	}
	in := make([]int, len(w.patterns)) // the group of a pattern, plus 1
	for g := range list {
		list[g].patterns = slices.DeleteFunc(list[g].patterns, func(k int) bool { return in[k] > 0 })
		for _, k := range list[g].patterns {
			in[k] = g + 1
		}
	}
	for g := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(list[g].patterns) < 2 {
			for _, k := range list[g].patterns {
				in[k] = 0 // alone
			}
			continue
		}
		order := slices.Clone(list[g].patterns)
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(w.all[b], w.all[a]) })
		for _, k := range order {
			w.take(k, list[g].label)
		}
	}
	for k, z := range w.patterns {
		if in[k] == 0 {
			w.take(k, rarest(z, w.count))
		}
	}
	return nil
}

// shared returns the groups: for every set of items that two patterns or more contain all patterns that do, each once,
// the largest first. The items that all patterns of a group share are a closed set of the patterns.
func (w *conflicts) shared(ctx context.Context) (out []group, err error) {
	t := &itemset.Transactions{Start: []int{0}, Labels: len(w.count)}
	for _, z := range w.patterns {
		t.Items = append(t.Items, z...)
		t.Start = append(t.Start, len(t.Items))
	}
	_, err = itemset.LCM(ctx, t, itemset.Query{Least: 2, Kind: itemset.Closed, Visit: func(items []int32, _ int) bool {
		g := group{label: rarest(items, w.count)}
		for k, z := range w.patterns {
			if itemset.Contains(z, items) {
				g.patterns = append(g.patterns, k)
			}
		}
		out = append(out, g)
		return true
	}})
	sorting.Stable(out, func(a, b group) int {
		return cmp.Or(cmp.Compare(len(b.patterns), len(a.patterns)), cmp.Compare(w.count[a.label], w.count[b.label]),
			cmp.Compare(a.label, b.label), slices.Compare(a.patterns, b.patterns))
	})
	return out, err
}
