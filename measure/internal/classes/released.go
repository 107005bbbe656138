package classes

import (
	"context"
	"errors"
	"slices"

	"github.com/dither-data/dither/internal/anonymity/generality"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// Alike returns the classes of records that a release shows alike in the quasi-identifiers, and by class whether it is
// of records that were suppressed: they lack every quasi-identifier and, where the release shows what is suppressed,
// one of these at least is. The quasi-identifiers are those by role and those that the plan or a hierarchy generalises;
// without any, all attributes but class and weights. It fails on a release that does not pass Check and on one without
// records. Cost: O(n p) for n records and p quasi-identifiers.
func Alike(ctx context.Context, r *measure.Release) (c *Classes, gone []bool, err error) {
	if err := r.Check(); err != nil {
		return nil, nil, err
	}
	if r.Released.Rows() == 0 {
		return nil, nil, errors.New("the released table has no records")
	}
	attrs := r.Released.Attrs()
	columns := generality.Columns(attrs, generality.Known(attrs, r.Hierarchies, r.Mechanisms))
	if c, err = Of(ctx, Exactly(columns...), false, r.Released); err != nil {
		return nil, nil, err
	}
	gone = make([]bool, c.Len())
	for i, void := range withheld(r.Released, columns) {
		gone[c.Of[0][i]] = gone[c.Of[0][i]] || void
	}
	return c, gone, nil
}

// Released returns the sizes of these classes, in no order that matters, and how many records were suppressed, which
// are not among them.
func Released(ctx context.Context, r *measure.Release) (of []int32, suppressed int, err error) {
	c, gone, err := Alike(ctx, r)
	if err != nil {
		return nil, 0, err
	}
	for class, size := range c.Sizes[0] {
		if gone[class] {
			suppressed += int(size)
		} else {
			of = append(of, size)
		}
	}
	return of, suppressed, nil
}

// withheld says which records of a table were suppressed: they lack all of some columns and, where the table shows what
// is suppressed, one of these at least is.
func withheld(t *table.Table, columns []int) []bool {
	out := generality.Void(t, columns)
	if !slices.ContainsFunc(columns, func(j int) bool { return t.Column(j).Suppressed != nil }) {
		return out
	}
	for i := range out {
		out[i] = out[i] && slices.ContainsFunc(columns, func(j int) bool {
			mask := t.Column(j).Suppressed
			return mask != nil && mask[i]
		})
	}
	return out
}
