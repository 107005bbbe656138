package bore

import (
	"sort"

	"github.com/dither-data/dither/internal/rank"
	"github.com/dither-data/dither/table"
)

// Cuts are the limits of bins of numbers: the largest number of every bin but the last, ascending. They may be nil for categories.
type Cuts []float64

// Bins returns the limits of at most so many bins of about equally many values: a bin takes its share of the values that are left, and all
// that equal its largest. Missing values do not count. Cost: that of rank.Order.
func Bins(values []float64, bins int) Cuts {
	ascending := rank.MarginalOf(values)
	var out Cuts
	for start, n := 0, len(ascending); start < n && bins > 1; bins-- {
		largest := ascending[start+(n-start-1)/bins]
		start += sort.Search(n-start, func(k int) bool { return ascending[start+k] > largest })
		if start < n {
			out = append(out, largest)
		}
	}
	return out
}

// Codes returns the code of every value of a column: that of a category, the bin of a number, -1 for a missing one. The codes of categories
// are shared and must not be written.
func (c Cuts) Codes(col table.Column) []int32 {
	if col.Kind == table.Categorical {
		return col.Cat
	}
	out := make([]int32, len(col.Num))
	for i, v := range col.Num {
		out[i] = c.Code(v)
	}
	return out
}

// Code returns the bin of a number, -1 for a missing one.
func (c Cuts) Code(v float64) int32 {
	if v != v {
		return -1
	}
	return int32(sort.SearchFloat64s(c, v))
}
