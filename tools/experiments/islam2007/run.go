package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/measures"
	_ "github.com/dither-data/dither/catalog/techniques"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/distributions"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/measure/rulepreservation"
	"github.com/dither-data/dither/measure/segments"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

// settings are parameters by name.
type settings = map[string]string

// kind is a technique in one setting.
type kind struct {
	name   string // the thesis's
	note   string // what sets it apart from others of that name
	method string
	set    settings
	trees  settings // go to the technique and to the measures alike
}

func (k *kind) title() string {
	if k.note == "" {
		return k.name
	}
	return k.name + ", " + k.note
}

// result is one run.
type result struct {
	acc    *prediction.AccuracyDetail
	sim    *rulepreservation.TreeSimilarityDetail
	bias   *distributions.Detail
	stayed float64 // share of records inside their original segment
}

// everything is what the tables of the thesis are made of.
var everything = []measure.Measure{
	prediction.Accuracy,
	rulepreservation.TreeSimilarity,
	distributions.Bias,
	segments.Measure,
}

// repeat protects every sample with so many seeds, on all cores, and measures the releases. Results are by sample, then
// by seed.
func repeat(
	ctx context.Context,
	samples []*sample,
	seeds int,
	label string,
	k *kind,
	measures []measure.Measure,
) ([]*result, error) {
	out, errs := make([]*result, len(samples)*seeds), make([]error, len(samples)*seeds)
	parallel.Do(len(out), func(n int) {
		out[n], errs[n] = run(ctx, samples[n/seeds], k, measures, seedOf(label, n))
	})
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("%s: %w", k.title(), err)
	}
	return out, nil
}

// run protects the training records and measures the release.
func run(ctx context.Context, s *sample, k *kind, measures []measure.Measure, seed rng.Seed) (*result, error) {
	p, err := release(ctx, s, k, seed)
	if err != nil {
		return nil, err
	}
	r := &measure.Release{Original: s.Original, Released: p.Released, Paired: true, Holdout: s.Holdout,
		Work: s.Work.Another()}
	if err := study.WithPlan(r, p.Plan); err != nil {
		return nil, err
	}
	ms, err := study.Evaluate(ctx, r, specs(k, measures), rng.New(seed), nil)
	if err != nil {
		return nil, err
	}
	res := &result{}
	for _, m := range ms {
		if !m.Err.Empty() {
			return nil, fmt.Errorf("%s: %s", m.Name, m.Err)
		}
		switch d := m.Value.Detail.(type) {
		case prediction.AccuracyDetail:
			res.acc = &d
		case rulepreservation.TreeSimilarityDetail:
			res.sim = &d
		case distributions.Detail:
			res.bias = &d
		case segments.Detail:
			res.stayed = m.Value.Score
		}
	}
	return res, nil
}

// release protects a sample as the thesis prints the technique: dither itself would release rare numbers between their
// neighbours (protect.Empirical), unless the kind says otherwise.
func release(ctx context.Context, s *sample, k *kind, seed rng.Seed) (*study.Protected, error) {
	m, err := catalog.Method(k.method)
	if err != nil {
		return nil, err
	}
	all := settings{}
	params := m.New().Params()
	for name, v := range k.trees {
		if params.Has(name) {
			all[name] = v
		}
	}
	all["exact"] = "true"
	maps.Copy(all, k.set)
	if !params.Has("exact") { // settings are of all techniques of an arena
		delete(all, "exact")
	}
	return study.Protect(ctx, study.Request{KeepOrder: true, Table: s.Original, Method: m, Set: all, Seed: seed})
}

// specs gives the measures the trees of the technique. The share of new rules is measured as tree similarity already.
func specs(k *kind, measures []measure.Measure) []study.Spec {
	var out []study.Spec
	for _, me := range measures {
		spec := study.Spec{Measure: me, Set: settings{}}
		params := me.New().Params()
		for name, v := range k.trees {
			if params.Has(name) {
				spec.Set[name] = v
			}
		}
		if params.Has("dm") {
			spec.Set["dm"] = "false"
		}
		out = append(out, spec)
	}
	return out
}

func accuracyGap(r *result) float64 { return math.Abs(r.acc.OriginalOriginal - r.acc.ReleasedReleased) }

// exact is 1 where the original tree has the same accuracy on the release as on its own data.
func exact(r *result) float64 {
	if r.acc.OriginalOriginal == r.acc.OriginalReleased {
		return 1
	}
	return 0
}

// weight returns the share of the released records, in per cent, under rules of the types.
func weight(types ...int) func(*result) float64 {
	return func(r *result) float64 {
		sum := 0.0
		for _, t := range types {
			sum += r.sim.Weights[t]
		}
		return sum
	}
}

// The types of rules, as indices of weights.
const (
	typeA = iota
	typeB
	typeC
	typeD
)
