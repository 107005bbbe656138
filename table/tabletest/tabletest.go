// Package tabletest makes small tables for tests.
package tabletest

import "github.com/dither-data/dither/table"

// T is what a test, a benchmark and a property test have in common.
type T interface {
	Helper()
	Fatal(args ...any)
}

// Of returns a table of the columns. That they make none ends the test.
func Of(t T, cols ...table.Column) *table.Table {
	t.Helper()
	tab, err := table.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// Must is Of where there is no test at hand, as in a table that many tests share: columns that make no table are a
// panic.
func Must(cols ...table.Column) *table.Table {
	t, err := table.New(cols...)
	if err != nil {
		panic(err)
	}
	return t
}

// Numbers returns numeric columns of the step, called a, b, c and so on.
func Numbers(step float64, values ...[]float64) []table.Column {
	cols := make([]table.Column, len(values))
	for j, v := range values {
		cols[j] = table.NumColumn(string(rune('a'+j)), step, v)
	}
	return cols
}
