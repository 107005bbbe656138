package classes

import (
	"context"
	"errors"
	"slices"

	"github.com/dither-data/dither/internal/anonymity/generality"
	"github.com/dither-data/dither/measure"
)

// Released returns the sizes of the classes of records that a release shows alike in the quasi-identifiers, in no order
// that matters, and how many records were suppressed: lack every quasi-identifier. These are one class and not among
// the sizes. The quasi-identifiers are those by role and those that the plan or a hierarchy generalises; without any,
// all attributes but class and weights. It fails on a release that does not pass Check and on one without records.
// Cost: O(n p) for n records and p quasi-identifiers.
func Released(ctx context.Context, r *measure.Release) (of []int32, suppressed int, err error) {
	if err := r.Check(); err != nil {
		return nil, 0, err
	}
	if r.Released.Rows() == 0 {
		return nil, 0, errors.New("the released table has no records")
	}
	attrs := r.Released.Attrs()
	columns := generality.Columns(attrs, generality.Known(attrs, r.Hierarchies, r.Mechanisms))
	c, err := Of(ctx, Exactly(columns...), false, r.Released)
	if err != nil {
		return nil, 0, err
	}
	of = c.Sizes[0]
	for i, void := range generality.Void(r.Released, columns) {
		if void { // they are one class
			suppressed = int(of[c.Of[0][i]])
			return slices.Delete(of, int(c.Of[0][i]), int(c.Of[0][i])+1), suppressed, nil
		}
	}
	return of, 0, nil
}
