package infoloss

import (
	"context"
	"math"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// block is how many records are taken between two looks at the context.
const block = 1 << 16

// values sets IL1 and IL1s, column by column on all cores. Sd holds the standard deviations of the original.
func (l *Loss) values(ctx context.Context, original, released *table.Table, cols []int, sd []float64) error {
	sums := make([]terms, len(cols))
	err := parallel.Each(ctx, len(cols), func(k int) error {
		x, y := original.Num(cols[k]), released.Num(cols[k])
		for lo := 0; lo < len(x) && ctx.Err() == nil; lo += block {
			hi := min(lo+block, len(x))
			sums[k].add(x[lo:hi], y[lo:hi], sd[k])
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	var all terms
	for k := range sums {
		s, c := &sums[k], &l.Columns[k]
		c.Cells, c.Suppressed = s.cells, s.suppressed
		c.IL1, c.IL1s = s.means()
		all.plain.Merge(&s.plain)
		all.stable.Merge(&s.stable)
		all.cells += s.cells
		all.suppressed += s.suppressed
	}
	l.IL1, l.IL1s = all.means()
	return nil
}

// terms sums the terms of IL1 and IL1s over cells; those of suppressed values are counted only.
type terms struct {
	plain, stable     exact.Sum
	cells, suppressed int
}

// add takes the values of some records of a column with the standard deviation sd.
func (t *terms) add(x, y []float64, sd float64) {
	unit := math.Inf(1) // of a change, in the term of IL1s
	if sd > 0 {
		unit = 1 / (math.Sqrt2 * sd)
	}
	for i, v := range x {
		w := y[i]
		if v != v {
			continue
		}
		t.cells++
		if w != w {
			t.suppressed++
			continue
		}
		d := math.Abs(v - w)
		if d == 0 {
			continue
		}
		stable := capped(float64(d * unit))
		t.stable.Add(stable)
		if v != 0 {
			t.plain.Add(capped(d / math.Abs(v)))
		} else {
			t.plain.Add(stable)
		}
	}
}

// means returns the means of the terms, NaN over no cells.
func (t *terms) means() (plain, stable float64) {
	n, lost := float64(t.cells), float64(t.suppressed)
	return (t.plain.Float64() + lost) / n, (t.stable.Float64() + lost) / n
}
