package table

import "fmt"

// Columns returns a copy of the list of all columns; their values are shared and must not be written.
func (t *Table) Columns() []Column {
	cols := make([]Column, len(t.cols))
	copy(cols, t.cols)
	return cols
}

// WithColumns returns a table of the same records in which all columns are replaced, under the rules of New. It
// replaces many columns of a wide table in one step, which WithColumn does in time quadratic in the width.
//
// Values that are already in the table, in a column of the same labels, are not checked again. Cost: O(columns) and
// O(records) per new column.
func (t *Table) WithColumns(cols []Column) (*Table, error) {
	n, err := build(cols, func(j int) bool { return j < len(t.cols) && t.cols[j].sharesWith(&cols[j]) })
	if err != nil {
		return nil, err
	}
	if n.rows != t.rows {
		return nil, fmt.Errorf("columns of %d values, expected %d", n.rows, t.rows)
	}
	n.first, n.ids, n.whose, n.space = t.first, t.ids, t.whose, t.space
	return n, nil
}

// sharesWith reports whether both columns are one memory of values under labels of one number.
func (c *Column) sharesWith(o *Column) bool {
	return c.Kind == o.Kind && len(c.Labels) == len(o.Labels) && same(c.Num, o.Num) && same(c.Cat, o.Cat) &&
		c.Sets == o.Sets
}

func same[T any](a, b []T) bool {
	return len(a) == len(b) && (a == nil) == (b == nil) && (len(a) == 0 || &a[0] == &b[0])
}
