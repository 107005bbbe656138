package dialect

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/table"
)

// Force returns the table with the kinds that Kinds asks for: numbers become ordered categories, and labels that are all numbers
// become numbers, whose decimals info keeps. It fails on labels that are not numbers. It serves formats that declare their columns; in a
// delimited text the kinds guide the reading.
func (o *Options) Force(t *table.Table, info *Info) (*table.Table, error) {
	for j := range t.Width() {
		name := t.Attr(j).Name
		kind, forced := o.Kinds[name]
		if _, told := o.Dates[name]; told {
			continue // ReadDates sees to it
		}
		var err error
		switch {
		case forced && kind == table.Categorical:
			t, err = t.AsCategorical(j, 0)
		case forced && t.Attr(j).Kind == table.Categorical:
			t, err = asNumeric(t, j, info)
		}
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

func asNumeric(t *table.Table, j int, info *Info) (*table.Table, error) {
	c := t.Column(j)
	var shape decimal.Shape
	values := make([]float64, len(c.Labels))
	for k, l := range c.Labels {
		v, s, ok := decimal.Parse([]byte(l), '.')
		if !ok {
			return nil, fmt.Errorf("column %q holds something else than a number, expected numbers or missing values", c.Name)
		}
		values[k] = v
		shape.Add(s)
	}
	info.SetDecimals(c.Name, shape.Padded())
	num := make([]float64, len(c.Cat))
	for i, code := range c.Cat {
		num[i] = math.NaN()
		if code >= 0 {
			num[i] = values[code]
		}
	}
	return t.WithColumn(j, table.NumColumn(c.Name, shape.Step(), num))
}
