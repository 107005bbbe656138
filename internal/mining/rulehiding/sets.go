package rulehiding

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/basket"
)

// Verykios et al. 2004, 2.b and 2.c, and Saygin, Verykios & Clifton 2001, GIH, hide the itemsets that rules are
// generated from, by their support alone.

// Largest hides itemsets (2.b), the largest first: from the shortest transaction with all items the commonest item is
// deleted. Cost: O(n log n) for each set.
func Largest(ctx context.Context, d *Data, patterns []basket.Pattern, l Limits) error {
	return d.each(ctx, d.largest(sets(patterns)), l, func(rows []int32) { d.shortest(rows) },
		func(z []int32, i int32, _ int) { d.delete(i, d.commonest(z)) })
}

// largest puts sets into the order of 2.b: long ones first, of these those that most transactions have.
func (d *Data) largest(list [][]int32) [][]int32 {
	support := make(map[*int32]int, len(list))
	for _, z := range list {
		support[&z[0]] = d.Count(z)
	}
	slices.SortStableFunc(list, func(a, b []int32) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(support[&b[0]], support[&a[0]]), slices.Compare(a, b))
	})
	return list
}

// InTurn hides itemsets (2.c): from the transactions with all items, in their order, one item after the other is
// deleted, in turn. Cost: O(n) for each set.
func InTurn(ctx context.Context, d *Data, patterns []basket.Pattern, l Limits) error {
	return d.each(ctx, sets(patterns), l, func([]int32) {}, func(z []int32, i int32, k int) { d.delete(i, z[k%len(z)]) })
}

// GIH hides itemsets: in the shortest transaction with all items the commonest item becomes unknown. Cost: O(n log n)
// for each set.
func GIH(ctx context.Context, d *Data, patterns []basket.Pattern, l Limits) error {
	return d.each(ctx, sets(patterns), l, func(rows []int32) { d.shortest(rows) },
		func(z []int32, i int32, _ int) { d.blur(i, d.commonest(z)) })
}

// each changes transactions with all items of a set, in an order, until the set is hidden; the k-th change is told k
// from 0.
func (d *Data) each(
	ctx context.Context,
	list [][]int32,
	l Limits,
	order func(rows []int32),
	change func(z []int32, i int32, k int),
) error {
	for _, z := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows := d.with(z)
		order(rows)
		for k := 0; !l.Support.Above(len(rows)-k, d.Len()) && k < len(rows); k++ {
			change(z, rows[k], k)
		}
	}
	return nil
}

// Saygin, Verykios & Clifton 2001 hide rules by what a reader cannot know: CR makes items of the end unknown where the
// rule holds, CR2 items of the beginning where neither side is whole.

// CR hides rules by lowering their least confidence. Cost: O(n log n) for each rule.
func CR(ctx context.Context, d *Data, patterns []basket.Pattern, l Limits) error {
	for _, p := range patterns {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows, with := d.with(p.Items()), d.most(p.If)
		d.shortest(rows)
		both := len(rows)
		for _, i := range rows {
			if l.Hides(both, with, d.Len()) {
				break
			}
			d.blur(i, d.commonest(p.Then))
			both--
		}
	}
	return nil
}

// CR2 hides rules by raising the number of transactions that may have their beginning. A rule stays where no
// transaction is left. Cost: O(n log n) for each rule.
func CR2(ctx context.Context, d *Data, patterns []basket.Pattern, l Limits) error {
	for _, p := range patterns {
		if err := ctx.Err(); err != nil {
			return err
		}
		both, with := d.Count(p.Items()), d.most(p.If)
		if l.Hides(both, with, d.Len()) {
			continue
		}
		d.incomplete(p, func(i int32) bool {
			if l.Hides(both, with, d.Len()) {
				return false
			}
			for _, v := range p.If {
				if !d.may(i, v) {
					d.blur(i, v)
				}
			}
			with++
			return true
		})
	}
	return nil
}

// most counts the transactions that have or may have all items.
func (d *Data) most(items []int32) (n int) {
	if d.unknown == nil {
		return d.Count(items)
	}
	for _, i := range d.fewest(items) {
		if !slices.ContainsFunc(items, func(v int32) bool { return !d.may(i, v) }) {
			n++
		}
	}
	return n
}

// State is what can be told of a pattern.
type State struct {
	Both, With int  // transactions with all its items, and that have or may have the beginning of a rule
	Hidden     bool // by the limits
}

// StateOf counts a pattern in the transactions as they are now.
func (d *Data) StateOf(p basket.Pattern, l Limits) State {
	s := State{Both: d.Count(p.Items())}
	if !p.Rule() {
		s.With = s.Both
		s.Hidden = l.Support.Above(s.Both, d.Len())
		return s
	}
	s.With = d.most(p.If)
	s.Hidden = l.Hides(s.Both, s.With, d.Len())
	return s
}
