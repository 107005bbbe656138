package rulehiding

import (
	"context"
	"slices"

	"github.com/dither-data/dither/basket"
)

// Bertino, Nai Fovino & Parasiliti Provenza 2005 name three algorithms by fuzzification, of which no more is published.
// Here they are 1.b, 2.a and 2.b with the same victims, which become unknown instead of being deleted. Items that
// matter little, of no impact on what the data are for, are victims first.

// Fuzzify hides rules by 1.b or 2.a with unknowns. The beginning of a rule still may be there, so its confidence falls
// no faster by an item of the beginning. Hiding a rule shows no other, so once through is enough. Cost: that of Rules.
func Fuzzify(ctx context.Context, d *Data, patterns []basket.Pattern, l Limits, how Strategy, free []int32) error {
	w := &rules{d: d, l: l, how: how, patterns: patterns}
	for _, p := range patterns {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows, with := d.with(p.Items()), d.most(p.If)
		both := len(rows)
		if l.Hides(both, with, d.Len()) {
			continue
		}
		if err := w.measure(ctx); err != nil {
			return err
		}
		from := p.Then
		if how == LowerRule {
			from = p.Items()
		}
		from = preferred(from, free)
		d.shortest(rows)
		for _, i := range rows {
			if l.Hides(both, with, d.Len()) {
				break
			}
			d.blur(i, w.impact.least(d, i, from))
			both--
		}
	}
	return nil
}

// FuzzifyLargest hides itemsets by 2.b with unknowns. Cost: that of Largest.
func FuzzifyLargest(ctx context.Context, d *Data, patterns []basket.Pattern, l Limits, free []int32) error {
	return d.each(ctx, d.largest(sets(patterns)), l, func(rows []int32) { d.shortest(rows) },
		func(z []int32, i int32, _ int) { d.blur(i, d.commonest(preferred(z, free))) })
}

// preferred returns the items that are free, or all where none is.
func preferred(items, free []int32) []int32 {
	var own []int32
	for _, v := range items {
		if slices.Contains(free, v) {
			own = append(own, v)
		}
	}
	if own == nil {
		return items
	}
	return own
}

// Mixed hides rules by CR and CR2 in turn (Saygin, Verykios & Clifton 2001): rounds of so many items of the end that
// become unknown where the rule holds, and so many transactions in which items of the beginning that are not there do.
// An item of the end that became unknown becomes so in one of these, too, where it is not there: who reads every "?" as
// an item is wrong as often as right where a round has as many of both. A round is made to its end. A rule stays where
// no transaction is left. Cost: O(n log n) for each rule.
func Mixed(ctx context.Context, d *Data, patterns []basket.Pattern, l Limits, ones, zeros int) error {
	for _, p := range patterns {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows, with := d.with(p.Items()), d.most(p.If)
		both := len(rows)
		if l.Hides(both, with, d.Len()) {
			continue
		}
		d.shortest(rows)
		var lack, owed []int32
		d.incomplete(p, func(i int32) bool {
			lack = append(lack, i)
			return true
		})
		for !l.Hides(both, with, d.Len()) && len(rows)+len(lack) > 0 {
			for k := 0; k < ones && len(rows) > 0; k++ {
				item := d.commonest(p.Then)
				d.blur(rows[0], item)
				rows, owed = rows[1:], append(owed, item)
				both--
			}
			for k := 0; k < zeros && len(lack) > 0; k++ {
				i := lack[0]
				for _, v := range p.If {
					if !d.may(i, v) {
						d.blur(i, v)
					}
				}
				if len(owed) > 0 {
					if !d.may(i, owed[0]) {
						d.blur(i, owed[0])
					}
					owed = owed[1:]
				}
				lack = lack[1:]
				with++
			}
		}
	}
	return nil
}
