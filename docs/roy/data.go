package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/table"
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
		path, err := find(file)
		if err != nil {
			return nil, err
		}
		t, _, err := format.Read(ctx, path, format.Options{})
		if err != nil {
			return nil, err
		}
		var cols []int
		for j := range t.Width() {
			if a := t.Attr(j); a.Kind == table.Numeric && a.Name != "class" {
				cols = append(cols, j)
			}
		}
		sets[k].table = t.Select(cols...)
		if sets[k].second == "" {
			sets[k].second = sets[k].companion()
		}
	}
	return sets, nil
}

// find looks for a data file where DITHER_DATA says, or beside the checkout.
func find(name string) (string, error) {
	for _, dir := range []string{os.Getenv("DITHER_DATA"), "../shared/data"} {
		if dir == "" {
			continue
		}
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil {
			return path, nil
		} else if !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
	}
	return "", fmt.Errorf("%s is not there; set DITHER_DATA to the folder of the public data sets", name)
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
