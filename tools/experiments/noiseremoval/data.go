package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// set is a table of numbers.
type set struct {
	title string
	*table.Table
}

// load makes the table of few directions and reads the complete records of the data sets, their numeric attributes
// without the class.
func load(ctx context.Context) ([]set, error) {
	few, err := directions(2000, 20, 3)
	if err != nil {
		return nil, err
	}
	sets := []set{{"Three directions", few}}
	for _, d := range []struct {
		title, file string
		drop        string // a number that is no measurement
	}{{"Wine", "wine/wine.csv", "class"}, {"WBC", "wbc/wbc.csv", "id"}, {"Adult", "adult/adult.csv", ""}} {
		t, err := rerun.Read(ctx, d.file, d.drop)
		if err != nil {
			return nil, err
		}
		sets = append(sets, set{d.title, numbers(t)})
	}
	return sets, nil
}

// directions returns invented records of m continuous attributes that are sums of a few standard normals, so that the
// data lie in as many directions; loadings are standard normal.
func directions(n, m, few int) (*table.Table, error) {
	r := rand.New(rand.NewPCG(1986, 2005))
	loading := make([]float64, m*few)
	for i := range loading {
		loading[i] = r.NormFloat64()
	}
	values := make([][]float64, m)
	for j := range values {
		values[j] = make([]float64, n)
	}
	for i := range n {
		for k := range few {
			u := r.NormFloat64()
			for j, v := range values {
				v[i] += loading[j*few+k] * u
			}
		}
	}
	cols := make([]table.Column, m)
	for j, v := range values {
		cols[j] = table.NumColumn(fmt.Sprint("x", j+1), 0, v)
	}
	return table.New(cols...)
}

// numbers returns the numeric columns of the complete records. A class written as a number is one of two values, so it
// is left out too.
func numbers(t *table.Table) *table.Table {
	return rerun.Select(
		rerun.Complete(t),
		func(a *table.Attribute) bool { return a.Kind == table.Numeric && a.Name != "class" },
	)
}

// participation is how many directions the correlations of a table have: (sum of eigenvalues)^2 / sum of their squares,
// which is m for m uncorrelated attributes and 1 where all are one.
func participation(t *table.Table) float64 {
	m, squares := t.Width(), 0.0
	for j := range m {
		for k := range m {
			squares += math.Pow(correlation(t.Num(j), t.Num(k)), 2)
		}
	}
	return float64(m*m) / squares
}
