package main

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// set is a data set of Roy's: its numeric attributes, without the class.
type set struct {
	name         string
	table        *table.Table
	confidential string // the confidential attribute that the paper names
	second       string // the one that is confidential too where several are
}

// load reads Wine, Housing and Wages.
func load(ctx context.Context) ([]set, error) {
	sets := []set{
		{name: "Wine", confidential: "alcohol"},
		{name: "Housing", confidential: "medv"},
		{name: "Wages", confidential: "wage", second: "experience"},
	}
	for k, file := range []string{"wine/wine.csv", "bhp/bhp.csv", "wages/wages.csv"} {
		t, err := rerun.Read(ctx, file, "class")
		if err != nil {
			return nil, err
		}
		sets[k].table = rerun.Select(t, func(a *table.Attribute) bool { return a.Kind == table.Numeric })
		if sets[k].second == "" {
			sets[k].second = sets[k].companion()
		}
	}
	return sets, nil
}

// companion returns the attribute that correlates most with the confidential one.
func (s *set) companion() string {
	x := s.table.Num(s.table.Find(s.confidential))
	best, name := -1.0, ""
	for j := range s.table.Width() {
		a := s.table.Attr(j)
		if a.Name == s.confidential {
			continue
		}
		r := stat.Correlation(x, s.table.Num(j), nil)
		if r = max(r, -r); r > best {
			best, name = r, a.Name
		}
	}
	return name
}

// with returns the table in which the named attributes are confidential; all of them without a name.
func (s *set) with(names ...string) *table.Table {
	cols := s.table.Columns()
	for j := range cols {
		cols[j].Role = 0
		if len(names) == 0 || slices.Contains(names, cols[j].Name) {
			cols[j].Role = table.Confidential
		}
	}
	t, err := table.New(cols...)
	if err != nil {
		panic(err) // the columns are those of a table
	}
	return t
}
