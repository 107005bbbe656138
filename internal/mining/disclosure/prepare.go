package disclosure

import (
	"cmp"
	"slices"
)

// Prepare returns the statements that tell of nobody, by Attack: a set is left out where it tells of few people or a
// secret, and so are those that have all of its items. May is nil, or says which items may be named. Statements hold
// all parts of each set, as frequent itemsets do; the number of records is always told. Cost: that of Attack, a few
// times.
func Prepare(told []Statement, l Limits, may func(item int32) bool) []Statement {
	told = slices.Clone(told)
	slices.SortStableFunc(told, func(a, b Statement) int {
		return cmp.Or(cmp.Compare(len(a.Items), len(b.Items)), slices.Compare(a.Items, b.Items))
	})
	out := kept(told, l, func(s Statement) bool {
		return may == nil || !slices.ContainsFunc(s.Items, func(k int32) bool { return !may(k) })
	})
	for {
		gone := undone(out, l)
		if len(gone) == 0 {
			return out
		}
		at := newAttack(gone, l)
		out = kept(out, l, func(s Statement) bool { _, is := at.count[at.name(s.Items)]; return !is })
	}
}

// kept returns the statements, by length, that may stay, whose parts are all kept, and which tell of nobody.
func kept(told []Statement, l Limits, may func(s Statement) bool) (out []Statement) {
	a := newAttack(nil, l)
	for _, s := range told {
		if len(s.Items) > 0 {
			if !may(s) || len(s.Items) > longest || l.few(s.Count) || !a.parts(s.Items) {
				continue
			}
			a.count[a.name(s.Items)] = s.Count
			if g := a.groups(s.Items); g.few || g.secret {
				delete(a.count, a.name(s.Items))
				continue
			}
		}
		a.count[a.name(s.Items)] = s.Count
		out = append(out, s)
	}
	return out
}

// undone returns the statements to leave out as they bound another set too closely, or as the rest of a column is few:
// the part or the value of the fewest records.
func undone(told []Statement, l Limits) (out []Statement) {
	a := newAttack(told, l)
	least := func(sets [][]int32) {
		var s Statement
		for k, items := range sets {
			if n, _ := a.support(items); k == 0 || n < s.Count {
				s = Statement{items, n}
			}
		}
		out = append(out, s)
	}
	a.border(func(items []int32) {
		if g := a.groups(items); g.few || g.secret {
			var parts [][]int32
			for k := range items {
				parts = append(parts, slices.Delete(slices.Clone(items), k, k+1))
			}
			least(parts)
		}
	})
	a.rests(func(s Statement, rest int, values []int32) {
		if l.few(rest) {
			var sets [][]int32
			for _, v := range values {
				sets = append(sets, with(s.Items, v))
			}
			least(sets)
		}
	})
	return out
}
