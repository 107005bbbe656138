package dialect

import (
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/table"
)

// Marks is how often the missing marks of a text occur. Those of parts of a table merge into those of the table.
type Marks struct {
	Met   []string                  // the marks, in the order of their first appearance
	Count map[string]map[string]int // by column and mark
}

// Add adds n occurrences of a mark in a column.
func (m *Marks) Add(column, mark string, n int) {
	if m.Count == nil {
		m.Count = map[string]map[string]int{}
	}
	if m.Count[column] == nil {
		m.Count[column] = map[string]int{}
	}
	m.Count[column][mark] += n
}

// Merge adds the marks of records that come after those counted so far.
func (m *Marks) Merge(after Marks) {
	for _, mark := range after.Met {
		if !slices.Contains(m.Met, mark) {
			m.Met = append(m.Met, mark)
		}
	}
	for column, marks := range after.Count {
		for mark, n := range marks {
			m.Add(column, mark, n)
		}
	}
}

// Settle sets Missing and MissingMarks by Marks; columns of which skip is true have no mark of their own.
func (i *Info) Settle(skip func(column string) bool) {
	i.Missing, i.MissingMarks = "", nil
	all := map[string]int{}
	for column, marks := range i.Marks.Count {
		for mark, n := range marks {
			if all[mark] += n; len(marks) > 1 || skip(column) {
				continue
			}
			if i.MissingMarks == nil {
				i.MissingMarks = map[string]string{}
			}
			i.MissingMarks[column] = mark
		}
	}
	if met := i.Marks.Met; len(met) > 0 {
		i.Missing = slices.MaxFunc(met, func(a, b string) int { return all[a] - all[b] }) // the first of the most frequent
	}
}

// Unmarked returns a column of categories whose values that are one of the marks of missing values are missing. Cost:
// O(n).
func (o *Options) Unmarked(c table.Column) table.Column {
	if !slices.ContainsFunc(c.Labels, func(l string) bool { return slices.Contains(o.Missing, l) }) {
		return c
	}
	var labels []string
	to := make([]int32, len(c.Labels))
	for k, l := range c.Labels {
		if to[k] = -1; !slices.Contains(o.Missing, l) {
			to[k] = int32(len(labels))
			labels = append(labels, l)
		}
	}
	cat := mmap.Make[int32](o.Space, len(c.Cat))
	for i, k := range c.Cat {
		if cat[i] = k; k >= 0 {
			cat[i] = to[k]
		}
	}
	return table.CatColumn(c.Name, labels, cat)
}
