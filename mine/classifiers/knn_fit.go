package classifiers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/table"
)

// fit returns the model, and the number of its record for every row of t: -1 for a row without class.
func (l *KNNLearner) fit(ctx context.Context, t *table.Table) (*KNNModel, []int, error) {
	m, err := l.begin(t)
	if err != nil {
		return nil, nil, err
	}
	records, rows := make([]int, t.Rows()), []int{}
	for i, c := range t.Cat(m.Class) {
		records[i] = -1
		if c >= 0 {
			records[i] = len(rows)
			rows = append(rows, i)
			m.Classes = append(m.Classes, c)
		}
	}
	if len(rows) == 0 {
		return nil, nil, fmt.Errorf("class %q has no value in the %d records", m.Attrs[m.Class].Name, t.Rows())
	}
	if len(rows) < t.Rows() {
		t = t.Gather(rows)
	}
	return m, records, parallel.Each(ctx, len(m.Columns), func(k int) error { return l.code(ctx, &m.Columns[k], t) })
}

// begin returns a model without records.
func (l *KNNLearner) begin(t *table.Table) (*KNNModel, error) {
	class, err := mine.ClassOf(t)
	if err != nil {
		return nil, err
	}
	if t.Rows() > math.MaxInt32 {
		return nil, fmt.Errorf("the table has %d records, expected at most %d", t.Rows(), math.MaxInt32)
	}
	m := &KNNModel{Attrs: t.Attrs(), Class: class, K: l.K}
	for j, a := range m.Attrs {
		if j != m.Class && a.Kind.Scalar() && a.Role&(table.Identifier|table.Weight) == 0 {
			m.Columns = append(m.Columns, KNNColumn{Attribute: j})
		}
	}
	if len(m.Columns) == 0 {
		return nil, errors.New("no column to compare records by: all are class, identifier, weight or of another kind")
	}
	return m, nil
}

// code fills a column with the values of the training records.
func (l *KNNLearner) code(ctx context.Context, c *KNNColumn, t *table.Table) error {
	switch t.Attr(c.Attribute).Kind {
	case table.Numeric:
	case table.Categorical:
		c.Codes = slices.Clone(t.Cat(c.Attribute))
		return nil
	case table.SetValued: // is not among the columns
		return nil
	}
	values := t.Num(c.Attribute)
	if c.Overlap = l.Distance != Mixed; c.Overlap && l.Bins > 0 {
		c.Cuts, c.Codes = quantile.Cuts(rank.MarginalOf(values), l.Bins), make([]int32, len(values))
		for i, v := range values {
			c.Codes[i] = c.find(v)
		}
		return nil
	}
	c.Codes, c.Values = rank.Dense(values)
	if c.Overlap {
		return nil
	}
	if err := l.scale(ctx, c, values); err != nil {
		return fmt.Errorf("column %q: %w", t.Attr(c.Attribute).Name, err)
	}
	return nil
}

// scale sets the centre and the unit of numbers.
func (l *KNNLearner) scale(ctx context.Context, c *KNNColumn, values []float64) error {
	if len(c.Values) == 0 {
		return nil
	}
	c.Centre, c.Scale = c.Values[0], c.Values[len(c.Values)-1]-c.Values[0]
	if l.Scale == ZScore {
		m, err := moments.Of(ctx, [][]float64{values})
		if err != nil {
			return err
		}
		c.Centre, c.Scale = m.Means()[0], math.Sqrt(m.Cov().At(0, 0))
	}
	if !(c.Scale <= math.MaxFloat64) {
		return errors.New("the numbers lie too far apart to be scaled")
	}
	return nil
}
