package dialect

import (
	"fmt"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/table"
)

// Force returns the table with the kinds that Kinds and Numbers ask for: numbers become ordered categories, and labels
// that are all numbers become numbers, whose decimals info keeps. It fails on labels that are not numbers, and leaves
// sets alone. It serves formats that declare their columns; in a delimited text the kinds guide the reading.
func (o *Options) Force(t *table.Table, info *Info) (*table.Table, error) {
	for j := range t.Width() {
		name := t.Attr(j).Name
		kind, forced := o.Kinds[name]
		if _, told := o.Dates[name]; told || t.Attr(j).Kind == table.SetValued {
			continue // ReadDates sees to dates; sets are neither numbers nor labels
		}
		var err error
		n, written := o.Numbers[name]
		switch {
		case written && t.Attr(j).Kind == table.Categorical:
			var c table.Column
			if c, err = asTold(t.Column(j), n, info, o.Space); err == nil {
				t, err = t.WithColumn(j, c)
			}
		case forced && kind == table.Categorical:
			t, err = t.AsCategorical(j, 0)
		case forced && t.Attr(j).Kind == table.Categorical:
			c, shape, ok := numbers(t.Column(j), decimal.Notation{Point: '.'}, info, o.Space)
			if ok && shape.Doubtful(info.SignKnown) {
				info.Doubt(name, '.')
			}
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
