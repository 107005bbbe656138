package bore

import (
	"fmt"
	"sort"

	"github.com/dither-data/dither/internal/quantile"
	"github.com/dither-data/dither/internal/rank"
	"github.com/dither-data/dither/table"
)

// Cuts are the limits of bins of numbers: the largest number of every bin but the last, ascending. They may be nil for categories.
type Cuts []float64

// Bins returns the limits of at most so many bins of about equally many values, by quantile.Cuts. Missing values do not count. Cost: that of
// rank.Order.
func Bins(values []float64, bins int) Cuts { return quantile.Cuts(rank.MarginalOf(values), bins) }

// Codes returns the code of every value of a column of numbers or categories: that of a category, the bin of a number, -1 for a missing one. The codes of categories
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

// Condition writes "attribute = value" of a category, or the interval of a bin.
func (c Cuts) Condition(a *table.Attribute, value int32) string {
	name := fmt.Sprintf("%.60s", a.Name)
	if a.Kind == table.Categorical {
		return fmt.Sprintf("%s = %.60s", name, a.Labels[value])
	}
	number := func(v float64) string { return string(table.AppendNumber(nil, v, a.Step)) }
	switch last := len(c); {
	case last == 0:
		return name + " known"
	case value == 0:
		return fmt.Sprintf("%s ≤ %s", name, number(c[0]))
	case int(value) == last:
		return fmt.Sprintf("%s > %s", name, number(c[last-1]))
	}
	return fmt.Sprintf("%s < %s ≤ %s", number(c[value-1]), name, number(c[value]))
}
