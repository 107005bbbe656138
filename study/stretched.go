package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/stats/quantile"
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
func stretched(t *table.Table, except []string) error {
	for j := range t.Width() {
		a := t.Attr(j)
		if a.Kind != table.Numeric || a.Declared || a.Role&table.Weight != 0 || slices.Contains(except, a.Name) {
			continue
		}
		lo, hi, wide := core(t.Num(j))
		if !wide {
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

// core returns the range of the values without the farthest at either end, and whether all of them take more than
// stretch times as much.
func core(v []float64) (lo, hi float64, wide bool) {
	n, least, most := 0, math.Inf(1), math.Inf(-1)
	for _, x := range v {
		if x == x {
			n, least, most = n+1, min(least, x), max(most, x)
		}
	}
	if n < manyEnough {
		return 0, 0, false
	}
	k := max(1, int(farthest*float64(n)))
	ends := quantile.Ordered(v, k, n-1-k)
	lo, hi = ends[0], ends[1]
	return lo, hi, hi > lo && most-least > stretch*(hi-lo)
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
