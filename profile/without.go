package profile

import (
	"context"
	"slices"

	"github.com/dither-data/dither/table"
)

// Without returns how many are unique as Exposure.Uniques counts them, by all quasi-identifiers but one, for each of
// these in column order, and how many are where that one is coarsened instead of left out: coarse returns the group of
// every record of a column, from 0, or -1 where its value is missing; nil for a column that cannot be coarsened, whose
// count is then -1. A nil coarse coarsens none. Cost: O(n q log q) expected time for n records and q quasi-identifiers,
// each step over the records that are not yet alone, and q calls of coarse; memory as Expose.
func Without(
	ctx context.Context,
	t *table.Table,
	coarse func(c *table.Column) []int32,
) (without, coarser []int, err error) {
	rows, of, _ := onceEach(t)
	if of != nil {
		t = t.Gather(rows)
	}
	cols, err := quasi(ctx, t)
	if err != nil || len(cols) == 0 {
		return nil, nil, err
	}
	groups := coarsened(t, coarse)
	without, coarser = make([]int, len(cols)), make([]int, len(cols))
	r := newRefiner(nil)
	var leave func(p partition, lo, hi int) error // p is refined by all columns outside lo..hi
	leave = func(p partition, lo, hi int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if hi-lo == 1 {
			without[lo], coarser[lo] = p.alone(of), -1
			if groups[lo].codes != nil {
				p = r.refine(p, groups[lo], true)
				coarser[lo] = p.alone(of)
			}
			return nil
		}
		mid := (lo + hi) / 2
		for _, half := range [][4]int{{lo, mid, mid, hi}, {mid, hi, lo, mid}} {
			q := p
			for _, c := range cols[half[2]:half[3]] {
				q = r.refine(q, c, true)
			}
			if err := leave(q, half[0], half[1]); err != nil {
				return err
			}
		}
		return nil
	}
	return without, coarser, leave(whole(nil, t.Rows()), 0, len(cols))
}

// coarsened are the quasi-identifiers in column order, coarsened; without codes where one cannot be.
func coarsened(t *table.Table, coarse func(c *table.Column) []int32) (out []coded) {
	for j := range t.Width() {
		if t.Attr(j).Role&table.Quasi == 0 {
			continue
		}
		c, one := t.Column(j), coded{}
		if coarse != nil {
			one.codes = slices.Clone(coarse(&c))
		}
		for i := range one.codes {
			one.codes[i]++ // 0 is what is missing
			one.distinct = max(one.distinct, int(one.codes[i])+1)
		}
		out = append(out, one)
	}
	return out
}

// alone counts the records that are alone, or the people with such a record where it is known whose the records are.
func (p *partition) alone(of []int32) int {
	if of == nil {
		return p.uniques
	}
	// classes of several people: records that only the column left out tells apart may all be one person's
	shared := make([]bool, len(p.sizes))
	first := slices.Repeat([]int32{-1}, len(p.sizes))
	for i, row := range p.rows {
		if k := p.class[i]; first[k] < 0 {
			first[k] = of[row]
		} else if first[k] != of[row] {
			shared[k] = true
		}
	}
	together := make([]bool, len(of))
	for i, row := range p.rows {
		together[row] = shared[p.class[i]]
	}
	some := map[int32]bool{}
	for i, who := range of {
		if !together[i] {
			some[who] = true
		}
	}
	return len(some)
}
