package main

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
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
		"husband_education", "wife_religion", "wife_now_working", "husband_occupation", "standard_of_living_index",
		"media_exposure"}},
	{name: "abalone", file: "abalone/abalone.csv", class: "rings", minLeaf: 180},
}

// load reads a data set of Table 3: complete records, the class and coded attributes categorical. The minimum leaf size
// of the table goes to every technique and measure.
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
	t, err := rerun.Read(ctx, s.file, s.id)
	if err != nil {
		return nil, err
	}
	for _, n := range s.numeric {
		if t, err = numbers(t, t.Find(n)); err != nil {
			return nil, err
		}
	}
	if t, err = rerun.Categorical(t, s.categorical...); err != nil {
		return nil, err
	}
	if t, err = rerun.Classed(t, s.class); err != nil {
		return nil, err
	}
	return rerun.Complete(t), nil
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
