package rareset

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
)

// Standing says how far sets of up to so many items, 1 to m, tell records apart.
type Standing struct {
	Least []int // how many records have the rarest one; 0 where no record has an item
	In    []int // records with one that fewer than k have
}

// Standing counts the records of all sets of up to m items, of data whose every record is a person's. Cost: Work.
func (d *Data) Standing(ctx context.Context, k, m int) (Standing, error) {
	type state struct {
		*search
		size []uint8 // by place in items: of the smallest rare set that ends there
	}
	workers, err := parallel.With(ctx, len(d.label), func() *state {
		w := &state{d.search(k, m), make([]uint8, len(d.items))}
		w.visit = func(set, last []int32) bool {
			n := uint8(len(set))
			for _, at := range last {
				if old := w.size[at]; old == 0 || n < old {
					w.size[at] = n
				}
			}
			// none is rarer than one record, nor are those of more items
			w.through = slices.Min(w.least[:min(len(set)+1, m)]) > 1
			return true
		}
		return w
	}, func(w *state, rank int) error {
		w.from(rank)
		return nil
	})
	if err != nil {
		return Standing{}, err
	}
	out := Standing{slices.Repeat([]int{math.MaxInt}, m), make([]int, m)}
	for _, w := range workers {
		for i, n := range w.least {
			out.Least[i] = min(out.Least[i], n)
		}
	}
	for i := range m {
		if i > 0 {
			out.Least[i] = min(out.Least[i], out.Least[i-1])
		}
	}
	if out.Least[0] == math.MaxInt {
		clear(out.Least)
	}
	for _, at := range d.start {
		smallest := m + 1
		for ; d.items[at] != end; at++ {
			for _, w := range workers {
				if n := int(w.size[at]); n > 0 {
					smallest = min(smallest, n)
				}
			}
		}
		for i := smallest; i <= m; i++ {
			out.In[i-1]++
		}
	}
	return out, nil
}
