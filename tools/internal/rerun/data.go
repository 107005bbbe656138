package rerun

import (
	"context"
	"fmt"
	"slices"

	_ "github.com/dither-data/dither/format/all"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/table"
)

// Read reads a public data set, such as "wine/wine.csv", without the columns that are dropped; a name that it lacks
// drops nothing.
func Read(ctx context.Context, name string, drop ...string) (*table.Table, error) {
	path, err := dataset.Path(name)
	if err != nil {
		return nil, err
	}
	t, _, err := format.Read(ctx, path, format.Options{})
	if err != nil {
		return nil, err
	}
	return Select(t, func(a *table.Attribute) bool { return !slices.Contains(drop, a.Name) }), nil
}

// Select returns the columns that keep accepts.
func Select(t *table.Table, keep func(*table.Attribute) bool) *table.Table {
	var cols []int
	for j := range t.Width() {
		if keep(t.Attr(j)) {
			cols = append(cols, j)
		}
	}
	return t.Select(cols...)
}

// Complete returns the records without a missing value.
func Complete(t *table.Table) *table.Table {
	var rows []int
	for i := range t.Rows() {
		whole := true
		for j := range t.Width() {
			whole = whole && !t.MissingAt(i, j)
		}
		if whole {
			rows = append(rows, i)
		}
	}
	return t.Gather(rows)
}

// Categorical returns the table with the named columns, which may be numbers, as categories.
func Categorical(t *table.Table, names ...string) (*table.Table, error) {
	for _, name := range names {
		j := t.Find(name)
		if j < 0 {
			return nil, fmt.Errorf("there is no column %q", name)
		}
		var err error
		if t, err = t.AsCategorical(j, 100); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// Classed returns the table with the named column, made categorical, as its class.
func Classed(t *table.Table, name string) (*table.Table, error) {
	t, err := Categorical(t, name)
	if err != nil {
		return nil, err
	}
	j := t.Find(name)
	a := *t.Attr(j)
	a.Role = table.Class
	return t.WithAttr(j, a), nil
}
