package study

import (
	"math"

	"github.com/dither-data/dither/table"
)

// Familiar returns a hold-out with the values that the schema cannot hold taken for unknown, and how many records have
// one: categories that it does not have, and numbers outside a domain that was declared. A single new category then
// costs that value and not the whole hold-out. Columns that the schema lacks, and sets, stay as they are. Cost: O(n)
// per column.
func Familiar(holdout *table.Table, schema []table.Attribute) (t *table.Table, records int) {
	strange := make([]bool, holdout.Rows())
	t = holdout
	for k := range schema {
		a := schema[k]
		j := t.Find(a.Name)
		if j < 0 {
			continue
		}
		switch {
		case a.Kind == table.Numeric && a.Declared && t.Attr(j).Kind == table.Numeric:
			t = t.WithNum(j, within(t.Num(j), a.Domain, strange))
		case a.Kind == table.Categorical:
			t = categories(t, j, a, strange)
		}
	}
	for _, s := range strange {
		if s {
			records++
		}
	}
	return t, records
}

// within returns numbers with those outside a domain missing, and marks their records.
func within(v []float64, domain table.Interval, strange []bool) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		if out[i] = x; x == x && !domain.Contains(x) {
			out[i], strange[i] = math.NaN(), true
		}
	}
	return out
}

// categories returns the table with column j in the categories of the attribute and others missing, and marks the
// records. A column that cannot be taken for categories is left for others to refuse.
func categories(t *table.Table, j int, a table.Attribute, strange []bool) *table.Table {
	one, err := t.Select(j).Conform([]table.Attribute{a}, true)
	if err != nil {
		return t
	}
	c := one.Column(0)
	codes := make([]int32, len(c.Cat))
	for i, code := range c.Cat {
		if codes[i] = code; int(code) >= len(a.Labels) {
			codes[i], strange[i] = -1, true
		}
	}
	c.Labels, c.Cat = a.Labels, codes
	n, err := t.WithColumn(j, c)
	if err != nil {
		return t
	}
	return n
}
