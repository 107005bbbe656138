package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// load reads a data set, drops the incomplete records and the columns named, and makes the class categorical.
func load(ctx context.Context, name, class string, drop ...string) (*table.Table, error) {
	t, err := rerun.Read(ctx, name, drop...)
	if err != nil {
		return nil, err
	}
	return rerun.Classed(rerun.Complete(t), class)
}

// sample is the training records and the hold-out of one split, as the release that changes nothing: what is learned
// from the original alone is learned there, once.
type sample = measure.Release

// split holds out test records, the same share of every leaf of a tree grown on all records, as the thesis did; which
// ones depends on the seed.
func split(ctx context.Context, t *table.Table, test int, learner c45.Learner, seed rng.Seed) (*sample, error) {
	tr, err := learner.Grow(ctx, t, t.WithRole(table.Class))
	if err != nil {
		return nil, err
	}
	leaf := make([]int32, t.Rows())
	tr.Route(t, leaf)
	order := rng.New(seed).Fork("split").Rand().Perm(t.Rows())
	slices.SortStableFunc(order, func(a, b int) int { return int(leaf[a] - leaf[b]) })
	// Walking the leaves one after the other and taking every n-th record takes the same share of each.
	var in, out []int
	for k, i := range order {
		if (k+1)*test/len(order) > k*test/len(order) {
			out = append(out, i)
		} else {
			in = append(in, i)
		}
	}
	slices.Sort(in)
	slices.Sort(out)
	train := t.Gather(in)
	return &sample{Original: train, Released: train, Holdout: t.Gather(out), Paired: true,
		Work: measure.NewWorkspace()}, nil
}

// wbcSamples returns ten splits of the 683 complete records of WBC into 600 and 83 (section 7.3.2).
func wbcSamples(ctx context.Context) ([]*sample, error) {
	t, err := load(ctx, "wbc/wbc.csv", "class", "id")
	if err != nil {
		return nil, err
	}
	out := make([]*sample, 10)
	for k := range out {
		if out[k], err = split(ctx, t, 83, *c45.New(), seedOf("wbc split", k)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// adultSample returns one split of the 30,162 complete records of Adult into 25,600 and 4,562 (section 7.3.1).
func adultSample(ctx context.Context) ([]*sample, error) {
	t, err := load(ctx, "adult/adult.csv", "income")
	if err != nil {
		return nil, err
	}
	learner := *c45.New()
	learner.MinLeaf = 200
	s, err := split(ctx, t, 4562, learner, seedOf("adult split", 0))
	return []*sample{s}, err
}

// except names every categorical attribute but the class and those that are perturbed.
func except(t *table.Table, perturbed ...string) string {
	var names []string
	for j := range t.Width() {
		a := t.Attr(j)
		if a.Kind == table.Categorical && a.Role&table.Class == 0 && !slices.Contains(perturbed, a.Name) {
			names = append(names, a.Name)
		}
	}
	return strings.Join(names, ",")
}

// seedOf returns a fixed seed: these are experiments on public data, to be rerun by anybody.
func seedOf(label string, k int) rng.Seed {
	return rng.SeedOf(sha256.Sum256(fmt.Appendf(nil, "islam 2007 %s %d", label, k)))
}
