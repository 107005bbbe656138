package protect

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/dither-data/dither/table"
)

// Condition says what drawn records have in one column: a category, or a number in an interval.
type Condition struct {
	Column string `json:"column"`
	Op     string `json:"op"` // =, >= or <=
	Value  string `json:"value"`
}

// Conditions hold together.
type Conditions []Condition

// LikeOf reads the text of LikeParam; what cannot be read is left out, and is an error of ParseLike.
func LikeOf(text string) Conditions {
	out, _ := splitLike(text)
	return out
}

// ParseLike reads conditions and refuses those that no record of the schema can meet: a column that it lacks, or that
// holds sets, a category that it lacks, a number that is none, or lies outside a declared domain. Values are written as
// the file has them.
func ParseLike(text string, schema []table.Attribute) (Conditions, error) {
	out, err := splitLike(text)
	if err != nil {
		return nil, fmt.Errorf("parameter %q: %w", LikeName, err)
	}
	if err := out.Check(schema); err != nil {
		return nil, fmt.Errorf("parameter %q: %w", LikeName, err)
	}
	return out, nil
}

// Check refuses conditions that no record of the schema can meet.
func (c Conditions) Check(schema []table.Attribute) error {
	for k := range c {
		if err := c[k].fits(schema); err != nil {
			return err
		}
	}
	return nil
}

func splitLike(text string) (out Conditions, err error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, " and ") {
		op := "="
		for _, o := range []string{">=", "<="} {
			if at := strings.Index(part, o); at >= 0 && at < strings.Index(part, "=") {
				op = o
			}
		}
		column, value, ok := strings.Cut(part, op)
		c := Condition{strings.TrimSpace(column), op, strings.TrimSpace(value)}
		if !ok || c.Column == "" || c.Value == "" {
			err = errors.New("expected column=value, column>=number or column<=number, several joined by \" and \"")
			continue
		}
		out = append(out, c)
	}
	return out, err
}

// fits refuses a condition that no record of the schema can meet.
func (c *Condition) fits(schema []table.Attribute) error {
	a := c.attr(schema)
	switch {
	case c.Op != "=" && c.Op != ">=" && c.Op != "<=":
		return fmt.Errorf("column %q is compared by %q; expected =, >= or <=", c.Column, c.Op)
	case a == nil:
		return fmt.Errorf("there is no column %q", c.Column)
	case a.Kind == table.Categorical && c.Op == "=":
		if a.Code(c.Value) < 0 {
			return fmt.Errorf("column %q has no category %q", c.Column, c.Value)
		}
	case a.Kind == table.Numeric:
		v, ok := a.ParseValue(c.Value)
		if !ok {
			return fmt.Errorf("column %q: %q is not one of its numbers", c.Column, c.Value)
		}
		if a.Declared && a.Domain.Intersect(interval(c.Op, v)).Empty() {
			return fmt.Errorf("column %q: no number of its domain is %s %s", c.Column, c.Op, c.Value)
		}
	default:
		return fmt.Errorf("column %q is %s, which cannot be compared by %s", c.Column, a.Kind, c.Op)
	}
	return nil
}

func (c *Condition) attr(schema []table.Attribute) *table.Attribute {
	for k := range schema {
		if schema[k].Name == c.Column {
			return &schema[k]
		}
	}
	return nil
}

// interval is what a comparison allows.
func interval(op string, v float64) table.Interval {
	switch op {
	case ">=":
		return table.Interval{Lo: v, Hi: math.Inf(1)}
	case "<=":
		return table.Interval{Lo: math.Inf(-1), Hi: v}
	}
	return table.Interval{Lo: v, Hi: v}
}

// Holds reports whether a value of a column meets the conditions on it: the number, or the code of the category. A
// missing value meets none. Conditions are those of ParseLike.
func (c Conditions) Holds(a *table.Attribute, v float64) bool {
	for k := range c {
		switch {
		case c[k].Column != a.Name:
		case a.Kind == table.Categorical:
			if v < 0 || int32(v) != a.Code(c[k].Value) {
				return false
			}
		default:
			if bound, _ := a.ParseValue(c[k].Value); !interval(c[k].Op, bound).Contains(v) {
				return false
			}
		}
	}
	return true
}

// On reports whether there is a condition on a column.
func (c Conditions) On(column string) bool {
	for k := range c {
		if c[k].Column == column {
			return true
		}
	}
	return false
}
