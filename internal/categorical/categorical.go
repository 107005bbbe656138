// Package categorical holds what miners of categorical attributes share: which columns they read, and how a cluster of records is told by its
// values.
package categorical

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/table"
)

// Columns returns the positions of the named categorical columns; without names, of all that are neither class nor identifier nor weight.
func Columns(t *table.Table, names []string) ([]int, error) {
	var cols []int
	for _, name := range names {
		j := t.Find(name)
		if j < 0 {
			return nil, fmt.Errorf("parameter \"attributes\": the table has no column %q", name)
		}
		if k := t.Attr(j).Kind; k != table.Categorical {
			return nil, fmt.Errorf("parameter \"attributes\": column %q is %s, expected categorical", name, k)
		}
		if slices.Contains(cols, j) {
			return nil, fmt.Errorf("parameter \"attributes\": column %q stands there twice", name)
		}
		cols = append(cols, j)
	}
	if len(names) == 0 {
		for j := range t.Width() {
			if a := t.Attr(j); a.Kind == table.Categorical && a.Role&(table.Class|table.Identifier|table.Weight) == 0 {
				cols = append(cols, j)
			}
		}
	}
	if len(cols) == 0 {
		return nil, errors.New("the table has no categorical column to cluster by")
	}
	return cols, nil
}
