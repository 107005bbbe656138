package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// set is a data set of chapters 4 and 9.
type set struct {
	title       string
	train, test int
	read        func(context.Context) (*table.Table, error)
}

var sets = []set{
	{"BHP", 300, 50, housing},
	{"WBC", 350, 349, cancer},
}

// housing returns Boston Housing as section 4.3 has it: without CHAS and B, the median value turned into top 20% or
// bottom 80%.
func housing(ctx context.Context) (*table.Table, error) {
	t, err := rerun.Read(ctx, "bhp/bhp.csv", "chas", "b")
	if err != nil {
		return nil, err
	}
	j := t.Find("medv")
	if j < 0 {
		return nil, fmt.Errorf("there is no column %q", "medv")
	}
	value := t.Num(j)
	sorted := slices.Sorted(slices.Values(value))
	limit := sorted[len(sorted)*4/5]
	codes := make([]int32, len(value))
	for i, v := range value {
		if v >= limit {
			codes[i] = 1
		}
	}
	class := table.CatColumn("class", []string{"bottom 80%", "top 20%"}, codes)
	class.Role = table.Class
	return t.WithColumn(j, class)
}

// cancer returns the 699 records of WBC, missing values included.
func cancer(ctx context.Context) (*table.Table, error) {
	t, err := rerun.Read(ctx, "wbc/wbc.csv", "id")
	if err != nil {
		return nil, err
	}
	return rerun.Classed(t, "class")
}

// divide draws the training and the test records of one subset.
func (s *set) divide(t *table.Table, subset int) (train, test *table.Table, err error) {
	if t.Rows() < s.train+s.test {
		return nil, nil, fmt.Errorf("there are %d records; expected %d", t.Rows(), s.train+s.test)
	}
	order := rng.New(seedOf(s.title+" subset", subset)).Rand().Perm(t.Rows())
	return t.Gather(
			slices.Sorted(slices.Values(order[:s.train])),
		), t.Gather(
			slices.Sorted(slices.Values(order[s.train : s.train+s.test])),
		), nil
}

// seedOf returns a fixed seed: these are experiments on public data, to be rerun by anybody.
func seedOf(label string, k int) rng.Seed {
	return rng.SeedOf(sha256.Sum256(fmt.Appendf(nil, "islam 2007, class noise, %s %d", label, k)))
}
