package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/table"
)

const (
	// stretch is how many times the range of all but the farthest values a domain may be wide.
	stretch = 50
	// farthest is the share of the values left out at either end, one at least.
	farthest = 0.005
	// manyEnough is the number of values below which none is called an outlier.
	manyEnough = 20
)

// stretched refuses a table with a number whose observed domain is more than 50 times as wide as the range of its
// values between the 0.5 and the 99.5 % quantile: noise that grows with the domain would drown all values but those of
// a few outliers. A declared domain is meant, and a column whose values between the quantiles are all one is not looked
// at. The error proposes a domain by rounded numbers. Cost: O(n) per numeric column.
func stretched(ctx context.Context, r *aggregate.Records, except []string) error {
	var columns []int
	for j := range r.Schema.Width() {
		a := r.Schema.Attr(j)
		if a.Kind == table.Numeric && !a.Declared && a.Role&table.Weight == 0 && !slices.Contains(except, a.Name) {
			columns = append(columns, j)
		}
	}
	ladders, err := r.Ladders(ctx, columns, func(_ int, l *aggregate.Ladder) (open []int) {
		if l.N >= manyEnough {
			_, open = l.Ranks(core(l.N))
		}
		return open
	})
	if err != nil {
		return err
	}
	for k, j := range columns {
		l, a := ladders[k], r.Schema.Attr(j)
		if l.N < manyEnough {
			continue
		}
		ends, _ := l.Ranks(core(l.N))
		least, most := l.Ends()
		lo, hi := ends[0], ends[1]
		if !(hi > lo && most-least > stretch*(hi-lo)) {
			continue
		}
		proposed := rounded(lo, hi)
		return fmt.Errorf("column %q: its noise would grow with its domain, which outliers stretch to more than %d times "+
			"the range of the middle 99 %% of the values; "+
			"declare a domain in a policy (--policy FILE, whose first line is version: 1), such as columns: {%s: {domain: "+
			"[%s, %s], outside: clip}}, which sets the outliers to its ends, or one that holds them all to go on as it is",
			a.Name, stretch, strconv.Quote(a.Name), written(proposed.Lo), written(proposed.Hi))
	}
	return nil
}

// core returns the places of the ends of n values without the farthest on either side.
func core(n int) (first, last int) {
	k := max(1, int(farthest*float64(n)))
	return k, n - 1 - k
}

// rounded widens an interval to multiples of the power of ten below its width, so that neither end is anybody's value.
func rounded(lo, hi float64) table.Interval {
	unit := portable.Pow(10, math.Floor(portable.Log10(hi-lo)))
	return table.Interval{Lo: float64(math.Floor(lo/unit) * unit), Hi: float64(math.Ceil(hi/unit) * unit)}
}

// written writes a rounded number without the digits that binary fractions add.
func written(v float64) string {
	short := strconv.FormatFloat(v, 'g', 12, 64)
	if w, err := strconv.ParseFloat(short, 64); err == nil {
		return strconv.FormatFloat(w, 'f', -1, 64)
	}
	return short
}
