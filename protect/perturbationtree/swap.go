package perturbationtree

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// swap gives the confidential values of every record to another of its leaf, drawn at random. Where the record whose
// values it would get lacks one, it gets that of the record whose values that one gets, and so on: among the records
// that have the value, too, every permutation is as likely.
func (p *Plan) swap(
	t *table.Table,
	x *Part,
	cols []table.Column,
	known [][]float64,
	leaf []int32,
	src rng.Source,
) error {
	from := donors(t, leaf, x.Tree.Leaves(), src.Stream())
	return parallel.Each(context.Background(), len(x.Columns), func(c int) error {
		a, v := p.attribute(x.Columns[c]), known[c]
		d := wrap.On(a.Domain, a.Step)
		y := make([]float64, len(v))
		for i := range v {
			if y[i] = v[i]; v[i] != v[i] {
				continue
			}
			k := from[i]
			for v[k] != v[k] {
				k = from[k]
			}
			if y[i] = v[k]; a.Step > 0 {
				y[i] = d.Clip(v[k])
			}
		}
		cols[x.Columns[c]] = table.Column{Attribute: a, Num: y}
		return nil
	})
}

// donors returns a permutation that stays within the leaves, keyed by the identities of the records.
func donors(t *table.Table, leaf []int32, leaves int, s rng.Stream) []int32 {
	keys := make([]rng.Block, t.Rows())
	ids, first := t.IDs()
	rng.Blocks(s, keys, ids, first)
	from := make([]int32, len(keys))
	members, start := byLeaf(leaf, leaves)
	_ = parallel.Ranges(context.Background(), leaves, 1<<10, func(lo, hi int) error {
		var order []int32
		for l := lo; l < hi; l++ {
			rows := members[start[l]:start[l+1]]
			order = append(order[:0], rows...)
			slices.SortFunc(order, func(i, k int32) int {
				return cmp.Or(cmp.Compare(keys[i].A, keys[k].A), cmp.Compare(keys[i].B, keys[k].B), cmp.Compare(i, k))
			})
			for r, i := range rows {
				from[i] = order[r]
			}
		}
		return nil
	})
	return from
}

// byLeaf returns the rows leaf by leaf, those of leaf l from start[l] to start[l+1], in their order.
func byLeaf(leaf []int32, leaves int) (rows, start []int32) {
	start = make([]int32, leaves+1)
	for _, l := range leaf {
		start[l+1]++
	}
	for l := range leaves {
		start[l+1] += start[l]
	}
	rows, next := make([]int32, len(leaf)), slices.Clone(start)
	for i, l := range leaf {
		rows[next[l]] = int32(i)
		next[l]++
	}
	return rows, start
}
