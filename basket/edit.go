package basket

import (
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/table"
)

// Saved is a coding as plain data. With the attributes of its table it is the coding again.
type Saved []SavedColumn

// SavedColumn is a column that gives items.
type SavedColumn struct {
	Name string    `json:"name"`
	Cuts []float64 `json:"cuts,omitempty"` // of numbers: limits of intervals, ascending
	Each bool      `json:"each,omitempty"` // of numbers: cuts are the values themselves
}

// Save returns the coding as data.
func (c *Coding) Save() (out Saved) {
	for _, k := range c.columns {
		out = append(out, SavedColumn{k.name, k.cuts, k.each})
	}
	return out
}

// Restore returns the coding that was saved of a table with these attributes. It fails where a column is not there, or
// limits do not ascend.
func (s Saved) Restore(attrs []table.Attribute) (*Coding, error) {
	c := &Coding{}
	for _, saved := range s {
		j := slices.IndexFunc(attrs, func(a table.Attribute) bool { return a.Name == saved.Name })
		if j < 0 {
			return nil, fmt.Errorf("column %q gives items and is not there", saved.Name)
		}
		a := &attrs[j]
		for k, v := range saved.Cuts {
			if a.Kind != table.Numeric || math.IsNaN(v) || k > 0 && v <= saved.Cuts[k-1] {
				return nil, fmt.Errorf("the limits of column %q are not ascending, or it is not a number", saved.Name)
			}
		}
		k := column{name: a.Name, kind: a.Kind, first: int32(len(c.Items)), cuts: saved.Cuts, each: saved.Each}
		if err := c.add(k, a, len(s) == 1); err != nil {
			return nil, err
		}
	}
	if len(c.columns) == 0 {
		return nil, fmt.Errorf("no column gives items")
	}
	return c, nil
}

// Columns returns the columns that give items, and ColumnOf the place of that of an item among them.
func (c *Coding) Columns() (names []string) {
	for k := range c.columns {
		names = append(names, c.columns[k].name)
	}
	return names
}

// ColumnOf returns the place in Columns of the column that an item is of.
func (c *Coding) ColumnOf(item int32) int {
	at := len(c.columns) - 1
	for c.columns[at].first > item {
		at--
	}
	return at
}

// Single reports whether a column gives a record one item at most: one of numbers or categories.
func (c *Coding) Single(column int) bool { return c.columns[column].kind != table.SetValued }

// Edit returns the table with other items: those that row returns for a record, ascending, and items that may or may
// not be there besides those of which that is so already. A number or category whose item is gone, or became doubtful,
// is missing; one with another item becomes that category, or the middle value of the table in that interval. Only the
// columns of which a record lost or got an item change. Items are those of Code before. Cost: O(cells).
func (c *Coding) Edit(t *table.Table, row func(i int) (items, unknown []int32)) (*table.Table, error) {
	before, err := c.Code(t)
	if err != nil {
		return nil, err
	}
	cols := t.Columns()
	for k := range c.columns {
		own := &c.columns[k]
		last := int32(len(c.Items))
		if k+1 < len(c.columns) {
			last = c.columns[k+1].first
		}
		j := t.Find(own.name)
		part := func(items []int32) []int32 {
			lo, _ := slices.BinarySearch(items, own.first)
			hi, _ := slices.BinarySearch(items, last)
			return items[lo:hi]
		}
		was := func(i int) []int32 { return part(before.Row(i)) }
		is := func(i int) (items, unknown []int32) {
			items, unknown = row(i)
			return part(items), part(unknown)
		}
		if own.kind == table.SetValued {
			cols[j].Sets = own.editSets(&cols[j], was, is)
		} else {
			own.edit(&cols[j], was, is)
		}
	}
	return t.WithColumns(cols)
}

// editSets returns the sets with other items. A set that is missing stays so.
func (k *column) editSets(col *table.Column, was func(int) []int32, is func(int) (items, unknown []int32)) *table.Sets {
	n := col.Sets.Rows()
	label := make(map[int32]int32, len(col.Labels)) // of an item
	known := make([]bool, len(col.Labels))
	for v, text := range col.Labels {
		if code, ok := k.code[text]; ok {
			label[code], known[v] = int32(v), true
		}
	}
	present, unknown := make([][]int32, n), make([][]int32, n)
	for i := range n {
		if col.Sets.MissingAt(i) {
			continue
		}
		present[i], unknown[i] = []int32{}, slices.Clone(col.Sets.Unknown.Row(i))
		items, doubtful := is(i)
		if slices.Equal(items, was(i)) && len(doubtful) == 0 {
			present[i] = col.Sets.Present.Row(i)
			continue
		}
		for _, v := range col.Sets.Present.Row(i) {
			if !known[v] { // an item that the coding does not know stays
				present[i] = append(present[i], v)
			}
		}
		for _, v := range items {
			present[i] = append(present[i], label[v])
		}
		unknown[i] = slices.DeleteFunc(unknown[i], func(v int32) bool { return slices.Contains(present[i], v) })
		for _, v := range doubtful {
			if v = label[v]; !slices.Contains(unknown[i], v) {
				unknown[i] = append(unknown[i], v)
			}
		}
	}
	return table.SetsOf(present, unknown)
}

// edit changes numbers or categories.
func (k *column) edit(col *table.Column, was func(int) []int32, is func(int) (items, unknown []int32)) {
	var middle map[int32]float64
	code := map[int32]int32{}
	for v, text := range col.Labels {
		if item, ok := k.code[text]; ok {
			code[item] = int32(v)
		}
	}
	original := *col
	if col.Kind == table.Numeric {
		col.Num = slices.Clone(col.Num)
	} else {
		col.Cat = slices.Clone(col.Cat)
	}
	for i := range original.Len() {
		now, _ := is(i)
		before := was(i)
		if slices.Equal(now, before) {
			continue
		}
		// what was added takes the place
		now = slices.DeleteFunc(slices.Clone(now), func(v int32) bool { return slices.Contains(before, v) })
		switch {
		case col.Kind == table.Categorical && len(now) > 0:
			col.Cat[i] = code[now[0]]
		case col.Kind == table.Categorical:
			col.Cat[i] = -1
		case len(now) == 0:
			col.Num[i] = math.NaN()
		default:
			if middle == nil {
				middle = k.middles(&original, was)
			}
			col.Num[i] = middle[now[0]]
		}
	}
}

// middles returns the middle value of the table, the lower of two, by item.
func (k *column) middles(col *table.Column, was func(int) []int32) map[int32]float64 {
	values := map[int32][]float64{}
	for i, v := range col.Num {
		for _, item := range was(i) {
			values[item] = append(values[item], v)
		}
	}
	out := map[int32]float64{}
	for item, list := range values {
		slices.Sort(list)
		out[item] = list[(len(list)-1)/2]
	}
	return out
}
