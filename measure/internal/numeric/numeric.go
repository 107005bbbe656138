// Package numeric finds the numeric columns that a measure compares.
package numeric

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/table"
)

// Columns returns the positions of the named columns, each once, in the order of their names, or, without names, of all
// numeric ones but identifiers and weights. A name that is none of a numeric column's is an error.
func Columns(t *table.Table, names []string) ([]int, error) {
	var out []int
	if len(names) == 0 {
		for j := range t.Width() {
			if a := t.Attr(j); a.Kind == table.Numeric && a.Role&(table.Identifier|table.Weight) == 0 {
				out = append(out, j)
			}
		}
		return out, nil
	}
	for _, name := range names {
		j := t.Find(name)
		switch {
		case j < 0:
			return nil, fmt.Errorf("columns: the table has no column %q", name)
		case t.Attr(j).Kind != table.Numeric:
			return nil, fmt.Errorf("columns: column %q is %s, expected numeric", name, t.Attr(j).Kind)
		case !slices.Contains(out, j):
			out = append(out, j)
		}
	}
	return out, nil
}
