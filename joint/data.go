package joint

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/table"
)

// Numbers returns a column of numbers of the own table, in units of 10^-Decimals of the plan; missing marks the values
// that are missing, which are 0, and is nil where none is. A number outside the range of the plan, or with more
// decimals, is an error that names the record.
func (p *Party) Numbers(t *table.Table, c *Column) (values []int64, missing []bool, err error) {
	j := t.Find(c.Name)
	switch {
	case j < 0:
		return nil, nil, p.Mine(fmt.Errorf("the table has no column %q", c.Name))
	case c.Values != nil || t.Attr(j).Kind != table.Numeric:
		return nil, nil, p.Mine(fmt.Errorf("column %q does not hold numbers, here or in the plan", c.Name))
	}
	scale := math.Pow10(c.Decimals)
	values = make([]int64, t.Rows())
	for i, v := range t.Num(j) {
		if math.IsNaN(v) {
			if missing == nil {
				missing = make([]bool, t.Rows())
			}
			missing[i] = true
			continue
		}
		units := math.Round(float64(v * scale))
		if v < c.Min || v > c.Max || math.Abs(float64(v*scale)-units) > 1e-6*math.Max(1, math.Abs(units)*1e-9) {
			return nil, nil, p.Mine(fmt.Errorf("column %q, record %d: the number is outside %v to %v, or has more than %d "+
				"decimals; mend the table, or the column in the plan", c.Name, i+1, c.Min, c.Max, c.Decimals))
		}
		values[i] = int64(units)
	}
	return values, missing, nil
}

// Codes returns a column of categories of the own table as codes of the plan, -1 where it is missing. A category that
// the plan does not have is an error that names the record.
func (p *Party) Codes(t *table.Table, c *Column) ([]int32, error) {
	j := t.Find(c.Name)
	switch {
	case j < 0:
		return nil, p.Mine(fmt.Errorf("the table has no column %q", c.Name))
	case c.Values == nil || t.Attr(j).Kind != table.Categorical:
		return nil, p.Mine(fmt.Errorf("column %q does not hold categories, here or in the plan", c.Name))
	}
	code := make(map[string]int32, len(c.Values))
	for k, v := range c.Values {
		code[v] = int32(k)
	}
	labels := t.Attr(j).Labels
	out := make([]int32, t.Rows())
	for i, v := range t.Cat(j) {
		out[i] = -1
		if v < 0 {
			continue
		}
		k, ok := code[labels[v]]
		if !ok {
			return nil, p.Mine(fmt.Errorf("column %q, record %d: the plan does not have its category", c.Name, i+1))
		}
		out[i] = k
	}
	return out, nil
}
