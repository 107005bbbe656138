package classifiers

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/table"
)

// Check refuses a decoded model that cannot predict: one whose columns, codes or classes do not fit each other.
func (m *KNNModel) Check() error {
	switch n := len(m.Classes); {
	case m.Class < 0 || m.Class >= len(m.Attrs) || m.Attrs[m.Class].Kind != table.Categorical:
		return fmt.Errorf("the class is column %d, expected a categorical one of %d", m.Class, len(m.Attrs))
	case m.K < 1:
		return fmt.Errorf("k is %d, expected at least 1", m.K)
	case n == 0 || len(m.Columns) == 0:
		return fmt.Errorf("there are %d records of %d attributes, expected at least one of each", n, len(m.Columns))
	case slices.Min(m.Classes) < 0 || int(slices.Max(m.Classes)) >= len(m.Attrs[m.Class].Labels):
		return fmt.Errorf("a record's class is not a class of %q", m.Attrs[m.Class].Name)
	}
	for k := range m.Columns {
		c := &m.Columns[k]
		if c.Attribute < 0 || c.Attribute >= len(m.Attrs) {
			return fmt.Errorf("there is no column %d, expected one of %d", c.Attribute, len(m.Attrs))
		}
		if err := c.check(&m.Attrs[c.Attribute], len(m.Classes)); err != nil {
			return fmt.Errorf("column %q: %w", m.Attrs[c.Attribute].Name, err)
		}
	}
	return nil
}

func (c *KNNColumn) check(a *table.Attribute, records int) error {
	codes := 0
	switch a.Kind {
	case table.Numeric:
		codes = len(c.Values)
		if codes == 0 && c.Overlap {
			codes = len(c.Cuts) + 1
		}
	case table.Categorical:
		codes = len(a.Labels)
	case table.SetValued:
		return fmt.Errorf("it is %s, expected numbers or categories", a.Kind)
	}
	switch {
	case len(c.Codes) != records:
		return fmt.Errorf("%d values, expected one for each of %d records", len(c.Codes), records)
	case slices.Min(c.Codes) < -1 || int(slices.Max(c.Codes)) >= codes:
		return fmt.Errorf("a code is outside -1 to %d", codes-1)
	case a.Kind == table.Categorical && c.Overlap:
		return fmt.Errorf("marked as numbers, but it is %s", a.Kind)
	case !slices.IsSorted(c.Values) || !slices.IsSorted(c.Cuts):
		return fmt.Errorf("values or cuts are not ascending")
	case !(c.Scale >= 0):
		return fmt.Errorf("the scale is negative")
	}
	return nil
}
