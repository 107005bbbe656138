package quality

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/text/expression"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/table"
)

// Pair is an original with a release of it. Both have the columns that the model names.
type Pair struct {
	Original, Released *table.Table
	// Rows is, by row of the release, the row of the original that it was made of, each at most once; -1 where the
	// original has none. Nil pairs rows at the same place.
	Rows []int32
	// Groups says that values of the release may be groups of the original's, such as 30-39 or a ward's hospital: one that
	// the original does not know is then no value that a condition could judge.
	Groups bool
}

// Join pairs records by the columns of a key, which both tables have and whose values tell records apart. Cost: O(n).
func Join(original, released *table.Table, key []string) (rows []int32, err error) {
	if len(key) == 0 {
		return nil, errors.New("there is no key to pair records by")
	}
	at, err := keyed(original, key, "original", nil)
	if err != nil {
		return nil, err
	}
	rows = make([]int32, released.Rows())
	if _, err = keyed(released, key, "release", func(k string, i int) {
		rows[i] = -1
		if o, ok := at[k]; ok {
			rows[i] = o
		}
	}); err != nil {
		return nil, err
	}
	return rows, nil
}

// keyed returns the row of every key, and visits all.
func keyed(t *table.Table, key []string, what string, visit func(k string, i int)) (map[string]int32, error) {
	columns := make([]table.Column, len(key))
	for k, name := range key {
		j := t.Find(name)
		if j < 0 {
			return nil, fmt.Errorf("the %s has no column %q, which the key names", what, name)
		}
		columns[k] = t.Column(j)
	}
	at := make(map[string]int32, t.Rows())
	var buf []byte
	for i := range t.Rows() {
		buf = buf[:0]
		for k := range columns {
			buf = appendKey(buf, &columns[k], i)
		}
		if other, ok := at[string(buf)]; ok {
			return nil, fmt.Errorf("the key is not unique: rows %s and %s of the %s have the same",
				numfmt.Count(float64(other)+1), numfmt.Count(float64(i)+1), what)
		}
		own := string(buf)
		if at[own] = int32(i); visit != nil {
			visit(own, i)
		}
	}
	return at, nil
}

// appendKey is Column.AppendKey for tables whose labels may differ.
func appendKey(dst []byte, c *table.Column, i int) []byte {
	if c.Kind != table.Categorical || c.Cat[i] < 0 {
		return c.AppendKey(dst, i)
	}
	label := c.Labels[c.Cat[i]]
	return append(append(dst, fmt.Sprint(len(label), ":")...), label...)
}

// same reports whether row o of the original and row i of the release have the same value.
type same func(o, i int) bool

// comparer compares values by what they are, whatever the codes of their labels; values of different kinds are the same
// when both are missing.
func comparer(was, is *table.Column) same {
	if was.Kind != is.Kind || was.Name == "" {
		return func(o, i int) bool { return was.Name != "" && was.MissingAt(o) && is.MissingAt(i) }
	}
	if is.Kind == table.Numeric || slices.Equal(was.Labels, is.Labels) {
		return func(o, i int) bool { return was.Same(o, is, i) }
	}
	if is.Kind == table.Categorical {
		code := make([]int32, len(is.Labels))
		for k, l := range is.Labels {
			code[k] = was.Code(l) // -1: a label that the original lacks differs from all, for the value itself is not missing
		}
		return func(o, i int) bool {
			c := is.Cat[i]
			return c < 0 && was.Cat[o] < 0 || c >= 0 && code[c] >= 0 && code[c] == was.Cat[o]
		}
	}
	return func(o, i int) bool { return was.MissingAt(o) && is.MissingAt(i) } // sets of other items
}

// knows returns which labels of a released column a condition can judge; nil for all.
func knows(was, is *table.Column, groups bool) []bool {
	if !groups || is.Kind != table.Categorical {
		return nil
	}
	out := make([]bool, len(is.Labels))
	if was.Kind == table.Categorical {
		for k, l := range is.Labels {
			out[k] = slices.Contains(was.Labels, l)
		}
	}
	return out
}

// released is a record of the release, as an expression reads it.
type released struct {
	*evaluator
	columns []int
	i       int
}

// Value implements expression.Row.
func (r *released) Value(k int) expression.Value {
	c := &r.is[r.columns[k]]
	switch c.Kind {
	case table.Numeric:
		if v := c.Num[r.i]; v == v {
			return expression.Value{Kind: expression.Number, Number: v}
		}
	case table.Categorical:
		if code := c.Cat[r.i]; code >= 0 {
			if known := r.known[r.columns[k]]; known != nil && !known[code] {
				return expression.Value{Kind: expression.Other}
			}
			return expression.Value{Kind: expression.Text, Text: c.Labels[code]}
		}
	case table.SetValued:
		return expression.Value{Kind: expression.Other}
	}
	return expression.Value{}
}
