package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/accuracy"
	"github.com/dither-data/dither/measure/bias"
	"github.com/dither-data/dither/measure/segments"
	"github.com/dither-data/dither/measure/treesimilarity"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// load reads a data set, drops the incomplete records and the columns named, and makes the class categorical.
func load(ctx context.Context, name, class string, drop ...string) (*table.Table, error) {
	t, _, err := format.Read(ctx, data(name), format.Options{})
	if err != nil {
		return nil, err
	}
	var cols, rows []int
	for j := range t.Width() {
		if !slices.Contains(drop, t.Attr(j).Name) {
			cols = append(cols, j)
		}
	}
	t = t.Select(cols...)
	for i := range t.Rows() {
		whole := true
		for j := range t.Width() {
			whole = whole && !t.MissingAt(i, j)
		}
		if whole {
			rows = append(rows, i)
		}
	}
	t = t.Gather(rows)
	j := t.Find(class)
	if t, err = t.AsCategorical(j, 100); err != nil {
		return nil, err
	}
	a := *t.Attr(j)
	a.Role = table.Class
	return t.WithAttr(j, a), nil
}

// split holds out test records, the same share of every leaf of a tree grown on all records, as the thesis did; which
// ones depends on the seed.
func split(ctx context.Context, t *table.Table, test int, learner c45.Learner, seed [32]byte) (train, held *table.Table, err error) {
	tr, err := learner.Grow(ctx, t, t.WithRole(table.Class))
	if err != nil {
		return nil, nil, err
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
	return t.Gather(in), t.Gather(out), nil
}

// seedOf returns a fixed seed: these are experiments on public data, to be rerun by anybody.
func seedOf(label string, k int) [32]byte {
	return sha256.Sum256(fmt.Appendf(nil, "islam 2007 %s %d", label, k))
}

// result is one run.
type result struct {
	acc    *accuracy.Detail
	sim    *treesimilarity.Detail
	bias   *bias.Detail
	stayed float64 // share of records inside their original segment
}

// run protects the training records and measures the release. Tree parameters go to the technique and to the measures alike.
func run(ctx context.Context, train, held *table.Table, method string, set, trees map[string]string, seed [32]byte) (*result, error) {
	m, err := catalog.Method(method)
	if err != nil {
		return nil, err
	}
	all := maps.Clone(trees)
	maps.Copy(all, set)
	p, err := study.Protect(ctx, study.Request{Table: train, Method: m, Set: all, Seed: seed})
	if err != nil {
		return nil, err
	}
	r := &measure.Release{Original: p.Original, Released: p.Released, Paired: true, Holdout: held}
	if err := study.WithPlan(r, p.Plan); err != nil {
		return nil, err
	}
	var specs []study.Spec
	for _, me := range catalog.Measures() {
		spec := study.Spec{Measure: me, Set: map[string]string{}}
		params := me.New().Params()
		for k, v := range trees {
			if params.Has(k) {
				spec.Set[k] = v
			}
		}
		specs = append(specs, spec)
	}
	ms, err := study.Evaluate(ctx, r, specs, rng.New(seed), nil)
	if err != nil {
		return nil, err
	}
	res := &result{}
	for _, m := range ms {
		if m.Err != "" {
			return nil, fmt.Errorf("%s: %s", m.Name, m.Err)
		}
		switch d := m.Value.Detail.(type) {
		case accuracy.Detail:
			res.acc = &d
		case treesimilarity.Detail:
			res.sim = &d
		case bias.Detail:
			res.bias = &d
		case segments.Detail:
			res.stayed = m.Value.Score
		}
	}
	return res, nil
}

// column collects one figure of many runs.
func column(rs []*result, f func(*result) float64) []float64 {
	out := make([]float64, len(rs))
	for i, r := range rs {
		out[i] = f(r)
	}
	return out
}

func mean(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s / float64(len(v))
}

// quantile interpolates linearly.
func quantile(v []float64, q float64) float64 {
	v = slices.Sorted(slices.Values(v))
	h := q * float64(len(v)-1)
	i := int(h)
	if i+1 >= len(v) {
		return v[len(v)-1]
	}
	return v[i] + (h-float64(i))*(v[i+1]-v[i])
}

// within returns the share of values for which ok holds, in per cent.
func within(v []float64, ok func(float64) bool) float64 {
	n := 0
	for _, x := range v {
		if ok(x) {
			n++
		}
	}
	return 100 * float64(n) / float64(len(v))
}

func accuracyGap(r *result) float64 { return math.Abs(r.acc.OriginalOriginal - r.acc.ReleasedReleased) }
func typeA(r *result) float64       { return r.sim.Weights[0] }
func typeAB(r *result) float64      { return r.sim.Weights[0] + r.sim.Weights[1] }
func typeD(r *result) float64       { return r.sim.Weights[3] }
