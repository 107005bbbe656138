package table

import (
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/system/mmap"
)

// Compact returns a categorical or set-valued column with only the labels in use, in alphabetical order, or in their
// own order where that is meaningful. So the labels tell nothing but what the values tell: not which categories the
// original had besides, nor which came first. Declared labels and numeric columns are returned as they are. Cost:
// O(values + labels log labels), and for sets O(items log items of a row).
func (c Column) Compact() Column { return c.compact(nil) }

// Compact returns Column(j).Compact() in the table's space.
func (t *Table) Compact(j int) Column { return t.cols[j].compact(t.space) }

func (c Column) compact(s *mmap.Space) Column {
	if c.Declared {
		return c
	}
	switch c.Kind {
	case Numeric:
	case Categorical:
		labels, code := c.inUse(c.Cat)
		values := mmap.Make[int32](s, len(c.Cat))
		for i, v := range c.Cat {
			values[i] = -1
			if v >= 0 {
				values[i] = code[v]
			}
		}
		c.Labels, c.Cat = labels, values
	case SetValued:
		if c.Sets == nil {
			c.Labels = []string{}
			break
		}
		labels, code := c.inUse(c.Sets.Present.All(), c.Sets.Unknown.All())
		c.Labels, c.Sets = labels, c.Sets.recoded(code)
	}
	return c
}

// inUse returns the labels of the codes that occur, and the new code of each.
func (c *Column) inUse(lists ...[]int32) (labels []string, code []int32) {
	used := make([]bool, len(c.Labels))
	for _, codes := range lists {
		for _, v := range codes {
			if v >= 0 {
				used[v] = true
			}
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
	labels = make([]string, len(order))
	code = make([]int32, len(c.Labels))
	for k, old := range order {
		labels[k], code[old] = c.Labels[old], int32(k)
	}
	return labels, code
}

// Without returns the table without some labels of a column of categories, by label: another one stands in their place,
// the one that the column has already where that differs in case alone, or a missing value where the other is empty.
// The labels themselves are gone, too. Cost: O(records + labels).
func (t *Table) Without(j int, gone []bool, other string) *Table {
	c := t.cols[j]
	code := make([]int32, len(c.Labels))
	by := int32(-1)
	var labels []string
	for k, l := range c.Labels {
		if gone[k] {
			continue
		}
		if code[k] = int32(len(labels)); other != "" && strings.EqualFold(l, other) {
			by = code[k]
		}
		labels = append(labels, l)
	}
	if other != "" && by < 0 {
		by = int32(len(labels))
		labels = append(labels, other)
	}
	values := mmap.Make[int32](t.space, len(c.Cat))
	for i, v := range c.Cat {
		switch values[i] = v; {
		case v >= 0 && gone[v]:
			values[i] = by
		case v >= 0:
			values[i] = code[v]
		}
	}
	c.Labels, c.Cat = labels, values
	return t.must(j, c)
}
