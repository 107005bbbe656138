package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// AppendNumber appends v as text with exactly the decimals that the grid step needs; with step 0 the shortest text that reads
// back as v.
func AppendNumber(dst []byte, v, step float64) []byte {
	if step == 1 && math.Abs(v) < 1<<53 {
		return strconv.AppendInt(dst, int64(v), 10)
	}
	return strconv.AppendFloat(dst, v, 'f', Decimals(step), 64)
}

// Decimals returns how many decimals a grid step needs; -1 for step 0, which has no fixed number.
func Decimals(step float64) int {
	if step == 0 {
		return -1
	}
	for d := range 16 {
		s := step * math.Pow10(d)
		if math.Abs(s-math.Round(s)) < 1e-9*s {
			return d
		}
	}
	return -1
}

// AsCategorical returns a table in which numeric column j is categorical: one ordered label per distinct value, in
// ascending order. A categorical column is returned as it is. It fails above limit distinct values (0 means no limit).
func (t *Table) AsCategorical(j, limit int) (*Table, error) {
	c := t.cols[j]
	if c.Kind == Categorical {
		return t, nil
	}
	code := make(map[float64]int32)
	var distinct []float64
	for _, v := range c.Num {
		if _, ok := code[v]; !ok && !math.IsNaN(v) {
			code[v] = 0
			distinct = append(distinct, v)
			if limit > 0 && len(distinct) > limit {
				return nil, fmt.Errorf("column %q has more than %d distinct numbers and cannot be used as categories", c.Name, limit)
			}
		}
	}
	slices.Sort(distinct)
	labels := make([]string, len(distinct))
	for k, v := range distinct {
		code[v] = int32(k)
		labels[k] = string(AppendNumber(nil, v, c.Step))
	}
	codes := make([]int32, len(c.Num))
	for i, v := range c.Num {
		codes[i] = -1
		if !math.IsNaN(v) {
			codes[i] = code[v]
		}
	}
	a := c.Attribute
	a.Kind, a.Labels, a.Ordered, a.Step, a.Domain = Categorical, labels, true, 0, Interval{}
	return t.WithColumn(j, Column{Attribute: a, Cat: codes})
}

// Conform returns the table with the attributes of a schema: the named columns in the schema's order, categories recoded to the
// schema's codes, domains, grids and roles of the schema. A numeric column becomes categorical where the schema says so.
// A label the schema does not know is an error unless unknown is set, in which case it is appended to the labels.
func (t *Table) Conform(schema []Attribute, unknown bool) (*Table, error) {
	n := *t
	n.cols = make([]Column, len(schema))
	for k, a := range schema {
		j := t.Find(a.Name)
		if j < 0 {
			return nil, fmt.Errorf("column %q is missing", a.Name)
		}
		src := t
		if a.Kind == Categorical {
			var err error
			if src, err = t.AsCategorical(j, 0); err != nil {
				return nil, err
			}
		}
		c := src.cols[j]
		if c.Kind != a.Kind {
			return nil, fmt.Errorf("column %q is %s, expected %s", a.Name, c.Kind, a.Kind)
		}
		if c.Kind == Categorical {
			labels, codes, err := recode(&c, a.Labels, unknown)
			if err != nil {
				return nil, err
			}
			c.Cat, a.Labels = codes, labels
		}
		c.Attribute = a
		n.cols[k] = c
	}
	return &n, nil
}

func recode(c *Column, to []string, unknown bool) ([]string, []int32, error) {
	if slices.Equal(c.Labels, to) {
		return to, c.Cat, nil
	}
	index := make(map[string]int32, len(to))
	for k, l := range to {
		index[l] = int32(k)
	}
	to = slices.Clip(to)
	trans := make([]int32, len(c.Labels))
	for k, l := range c.Labels {
		code, ok := index[l]
		if !ok {
			code = -2
		}
		trans[k] = code
	}
	codes := make([]int32, len(c.Cat))
	for i, v := range c.Cat {
		codes[i] = -1
		if v < 0 {
			continue
		}
		if trans[v] == -2 {
			if !unknown {
				return nil, nil, fmt.Errorf("column %q, row %d: the value is not among the %d expected categories", c.Name, i+1, len(to))
			}
			to = append(to, c.Labels[v])
			trans[v] = int32(len(to) - 1)
		}
		codes[i] = trans[v]
	}
	return to, codes, nil
}
