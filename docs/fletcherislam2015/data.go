package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// set is one row of Table 3. The paper counts 12 numeric attributes in Wine; the data set has 13.
type set struct {
	name, file, class string
	categorical       []string // codes that are written as numbers
	numeric           []string // numbers with leading zeros
	id                string   // dropped
	minLeaf           int
}

var table3 = []set{
	{name: "wine", file: "wine/wine.csv", class: "class", minLeaf: 10},
	{name: "wbc", file: "wbc/wbc.csv", class: "class", id: "id", minLeaf: 45},
	{name: "credit", file: "crx/crx.csv", class: "class", minLeaf: 30, numeric: []string{"a11", "a14"}},
	{name: "cmc", file: "cmc/cmc.csv", class: "contraceptive_method", minLeaf: 60, categorical: []string{"wife_education",
		"husband_education", "wife_religion", "wife_now_working", "husband_occupation", "standard_of_living_index", "media_exposure"}},
	{name: "abalone", file: "abalone/abalone.csv", class: "rings", minLeaf: 180},
}

// load reads a data set of Table 3: complete records, the class and coded attributes categorical. The minimum leaf size of the table goes
// to every technique and measure.
func load(ctx context.Context, name string) (*study.DataSet, error) {
	for _, s := range table3 {
		if s.name == name {
			t, err := s.read(ctx)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.file, err)
			}
			return &study.DataSet{Name: name, Table: t, Set: map[string]string{"minLeaf": strconv.Itoa(s.minLeaf)}}, nil
		}
	}
	return nil, fmt.Errorf("unknown data set %q", name)
}

func (s *set) read(ctx context.Context) (*table.Table, error) {
	t, _, err := format.Read(ctx, path(s.file), format.Options{})
	if err != nil {
		return nil, err
	}
	var cols []int
	for j := range t.Width() {
		if t.Attr(j).Name != s.id {
			cols = append(cols, j)
		}
	}
	t = t.Select(cols...)
	for _, n := range s.numeric {
		if t, err = numbers(t, t.Find(n)); err != nil {
			return nil, err
		}
	}
	for _, n := range append(s.categorical, s.class) {
		if t, err = t.AsCategorical(t.Find(n), 100); err != nil {
			return nil, err
		}
	}
	j := t.Find(s.class)
	a := *t.Attr(j)
	a.Role = table.Class
	return t.WithAttr(j, a).Gather(whole(t)), nil
}

// numbers returns the table with the labels of column j read as integers: format.Read takes leading zeros for a code.
func numbers(t *table.Table, j int) (*table.Table, error) {
	a := t.Attr(j)
	values := make([]float64, t.Rows())
	for i, c := range t.Cat(j) {
		if c < 0 {
			values[i] = math.NaN()
			continue
		}
		v, err := strconv.Atoi(a.Labels[c])
		if err != nil {
			return nil, fmt.Errorf("column %q: a value is no integer", a.Name)
		}
		values[i] = float64(v)
	}
	return t.WithColumn(j, table.NumColumn(a.Name, 1, values))
}

// whole returns the records without a missing value.
func whole(t *table.Table) []int {
	var rows []int
	for i := range t.Rows() {
		missing := false
		for j := range t.Width() {
			missing = missing || t.MissingAt(i, j)
		}
		if !missing {
			rows = append(rows, i)
		}
	}
	return rows
}

func path(file string) string {
	if dir := os.Getenv("DITHER_DATA"); dir != "" {
		return filepath.Join(dir, file)
	}
	return filepath.Join("..", "shared", "data", file)
}
