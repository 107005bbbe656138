package bore

import (
	"fmt"
	"sort"

	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/table"
)

// Cuts are the limits of bins of numbers: the largest number of every bin but the last, ascending. They may be nil for
// categories.
type Cuts []float64

// Bins returns the limits of at most so many bins of about equally many values, by quantile.Cuts. Missing values do not
// count. Cost: that of rank.Order.
func Bins(values []float64, bins int) Cuts { return quantile.Cuts(rank.MarginalOf(values), bins) }

// Codes returns the code of every value of a column of numbers or categories: that of a category, the bin of a number,
// -1 for a missing one. The codes of categories are shared and must not be written.
func (c Cuts) Codes(col table.Column) []int32 {
	switch col.Kind {
	case table.Numeric:
	case table.Categorical:
		return col.Cat
	case table.SetValued: // is not among the columns
		return nil
	}
	out := make([]int32, len(col.Num))
	for i, v := range col.Num {
		out[i] = c.Code(v)
	}
	return out
}

// Values returns how many codes the values of an attribute have: its categories, or the bins of its numbers.
func (c Cuts) Values(a *table.Attribute) int {
	switch a.Kind {
	case table.Numeric:
		return len(c) + 1
	case table.Categorical:
		return len(a.Labels)
	case table.SetValued: // is not among the columns
	}
	return 0
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
	switch a.Kind {
	case table.Numeric:
	case table.Categorical:
		return fmt.Sprintf("%s = %.60s", name, a.Labels[value])
	case table.SetValued: // is not among the columns
		return name
	}
	number := func(v float64) string { return string(a.AppendValue(nil, v)) }
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
