package profile

import (
	"context"

	"github.com/dither-data/dither/table"
)

// Alone reports for every record whether no other one has the same values in all of the columns; a missing value counts as a value of its
// own. Without columns nobody is alone, unless there is one record. Cost: O(n) expected time per column of n records.
func Alone(ctx context.Context, t *table.Table, columns []int) ([]bool, error) {
	coded := make([]coded, len(columns))
	err := each(ctx, len(columns), func() func(k int) {
		var index lookup
		return func(k int) { coded[k] = encode(t.Column(columns[k]), t.Rows(), &index) }
	})
	if err != nil {
		return nil, err
	}
	p := whole(t.Rows())
	var r refiner
	for _, c := range coded {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p = r.refine(p, c, true)
	}
	alone := make([]bool, t.Rows())
	for i := range alone {
		alone[i] = true
	}
	for _, row := range p.rows {
		alone[row] = false
	}
	return alone, nil
}
