package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/internal/system/mmap"
)

// AppendNumber appends v as text with exactly the decimals that the grid step needs; with step 0 the shortest text that
// reads back as v.
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
		s := float64(step * math.Pow10(d))
		if math.Abs(s-math.Round(s)) < 1e-9*s {
			return d
		}
	}
	return -1
}

// AsCategorical returns a table in which numeric column j is categorical: one ordered label per distinct value, in
// ascending order. A categorical column is returned as it is. It fails above limit distinct values (0 means no limit),
// and for a set-valued column.
func (t *Table) AsCategorical(j, limit int) (*Table, error) {
	c := t.cols[j]
	switch c.Kind {
	case Numeric:
	case Categorical:
		return t, nil
	case SetValued:
		return nil, fmt.Errorf("column %q is %s and cannot be used as categories", c.Name, c.Kind)
	}
	code := make(map[float64]int32)
	var distinct []float64
	for _, v := range c.Num {
		if _, ok := code[v]; !ok && !math.IsNaN(v) {
			code[v] = 0
			distinct = append(distinct, v)
			if limit > 0 && len(distinct) > limit {
				return nil, fmt.Errorf("column %q has more than %d distinct numbers and cannot be used as categories", c.Name,
					limit)
			}
		}
	}
	slices.Sort(distinct)
	labels := make([]string, len(distinct))
	for k, v := range distinct {
		code[v] = int32(k)
		labels[k] = string(c.AppendValue(nil, v))
	}
	codes := mmap.Make[int32](t.space, len(c.Num))
	for i, v := range c.Num {
		codes[i] = -1
		if !math.IsNaN(v) {
			codes[i] = code[v]
		}
	}
	a := c.Attribute
	a.Kind, a.Labels, a.Ordered = Categorical, labels, true
	a.Step, a.StepDeclared, a.Domain, a.Dates = 0, false, Interval{}, ""
	return t.WithColumn(j, Column{Attribute: a, Cat: codes})
}

// Conform returns the table with the attributes of a schema: the named columns in the schema's order, categories and
// items recoded to the schema's codes, domains, grids and roles of the schema. A numeric column becomes categorical
// where the schema says so. A label the schema does not know is an error unless unknown is set, in which case it is
// appended to the labels.
func (t *Table) Conform(schema []Attribute, unknown bool) (*Table, error) {
	n := *t
	n.cols = make([]Column, len(schema))
	for k, a := range schema {
		j := t.Find(a.Name)
		if j < 0 {
			return nil, fmt.Errorf("column %q is missing", a.Name)
		}
		src := t
		if a.Kind == Categorical && t.cols[j].Kind == Numeric {
			var err error
			if src, err = t.AsCategorical(j, 0); err != nil {
				return nil, err
			}
		}
		c := src.cols[j]
		if c.Kind != a.Kind {
			return nil, fmt.Errorf("column %q is %s, expected %s", a.Name, c.Kind, a.Kind)
		}
		var err error
		switch c.Kind {
		case Numeric:
			if err := c.SameUnit(&a); err != nil {
				return nil, fmt.Errorf("column %q %w", a.Name, err)
			}
		case Categorical:
			a.Labels, c.Cat, err = recode(&c, a.Labels, unknown, t.space)
		case SetValued:
			a.Labels, c.Sets, err = recodeSets(&c, a.Labels, unknown)
		}
		if err != nil {
			return nil, err
		}
		a.Dated = a.Dated || c.Dated && a.Dates == ""
		c.Attribute = a
		n.cols[k] = c
	}
	return &n, nil
}

// translation carries the codes of one list of labels into another.
type translation struct {
	from, to []string
	code     []int32 // in to, or -1
	grow     bool    // a label that to lacks is appended to it
}

func translate(from, to []string, grow bool) *translation {
	index := make(map[string]int32, len(to))
	for k, l := range to {
		index[l] = int32(k)
	}
	t := &translation{from: from, to: slices.Clip(to), code: make([]int32, len(from)), grow: grow}
	for k, l := range from {
		code, ok := index[l]
		if !ok {
			code = -1
		}
		t.code[k] = code
	}
	return t
}

// of returns the new code of v; false where there is none.
func (t *translation) of(v int32) (int32, bool) {
	if t.code[v] < 0 && t.grow {
		t.to = append(t.to, t.from[v])
		t.code[v] = int32(len(t.to) - 1)
	}
	return t.code[v], t.code[v] >= 0
}

func recode(c *Column, to []string, unknown bool, s *mmap.Space) ([]string, []int32, error) {
	if slices.Equal(c.Labels, to) {
		return to, c.Cat, nil
	}
	trans := translate(c.Labels, to, unknown)
	codes := mmap.Make[int32](s, len(c.Cat))
	for i, v := range c.Cat {
		codes[i] = -1
		if v < 0 {
			continue
		}
		var ok bool
		if codes[i], ok = trans.of(v); !ok {
			return nil, nil, fmt.Errorf("column %q, row %d: the value is not among the %d expected categories", c.Name, i+1,
				len(to))
		}
	}
	return trans.to, codes, nil
}

func recodeSets(c *Column, to []string, unknown bool) ([]string, *Sets, error) {
	if slices.Equal(c.Labels, to) {
		return to, c.Sets, nil
	}
	trans := translate(c.Labels, to, unknown)
	for i := range c.Sets.Rows() {
		for _, row := range [...][]int32{c.Sets.Present.Row(i), c.Sets.Unknown.Row(i)} {
			for _, v := range row {
				if _, ok := trans.of(v); !ok {
					return nil, nil, fmt.Errorf("column %q, row %d: an item is not among the %d expected ones", c.Name, i+1, len(to))
				}
			}
		}
	}
	return trans.to, c.Sets.recoded(trans.code), nil
}
