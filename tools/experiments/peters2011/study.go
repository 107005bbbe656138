package main

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/stats/quantile"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/measure/queryattack"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/bestorrest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// shares are the p of the paper; 0 is the original.
var shares = []float64{0, 0.1, 0.2, 0.3}

var scenarios = [2]string{bestorrest.S1, bestorrest.S2}

// result is what is measured of one data set.
type result struct {
	set
	rows, columns, classes int
	found                  [2][]*found        // by scenario and p
	figures                [2][4][4][]float64 // by scenario, metric and p: every class, fold and release
	filled                 []filling          // S1, by p
	finder                 *intruder.Intruder // who asks
}

// found is what the queries find in one setting, means over the releases.
type found struct {
	queries   float64
	identity  quantile.Summary // probability of finding a person, S1
	right     float64          // mean probability of finding the right one
	unmatched float64          // share of the queries without a match
	anyMatch  quantile.Summary // S1 by an intruder to whom a suppressed value matches everything
	anyRight  float64
	secret    []quantile.Summary // probability of every class, S2
	own       float64            // mean probability of the person's own class
	names     []string
}

// filling is what an intruder makes of suppressed cells, means over the releases.
type filling struct {
	cells, right float64 // suppressed cells, and the share filled in with the right value or bin
	find         float64 // mean probability of finding the right person in the release that is filled in
}

// study takes all figures of a data set.
func study(ctx context.Context, s set, t *table.Table, releases int) (*result, error) {
	class := t.WithRole(table.Class)
	r := &result{set: s, rows: t.Rows(), columns: t.Width() - 1, classes: len(t.Attr(class).Labels)}
	r.finder = &intruder.Intruder{Name: "quasi-identifiers", Knows: []string{"role:quasi-identifier"}}
	for s := range scenarios {
		for p := range shares {
			f, fill := new(found), filling{}
			for k := range releases {
				if err := r.add(ctx, t, f, &fill, s, p, k, 1/float64(releases)); err != nil {
					return nil, err
				}
			}
			r.found[s] = append(r.found[s], f)
			if s == 0 && p > 0 {
				r.filled = append(r.filled, fill)
			}
		}
	}
	return r, nil
}

// add takes the figures of one release.
func (r *result) add(ctx context.Context, t *table.Table, f *found, fill *filling, s, p, k int, weight float64) error {
	released := t
	if shares[p] > 0 {
		q := bestorrest.SAPNew()
		q.Scenario, q.P = scenarios[s], shares[p]
		plan, err := q.Fit(ctx, t, rng.Source{})
		if err != nil {
			return err
		}
		if released, err = executor.Run(ctx, plan, t, source("sap", s, p, k), protect.Options{}); err != nil {
			return err
		}
	}
	if err := r.attack(ctx, t, released, f, k, weight); err != nil {
		return err
	}
	if s == 0 && p > 0 {
		if err := r.fill(ctx, t, released, fill, k, weight); err != nil {
			return err
		}
	}
	return r.learn(ctx, t, released, s, p, k)
}

// source is that of a setting; folds and queries depend on the number of the release alone.
func source(use string, setting ...int) rng.Source {
	return rng.New(sha256.Sum256(fmt.Appendf(nil, "peters 2011 %s %v", use, setting)))
}

// attack asks the queries of figure 4.3.
func (r *result) attack(ctx context.Context, t, released *table.Table, f *found, k int, weight float64) error {
	strict, err := r.ask(ctx, t, released, queryattack.Strict, k)
	if err != nil {
		return err
	}
	anyMatch, err := r.ask(ctx, t, released, queryattack.Wildcard, k)
	if err != nil {
		return err
	}
	f.queries += weight * float64(strict.Queries)
	f.unmatched += weight * strict.Unmatched
	f.right += weight * strict.Right.Mean
	f.anyRight += weight * anyMatch.Right.Mean
	sum(&f.identity, strict.After, weight)
	sum(&f.anyMatch, anyMatch.After, weight)
	secret := strict.Secrets[0]
	f.own += weight * secret.OwnAfter
	if f.secret == nil {
		f.secret = make([]quantile.Summary, len(secret.Values))
		for _, v := range secret.Values {
			f.names = append(f.names, v.Name)
		}
	}
	for v := range secret.Values {
		sum(&f.secret[v], secret.Values[v].After, weight)
	}
	return nil
}

func (r *result) ask(ctx context.Context, t, released *table.Table, missing string, k int) (queryattack.Detail, error) {
	m := param.Default(&queryattack.Meter{})
	m.Missing = missing
	rel := &measure.Release{Original: t, Released: released, Paired: true, Intruder: r.finder}
	v, err := m.Measure(ctx, rel, source("queries", k))
	if err != nil {
		return queryattack.Detail{}, err
	}
	return v.Detail.(queryattack.Detail), nil
}

// sum adds a summary with a weight.
func sum(to *quantile.Summary, s quantile.Summary, weight float64) {
	to.Mean += weight * s.Mean
	to.Q1 += weight * s.Q1
	to.Median += weight * s.Median
	to.Q3 += weight * s.Q3
}

// learn takes acc, pd, prec and pf of 1-NN by five folds: learned from the release, tested on the original.
func (r *result) learn(ctx context.Context, t, released *table.Table, s, p, k int) error {
	m := param.Default(&prediction.ClassifierMeter{})
	m.Repeats = 1
	v, err := m.Measure(ctx, &measure.Release{Original: t, Released: released, Paired: true}, source("folds", k))
	if err != nil {
		return err
	}
	for i, f := range v.Detail.(prediction.ClassifierDetail).Figures {
		if f.Name != metrics[i] {
			return fmt.Errorf("figure %q, expected %q", f.Name, metrics[i])
		}
		r.figures[s][i][p] = append(r.figures[s][i][p], f.Released.Values...)
	}
	return nil
}
