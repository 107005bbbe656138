// Package folds divides the records of a table into folds for cross-validation.
package folds

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Deal deals the records of a table into k folds, numbered from 0, so that every fold has its share of every class: the
// counts of a class, and of all records, differ by at most one between folds. Records without a class are dealt like a
// class of their own; a table without a categorical class is dealt as one. The assignment depends on the source, the
// identities and classes of the records, and k alone. It fails unless 2 <= k <= rows. Cost: O(n log n).
func Deal(t *table.Table, k int, src rng.Source) ([]int, error) {
	if n := t.Rows(); k < 2 || k > n {
		return nil, fmt.Errorf("%d folds: expected at least 2 and at most the number of records, %d", k, n)
	}
	order := t.Order(src)
	if c := t.WithRole(table.Class); c >= 0 && t.Attr(c).Kind == table.Categorical {
		class := t.Cat(c)
		slices.SortStableFunc(order, func(a, b int) int { return int(class[a] - class[b]) })
	}
	fold := make([]int, t.Rows())
	for p, i := range order {
		fold[i] = p % k
	}
	return fold, nil
}

// Split returns the rows outside fold f and those inside, ascending.
func Split(fold []int, f int) (outside, inside []int) {
	for i, g := range fold {
		if g == f {
			inside = append(inside, i)
		} else {
			outside = append(outside, i)
		}
	}
	return outside, inside
}
