package classifiers

import (
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/table"
)

// Check refuses a decoded model that cannot predict: one whose counts do not fit its attributes.
func (m *NaiveBayesModel) Check() error {
	if m.Class < 0 || m.Class >= len(m.Attrs) || m.Attrs[m.Class].Kind != table.Categorical {
		return fmt.Errorf("the class is column %d, expected a categorical one of %d", m.Class, len(m.Attrs))
	}
	if n := len(m.Attrs[m.Class].Labels); len(m.Weights) != n || n == 0 {
		return fmt.Errorf("there are %d weights of classes, expected one for each of %d", len(m.Weights), n)
	}
	if total := sum(m.Weights); !counts(m.Weights) || !(total > 0) {
		return fmt.Errorf("the weights of the classes are not counts")
	}
	if !(m.Laplace >= 0 && m.Laplace <= math.MaxFloat64) {
		return fmt.Errorf("laplace is not a count")
	}
	for k := range m.Columns {
		c := &m.Columns[k]
		if c.Attribute < 0 || c.Attribute >= len(m.Attrs) {
			return fmt.Errorf("there is no column %d, expected one of %d", c.Attribute, len(m.Attrs))
		}
		if err := c.check(&m.Attrs[c.Attribute], len(m.Weights)); err != nil {
			return fmt.Errorf("column %q: %w", m.Attrs[c.Attribute].Name, err)
		}
	}
	return nil
}

func (c *NaiveBayesColumn) check(a *table.Attribute, classes int) error {
	if c.Mean != nil {
		zero, _ := table.Range(c.Variance)
		switch {
		case a.Kind != table.Numeric:
			return fmt.Errorf("has means, but it is %s", a.Kind)
		case len(c.Mean) != classes || len(c.Variance) != classes || !counts(c.Variance):
			return fmt.Errorf("expected a mean and a variance for each of %d classes", classes)
		case zero == 0 && sum(c.Variance) > 0:
			return fmt.Errorf("some variances are 0, expected all or none")
		}
		return nil
	}
	categories := 0
	switch a.Kind {
	case table.Numeric:
		categories = len(c.Cuts) + 1
	case table.Categorical:
		categories = len(a.Labels)
	case table.SetValued:
		return fmt.Errorf("it is %s, expected numbers or categories", a.Kind)
	}
	if len(c.Counts) != categories*classes || !counts(c.Counts) || !slices.IsSorted(c.Cuts) {
		return fmt.Errorf("expected counts of %d categories in %d classes", categories, classes)
	}
	return nil
}

// counts reports whether numbers can be counts.
func counts(v []float64) bool {
	return !slices.ContainsFunc(v, func(n float64) bool { return !(n >= 0 && n <= math.MaxFloat64) })
}

func sum(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}
