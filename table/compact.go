package table

import (
	"slices"
	"strings"
)

// Compact returns a categorical column with only the labels in use, in alphabetical order, or in their own order where that is
// meaningful. So the labels tell nothing but what the values tell: not which categories the original had besides, nor
// which came first. Declared labels and numeric columns are returned as they are. Cost: O(records + labels log labels).
func (c Column) Compact() Column {
	if c.Kind != Categorical || c.Declared {
		return c
	}
	used := make([]bool, len(c.Labels))
	for _, v := range c.Cat {
		if v >= 0 {
			used[v] = true
		}
	}
	var order []int32
	for k, u := range used {
		if u {
			order = append(order, int32(k))
		}
	}
	if !c.Ordered {
		slices.SortFunc(order, func(a, b int32) int { return strings.Compare(c.Labels[a], c.Labels[b]) })
	}
	labels := make([]string, len(order))
	code := make([]int32, len(c.Labels))
	for k, old := range order {
		labels[k], code[old] = c.Labels[old], int32(k)
	}
	values := make([]int32, len(c.Cat))
	for i, v := range c.Cat {
		values[i] = -1
		if v >= 0 {
			values[i] = code[v]
		}
	}
	c.Labels, c.Cat = labels, values
	return c
}
