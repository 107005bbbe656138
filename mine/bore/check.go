package bore

import (
	"errors"
	"fmt"

	"github.com/dither-data/dither/table"
)

// Check refuses a decoded model whose parts do not fit each other.
func (m *Model) Check() error {
	if m.Class < 0 || m.Class >= len(m.Attrs) || m.Attrs[m.Class].Kind != table.Categorical {
		return fmt.Errorf("the class is column %d, expected a categorical one of %d", m.Class, len(m.Attrs))
	}
	if n := len(m.Attrs[m.Class].Labels); len(m.Sizes) != n {
		return fmt.Errorf("there are sizes of %d classes, expected %d", len(m.Sizes), n)
	}
	for c, n := range m.Sizes {
		if n < 0 || n > 1<<53 {
			return fmt.Errorf("class %d has %d records, expected 0 to 2^53", c, n)
		}
	}
	for k := range m.Columns {
		j := m.Columns[k].Attribute
		if j < 0 || j >= len(m.Attrs) || j == m.Class || k > 0 && j <= m.Columns[k-1].Attribute {
			return fmt.Errorf("ranked column %d is column %d, expected one of %d but the class, in their order", k, j,
				len(m.Attrs))
		}
		if err := m.Columns[k].check(&m.Attrs[j], m.Sizes); err != nil {
			return fmt.Errorf("column %q: %w", m.Attrs[j].Name, err)
		}
	}
	return nil
}

func (c *Column) check(a *table.Attribute, sizes []int) error {
	if err := c.Cuts.Check(a); err != nil {
		return err
	}
	values := c.Cuts.Values(a)
	if len(c.Counts) != len(sizes) {
		return fmt.Errorf("counts of %d classes, expected %d", len(c.Counts), len(sizes))
	}
	for k, counts := range c.Counts {
		if len(counts) != values {
			return fmt.Errorf("counts of %d values, expected %d", len(counts), values)
		}
		left := sizes[k]
		for _, n := range counts {
			if n < 0 || n > left {
				return fmt.Errorf("the counts of a class are not from 0 to its %d records together", sizes[k])
			}
			left -= n
		}
	}
	return nil
}

// Check refuses limits that are not ascending numbers, or limits of categories.
func (c Cuts) Check(a *table.Attribute) error {
	switch a.Kind {
	case table.Numeric:
	case table.Categorical:
		if len(c) > 0 {
			return fmt.Errorf("it is %s and has limits of bins", a.Kind)
		}
	case table.SetValued:
		return fmt.Errorf("it is %s, expected numbers or categories", a.Kind)
	}
	for k, v := range c {
		if !(v-v == 0) || k > 0 && !(c[k-1] < v) {
			return errors.New("the limits of bins are not ascending numbers")
		}
	}
	return nil
}
