package dialect

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/table"
)

// Force returns the table with the kinds that Kinds asks for: numbers become ordered categories, and labels that are
// all numbers become numbers, whose decimals info keeps. It fails on labels that are not numbers, and leaves sets
// alone. It serves formats that declare their columns; in a delimited text the kinds guide the reading.
func (o *Options) Force(t *table.Table, info *Info) (*table.Table, error) {
	for j := range t.Width() {
		name := t.Attr(j).Name
		kind, forced := o.Kinds[name]
		if _, told := o.Dates[name]; told || t.Attr(j).Kind == table.SetValued {
			continue // ReadDates sees to dates; sets are neither numbers nor labels
		}
		var err error
		switch {
		case forced && kind == table.Categorical:
			t, err = t.AsCategorical(j, 0)
		case forced && t.Attr(j).Kind == table.Categorical:
			c, ok := numbers(t.Column(j), '.', info, o.Space)
			if !ok {
				return nil, fmt.Errorf("column %q holds something else than a number, expected numbers or missing values", name)
			}
			t, err = t.WithColumn(j, c)
		}
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// Numbers returns a column of texts that are all numbers, with a decimal point, as such a column, and keeps in info how
// many decimals they are written with; any other column it returns as it is, and false. Cost: O(values + labels).
func Numbers(c table.Column, point byte, info *Info) (table.Column, bool) {
	return numbers(c, point, info, nil)
}

func numbers(c table.Column, point byte, info *Info, s *mmap.Space) (table.Column, bool) {
	if c.Kind != table.Categorical {
		return c, false
	}
	var shape decimal.Shape
	values := make([]float64, len(c.Labels))
	for k, l := range c.Labels {
		v, sh, ok := decimal.Parse([]byte(l), point)
		if !ok {
			return c, false
		}
		values[k] = v
		shape.Add(sh)
	}
	info.SetDecimals(c.Name, shape.Padded())
	num := mmap.Make[float64](s, len(c.Cat))
	for i, code := range c.Cat {
		if num[i] = math.NaN(); code >= 0 {
			num[i] = values[code]
		}
	}
	return table.NumColumn(c.Name, shape.Step(), num), true
}
