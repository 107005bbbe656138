// Package categorical holds what miners of categorical attributes share: which columns they read, and how they describe
// a cluster by its values.
package categorical

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/table"
)

// Columns returns the positions of the named categorical columns; without names, of all that have none of the roles
// that are left out. It fails where there are none.
func Columns(t *table.Table, names []string, without table.Role) ([]int, error) {
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
			if a := t.Attr(j); a.Kind == table.Categorical && a.Role&without == 0 {
				cols = append(cols, j)
			}
		}
	}
	if len(cols) == 0 {
		return nil, errors.New("the table has no categorical column to cluster by")
	}
	return cols, nil
}
