package c45

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Limits of the exact arithmetic.
const (
	maxClasses = 1 << 16 // class codes are held in 16 bits
	maxRows    = 1 << 29 // sums of weights stay below 2^53, of terms below 2^62
)

// Grow grows a tree that predicts the categorical column class from all columns that are neither identifier nor
// weight nor in without. Records whose class is missing are left out; it is an error when none is left.
func (l *Learner) Grow(ctx context.Context, t *table.Table, class int, without ...int) (*tree.Tree, error) {
	in := t.Space().Fork() // all but the tree is given back
	defer in.Close()
	d, err := l.code(ctx, t, in, class, without)
	if err != nil {
		return nil, err
	}
	return d.Grow(nil)
}

// occurring returns how many classes the training records have: labels that only another table knows must not change
// the tree.
func occurring(class []uint16, classes int) float64 {
	seen := make([]bool, classes)
	n := 0.0
	for _, c := range class {
		if !seen[c] {
			seen[c] = true
			n++
		}
	}
	return n
}

// load codes the table: the classes and, column by column, the attributes.
func (g *grower) load(t *table.Table, class int, without []int) (*frame, error) {
	label := t.Cat(class)
	var rows []int32 // nil: all
	if slices.Contains(label, -1) {
		rows = mmap.Make[int32](g.space, len(label))[:0]
		for r, c := range label {
			if c >= 0 {
				rows = append(rows, int32(r))
			}
		}
		if len(rows) == 0 {
			return nil, fmt.Errorf("class %q is missing in every record", t.Attr(class).Name)
		}
		label = take(g.space, label, rows)
	}
	f := &frame{class: convert[uint16](g.space, label, 0)}
	most := len(label)
	if g.space != nil {
		most = min(most, tabled)
	}
	f.terms, g.fine = newTerms(most)
	g.rows = float64(len(label))
	for j := range t.Width() {
		if a := t.Attr(j); j != class && a.Kind.Scalar() && a.Role&(table.Identifier|table.Weight) == 0 &&
			!slices.Contains(without, j) {
			g.cols = append(g.cols, column{index: j})
		}
	}
	f.codes = make([]codes, len(g.cols))
	g.places.each(len(g.cols), func(slot int) {
		if g.ctx.Err() == nil {
			f.codes[slot] = g.cols[slot].load(g.space, t, rows)
		}
	})
	g.manyAll = !slices.ContainsFunc(g.cols, func(c column) bool { return c.numeric() || float64(c.labels) < 0.3*g.rows })
	return f, g.ctx.Err()
}

// load codes the column's values in the given rows, nil for all, in a space.
func (c *column) load(in *mmap.Space, t *table.Table, rows []int32) codes {
	a := t.Attr(c.index)
	switch a.Kind {
	case table.Numeric:
	case table.Categorical:
		c.labels = len(a.Labels)
		values := t.Cat(c.index)
		if rows != nil {
			values = take(in, values, rows)
			defer mmap.Free(in, values)
		}
		return narrow(in, values, c.labels)
	case table.SetValued: // is not among the columns
	}
	values := t.Num(c.index)
	if rows != nil {
		values = take(in, values, rows)
		defer mmap.Free(in, values)
	}
	distinct, ranks := rank(in, values, a.Step)
	defer mmap.Free(in, ranks)
	c.labels, c.values = -1, distinct
	for k := 1; k < len(distinct); k++ {
		c.close = c.close || !(distinct[k-1] < distinct[k]-minGap)
	}
	return narrow(in, ranks, len(distinct))
}
