package hiding

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/hide"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// What becomes of a number or a category whose item is deleted.
const (
	Missing = "missing"
	Value   = "value"
)

// Deletions declares what becomes of deleted values.
func (s *Settings) Deletions() param.Set {
	return param.Set{param.Choice(&s.Deleted, "deleted", Missing, []string{Missing, Value}, "a deleted number or category becomes missing, or another value that records of the same class have, where that brings no pattern back; items of sets are deleted")}
}

// segments divides the records by their class; one without a class is in one with all, as is every record where the class itself loses a value.
func (p *Plan) segments(t *table.Table) []int32 {
	out := make([]int32, t.Rows())
	if j := t.WithRole(table.Class); j >= 0 && t.Attr(j).Kind == table.Categorical && !slices.Contains(p.Columns, j) {
		for i, v := range t.Cat(j) {
			out[i] = v + 1
		}
	}
	return out
}

// deal gives values in turn, each as often as records of a segment have it: the one whose share is furthest behind comes first.
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

// replace puts other values in the place of deleted ones: of those that records of the same segment had, in turn and as often, the first that leaves every pattern hidden which is. It returns how many found one. Items
// of sets stay deleted, and so does what no value can replace. Cost: for every deletion the values of its column, and counting the patterns of those that are tried.
func (p *Plan) replace(ctx context.Context, d *hide.Data, c *basket.Coding, t *table.Table, list []basket.Pattern, limits hide.Limits) (replaced int, err error) {
	type place struct {
		column  int
		segment int32
	}
	segment := p.segments(t)
	deals := map[place]*deal{}
	of := map[int32][]basket.Pattern{}
	for _, one := range list {
		for _, v := range one.Items() {
			of[v] = append(of[v], one)
		}
	}
	visible := func(item int32) (n int) { return p.found(d, of[item], limits) }
	for i := range d.Len() {
		if i%1024 == 0 && ctx.Err() != nil {
			return replaced, ctx.Err()
		}
		for _, was := range d.Was(i) {
			column := c.ColumnOf(was)
			if d.Has(i, was) || !c.Single(column) || d.Taken(i, was) {
				continue
			}
			at := place{column, segment[i]}
			if deals[at] == nil {
				deals[at] = newDeal(c, d.Was, segment, at.segment, column)
			}
			if deals[at].next(func(item int32) bool {
				if item == was {
					return false
				}
				before := visible(item)
				d.Put(i, item)
				if visible(item) > before {
					d.Take(i, item)
					return false
				}
				return true
			}) {
				replaced++
			}
		}
	}
	return replaced, nil
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
