package hiding

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/rulehiding"
	"github.com/dither-data/dither/table"
)

// segments divides the records by their class; one without a class is in one with all, as is every record where the
// class itself loses a value.
func (p *Plan) segments(t *table.Table) []int32 {
	out := make([]int32, t.Rows())
	if j := t.WithRole(table.Class); j >= 0 && t.Attr(j).Kind == table.Categorical && !slices.Contains(p.Columns, j) {
		for i, v := range t.Cat(j) {
			out[i] = v + 1
		}
	}
	return out
}

// deal gives values in turn, each as often as records of a segment have it: the one whose share is furthest behind
// comes first.
type deal struct {
	items         []int32
	weight, given []int64
}

// next tries the values in turn until one is taken, and reports whether one was. Cost: O(k log k) for k values.
func (a *deal) next(try func(item int32) bool) bool {
	order := make([]int, len(a.items))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(x, y int) int { // (given+1)/weight ascends
		return cmp.Compare((a.given[x]+1)*a.weight[y], (a.given[y]+1)*a.weight[x])
	})
	for _, k := range order {
		if try(a.items[k]) {
			a.given[k]++
			return true
		}
	}
	return false
}

// replace puts other values in the place of deleted ones: of those that records of the same segment had, in turn and
// as often, the first that keeps every pattern as far down as the algorithm has brought it. It returns how many found
// one. Items of sets stay deleted, and so does what no value can replace. Cost: for every deletion O(k log k) for the
// k values of its column, and the items of the patterns with those that are tried.
func (p *Plan) replace(
	ctx context.Context,
	d *rulehiding.Data,
	c *basket.Coding,
	t *table.Table,
	list []basket.Pattern,
	limits rulehiding.Limits,
) (replaced int, err error) {
	type place struct {
		column  int
		segment int32
	}
	segment := p.segments(t)
	deals := map[place]*deal{}
	w := p.weigh(d, list, limits)
	for i := range d.Len() {
		for _, was := range d.Was(i) {
			column := c.ColumnOf(was)
			if d.Has(i, was) || !c.Single(column) {
				continue
			}
			if ctx.Err() != nil {
				return replaced, ctx.Err()
			}
			at := place{column, segment[i]}
			if deals[at] == nil {
				deals[at] = newDeal(c, d.Was, segment, at.segment, column)
			}
			if deals[at].next(func(item int32) bool { return item != was && w.put(i, item) }) {
				replaced++
			}
		}
	}
	return replaced, nil
}

// weighed is the patterns while items are added: a transaction that gets an item counts for a pattern with it, or does
// not, so the counts need no look at the others.
type weighed struct {
	d     *rulehiding.Data
	of    map[int32][]*counted
	still func(s *counted) bool // whether a pattern of these counts is hidden
}

// counted is a pattern with the transactions that have all of it, and its beginning.
type counted struct {
	basket.Pattern
	both, with int
}

// weigh counts the patterns. Where there is no threshold that says what is hidden none may gain a transaction: a
// disclosure threshold has been used up.
func (p *Plan) weigh(d *rulehiding.Data, list []basket.Pattern, limits rulehiding.Limits) *weighed {
	w := &weighed{d: d, of: map[int32][]*counted{}}
	w.still = func(s *counted) bool {
		if p.forRules() {
			return limits.Hides(s.both, s.with, d.Len())
		}
		return limits.Support.Above(s.both, d.Len()) // never, without a threshold
	}
	for _, one := range list {
		s := &counted{one, d.Count(one.Items()), d.Count(one.If)}
		for _, v := range one.Items() {
			w.of[v] = append(w.of[v], s)
		}
	}
	return w
}

// put gives a transaction an item, unless it would have a pattern then that is not hidden.
func (w *weighed) put(i int, item int32) bool {
	gains := func(items []int32) bool { // with the item, it has all of them
		return slices.Contains(items, item) &&
			!slices.ContainsFunc(items, func(v int32) bool { return v != item && !w.d.Has(i, v) })
	}
	for _, s := range w.of[item] {
		if !gains(s.Items()) {
			continue
		}
		after := *s
		after.both++
		if gains(s.If) {
			after.with++
		}
		if !w.still(&after) {
			return false
		}
	}
	for _, s := range w.of[item] {
		if gains(s.If) {
			s.with++
		}
		if gains(s.Items()) {
			s.both++
		}
	}
	w.d.Put(i, item)
	return true
}

// newDeal counts the values of a column in a segment.
func newDeal(c *basket.Coding, row func(i int) []int32, segment []int32, own int32, column int) *deal {
	count := map[int32]int64{}
	for i, s := range segment {
		if s != own {
			continue
		}
		for _, v := range row(i) {
			if c.ColumnOf(v) == column {
				count[v]++
			}
		}
	}
	a := &deal{}
	for v := range count {
		a.items = append(a.items, v)
	}
	slices.Sort(a.items)
	for _, v := range a.items {
		a.weight = append(a.weight, count[v])
	}
	a.given = make([]int64, len(a.items))
	return a
}
