package study

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/dither-data/dither/table"
)

// Keys writes the values of a column that names every record of a table once, by record. It is an error where the table
// has no such column, where a value is missing and where one repeats. Errors tell rows, counted from 1, and no values.
// Cost: O(n).
func Keys(t *table.Table, column string) ([]string, error) {
	j := t.Find(column)
	if j < 0 {
		return nil, errors.New("there is no such column")
	}
	c := t.Column(j)
	out, at := make([]string, t.Rows()), make(map[string]int, t.Rows())
	for i := range out {
		row := int(t.ID(i)) + 1
		switch {
		case !c.Kind.Scalar():
			return nil, errors.New("it holds sets, which are no key")
		case c.MissingAt(i):
			return nil, fmt.Errorf("row %d has no value; a key names every record", row)
		case c.Kind == table.Categorical:
			out[i] = c.Labels[c.Cat[i]]
		default:
			out[i] = strconv.FormatFloat(c.Num[i], 'f', -1, 64)
		}
		if was, twice := at[out[i]]; twice {
			return nil, fmt.Errorf("row %d has the value of row %d; a key names every record once", row, was)
		}
		at[out[i]] = row
	}
	return out, nil
}

// Linked returns the records of a table by those of another, by the keys of both: -1 for a key that it lacks. Cost:
// O(n).
func Linked(of, in []string) []int {
	at := make(map[string]int, len(in))
	for i, k := range in {
		at[k] = i
	}
	rows := make([]int, len(of))
	for i, k := range of {
		r, ok := at[k]
		if rows[i] = r; !ok {
			rows[i] = -1
		}
	}
	return rows
}

// ByKey returns, by the row of a release's file, the row of the original's with the same value of a column that both
// hold. A record of the release that the original lacks is an error; one of the original may be missing in the release.
// The identities of the records are rows of their files. Cost: O(n).
func ByKey(original, released *table.Table, column string) ([]int, error) {
	a, err := Keys(original, column)
	if err != nil {
		return nil, fmt.Errorf("the original: %w", err)
	}
	b, err := Keys(released, column)
	if err != nil {
		return nil, fmt.Errorf("the release: %w", err)
	}
	most := -1
	for i := range b {
		most = max(most, int(released.ID(i)))
	}
	rows := make([]int, most+1)
	for i, k := range Linked(b, a) {
		if k < 0 {
			return nil, fmt.Errorf("the release: row %d has a value that the original lacks, so it is nobody's record",
				int(released.ID(i))+1)
		}
		rows[released.ID(i)] = int(original.ID(k))
	}
	return rows, nil
}
