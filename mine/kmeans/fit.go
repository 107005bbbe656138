package kmeans

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// fit divides the records of a table.
func (l *Learner) fit(ctx context.Context, t *table.Table, src rng.Source) (*Model, error) {
	if t.Rows() == 0 {
		return nil, errors.New("the table has no records")
	}
	cols, err := l.columns(t)
	if err != nil {
		return nil, err
	}
	weights, err := l.weights(t)
	if err != nil {
		return nil, err
	}
	m := &Model{Attrs: t.Attrs(), Columns: cols, Centre: make([]float64, len(cols)), Scale: make([]float64, len(cols))}
	err = parallel.Each(ctx, len(cols), func(k int) error {
		m.Centre[k], m.Scale[k] = Scaling(t.Num(cols[k]), l.Scale)
		return nil
	})
	if err != nil {
		return nil, err
	}
	points := mmap.Make[float64](t.Space(), t.Rows()*len(cols))
	defer mmap.Free(t.Space(), points)
	err = parallel.Ranges(ctx, t.Rows(), grain, func(lo, hi int) error {
		m.points(t, lo, hi, points[lo*len(cols):])
		return nil
	})
	if err != nil {
		return nil, err
	}
	best, err := l.divide(ctx, t.Space(), points, len(cols), weights, src)
	if err != nil {
		return nil, err
	}
	m.fill(best)
	return m, nil
}

// columns returns the positions of the columns to cluster by. A column that has no value at all is left out, unless it
// is named.
func (l *Learner) columns(t *table.Table) ([]int, error) {
	var cols []int
	for _, name := range l.Columns {
		j := t.Find(name)
		switch {
		case j < 0:
			return nil, fmt.Errorf("the table has no column %q", name)
		case t.Attr(j).Kind != table.Numeric:
			return nil, fmt.Errorf("column %q is %s, expected numeric", name, t.Attr(j).Kind)
		case t.Attr(j).Role&(table.Identifier|table.Weight) != 0:
			return nil, fmt.Errorf("column %q has the role %s, expected one to cluster by", name, t.Attr(j).Role)
		case !known(t.Num(j)):
			return nil, fmt.Errorf("column %q has no value", name)
		case slices.Contains(cols, j):
			return nil, fmt.Errorf("column %q is named twice", name)
		}
		cols = append(cols, j)
	}
	for j := range t.Width() {
		if a := t.Attr(j); len(l.Columns) == 0 && a.Kind == table.Numeric &&
			a.Role&(table.Identifier|table.Weight|table.Class) == 0 &&
			known(t.Num(j)) {
			cols = append(cols, j)
		}
	}
	if len(cols) == 0 {
		return nil, errors.New("there is no numeric column with values besides class, identifiers and weights")
	}
	return cols, nil
}

// known reports whether one of the values is not missing.
func known(values []float64) bool {
	for _, v := range values {
		if v == v {
			return true
		}
	}
	return false
}

// weights returns the sampling weights; nil where all records count alike.
func (l *Learner) weights(t *table.Table) ([]float64, error) {
	j := t.WithRole(table.Weight)
	if j < 0 || !l.Weighted {
		return nil, nil
	}
	a := t.Attr(j)
	if a.Kind != table.Numeric {
		return nil, fmt.Errorf("column %q has the role weight but is %s, expected numeric", a.Name, a.Kind)
	}
	wrong := 0
	for _, v := range t.Num(j) {
		if !(v > 0 && v <= math.MaxFloat64) {
			wrong++
		}
	}
	if wrong > 0 {
		return nil, fmt.Errorf("column %q of weights: %d values are missing, not positive or infinite", a.Name, wrong)
	}
	return t.Num(j), nil
}
