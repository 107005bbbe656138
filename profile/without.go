package profile

import (
	"context"
	"slices"

	"github.com/dither-data/dither/table"
)

// Without returns how many are unique as Exposure.Uniques counts them, by all quasi-identifiers but one, for each of these in column order. Cost: O(n q log q) expected
// time for n records and q quasi-identifiers, each step over the records that are not yet alone; memory as Expose.
func Without(ctx context.Context, t *table.Table) ([]int, error) {
	rows, of, _ := onceEach(t)
	if of != nil {
		t = t.Gather(rows)
	}
	cols, err := quasi(ctx, t)
	if err != nil || len(cols) == 0 {
		return nil, err
	}
	out := make([]int, len(cols))
	var r refiner
	var leave func(p partition, lo, hi int) error // p is refined by all columns outside lo..hi
	leave = func(p partition, lo, hi int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if hi-lo == 1 {
			out[lo] = p.alone(of)
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
	return out, leave(whole(t.Rows()), 0, len(cols))
}

// alone counts the records that are alone, or the people with such a record where it is known whose the records are.
func (p *partition) alone(of []int32) int {
	if of == nil {
		return p.uniques
	}
	shared := make([]bool, len(p.sizes)) // classes of several people: records that only the column left out tells apart may all be one person's
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
