package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/measures"
	_ "github.com/dither-data/dither/catalog/techniques"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// chosen is the record of table 8.1.
const chosen = 1321264

// training returns 600 of the 683 complete records of WBC without their numbers, and the row of the chosen one: of the
// splits by the leaves of a tree on all records, as the thesis describes them, the first that trains on it.
func training(ctx context.Context) (*table.Table, int, error) {
	all, err := rerun.Read(ctx, "wbc/wbc.csv")
	if err != nil {
		return nil, 0, err
	}
	if all, err = rerun.Classed(rerun.Complete(all), "class"); err != nil {
		return nil, 0, err
	}
	t := rerun.Select(all, func(a *table.Attribute) bool { return a.Name != "id" })
	for k := range 100 {
		in, err := split(ctx, t, 83, seedOf("split", k))
		if err != nil {
			return nil, 0, err
		}
		if row := slices.IndexFunc(in, func(i int) bool { return all.Num(all.Find("id"))[i] == chosen }); row >= 0 {
			return t.Gather(in), row, nil
		}
	}
	return nil, 0, errors.New("no split has the chosen record among the training records")
}

// split returns the rows that are left when the same share of every leaf of a tree on all records is held out.
func split(ctx context.Context, t *table.Table, held int, seed rng.Seed) ([]int, error) {
	tr, err := c45.New().Grow(ctx, t, t.WithRole(table.Class))
	if err != nil {
		return nil, err
	}
	leaf := make([]int32, t.Rows())
	tr.Route(t, leaf)
	order := rng.New(seed).Rand().Perm(t.Rows())
	slices.SortStableFunc(order, func(a, b int) int { return int(leaf[a] - leaf[b]) })
	var in []int
	for k, i := range order {
		if (k+1)*held/len(order) == k*held/len(order) {
			in = append(in, i)
		}
	}
	slices.Sort(in)
	return in, nil
}

// seedOf returns a fixed seed: these are experiments on public data, to be rerun by anybody.
func seedOf(label string, k int) rng.Seed {
	return rng.SeedOf(sha256.Sum256(fmt.Appendf(nil, "disclosure %s %d", label, k)))
}

// protect returns a release of the training records by the Framework, as the thesis sets it.
func protect(ctx context.Context, t *table.Table, influential string, k int) (*measure.Release, error) {
	m, err := catalog.Method("framework")
	if err != nil {
		return nil, err
	}
	p, err := study.Protect(
		ctx,
		study.Request{
			KeepOrder: true,
			Table:     t,
			Method:    m,
			Set:       map[string]string{"minLeaf": "2", "influential": influential},
			Seed:      seedOf("noise", k),
		},
	)
	if err != nil {
		return nil, err
	}
	r := &measure.Release{Original: p.Original, Released: p.Released, Paired: true}
	return r, study.WithPlan(r, p.Plan)
}

// greedy returns the attributes in the order that narrows down a record fastest in the unperturbed file.
func greedy(t *table.Table, row int) (order []string) {
	known := 0
	for len(order) < t.Width()-1 {
		best, at := t.Rows()+1, 0
		for j := range t.Width() - 1 {
			if known>>j&1 == 0 {
				if n := alike(t, known|1<<j)[row]; n < best {
					best, at = n, j
				}
			}
		}
		known |= 1 << at
		order = append(order, t.Attr(at).Name)
	}
	return order
}

// alike counts for every record those that agree with it in a set of attributes, itself included.
func alike(t *table.Table, set int) []int {
	keys, counts := make([][9]float64, t.Rows()), map[[9]float64]int{}
	for i := range keys {
		for j := range keys[i] {
			if set>>j&1 == 1 {
				keys[i][j] = t.Num(j)[i]
			}
		}
		counts[keys[i]]++
	}
	out := make([]int, len(keys))
	for i, k := range keys {
		out[i] = counts[k]
	}
	return out
}
