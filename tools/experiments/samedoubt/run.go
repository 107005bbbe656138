package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/internal/stats/correlation"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/rulepreservation"
	"github.com/dither-data/dither/measure/valuedisclosure"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// set is a public table, of which the numbers and the class are taken.
type set struct{ name, file, class, drop string }

var data = []set{
	{"Adult", "adult/adult.csv", "income", "fnlwgt"},
	{"WBC", "wbc/wbc.csv", "class", "id"},
	{"Abalone", "abalone/abalone.csv", "sex", ""},
}

// spreads are standard deviations of the Framework's noise, in per cent of the sub-domain.
var spreads = []float64{10, 33.33, 100}

// read returns the complete records with their numbers and the class. Ranges are not declared, so noise may lead out of
// them.
func (d *set) read(ctx context.Context) (*table.Table, error) {
	t, err := rerun.Read(ctx, d.file, d.drop)
	if err != nil {
		return nil, err
	}
	if t, err = rerun.Classed(rerun.Complete(t), d.class); err != nil {
		return nil, err
	}
	return rerun.Select(
		t,
		func(a *table.Attribute) bool { return a.Kind == table.Numeric || a.Role&table.Class != 0 },
	), nil
}

// The figures of a release.
const (
	doubt = iota // mean of h(X|Y) over the numbers, in bits of the attribute's range
	privacy
	face
	byLaw
	bayes
	rules
	correlations
	corrected
	figures
)

// row is a release with the means of its figures; NaN does not apply.
type row struct {
	name    string
	figures [figures]float64
}

// compare makes releases by the Framework and by noise that leaves as much doubt, and measures them.
func compare(ctx context.Context, t *table.Table, spread float64, draws int) ([]row, error) {
	out := []row{{name: "original"}, {name: "Framework"}, {name: "normal noise"}, {name: "uniform noise"}}
	for draw := range draws {
		order := rng.New(seed("divide", draw)).Rand().Perm(t.Rows())
		train, test := t.Gather(order[:2*len(order)/3]), t.Gather(order[2*len(order)/3:])
		releases, err := releases(ctx, train, spread, draw)
		if err != nil {
			return nil, err
		}
		for k, r := range releases {
			f, err := r.measure(ctx, train, test)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", out[k].name, err)
			}
			for j, v := range f {
				out[k].figures[j] += v / float64(draws)
			}
		}
	}
	return out, nil
}

func seed(words ...any) rng.Seed { return rng.SeedOf(sha256.Sum256(fmt.Append(nil, words...))) }

// release is a released table, with its plan, its law and its privacy where it has these.
type release struct {
	table   *table.Table
	plan    protect.Plan
	law     *modelfile.Model
	privacy float64
}

// releases returns the original, the release of the Framework, and two with noise of the same doubt.
func releases(ctx context.Context, train *table.Table, spread float64, draw int) ([]*release, error) {
	own, err := protected(ctx, train, "framework", map[string]string{"spread": fmt.Sprint(spread)}, draw)
	if err != nil {
		return nil, err
	}
	aim, err := own.doubt(ctx, train)
	if err != nil {
		return nil, err
	}
	out := []*release{{table: train, privacy: math.NaN()}, own}
	for _, noise := range []string{"normal", "uniform"} {
		lo, hi := 0.0, math.Log(1000) // logarithm of the privacy in per cent
		var r *release
		for range 14 {
			mid := (lo + hi) / 2
			if r, err = protected(ctx, train, "agrawalsrikant",
				map[string]string{"noise": noise, "privacy": fmt.Sprint(math.Exp(mid))}, draw); err != nil {
				return nil, err
			}
			r.privacy = math.Exp(mid)
			d, err := r.doubt(ctx, train)
			if err != nil {
				return nil, err
			}
			if d < aim {
				lo = mid
			} else {
				hi = mid
			}
		}
		if d, err := r.doubt(ctx, train); err != nil || math.Abs(d-aim) > 0.05 {
			return nil, errors.Join(err, fmt.Errorf("%s noise up to 1000 %% leaves %.2f bits, expected %.2f", noise, d, aim))
		}
		out = append(out, r)
	}
	return out, nil
}

// protected releases a table; the class stays.
func protected(
	ctx context.Context,
	t *table.Table,
	technique string,
	set map[string]string,
	draw int,
) (*release, error) {
	m, err := catalog.Method(technique)
	if err != nil {
		return nil, err
	}
	p, err := study.Protect(
		ctx,
		study.Request{
			KeepOrder: true,
			Table:     t,
			Method:    m,
			Set:       set,
			Keep:      []string{t.Attr(t.WithRole(table.Class)).Name},
			Seed:      seed(technique, draw),
		},
	)
	if err != nil {
		return nil, err
	}
	r := &release{table: p.Released, plan: p.Plan, privacy: math.NaN()}
	if law, ok := p.Plan.(protect.Published); ok {
		parts, err := law.Published()
		if err != nil {
			return nil, err
		}
		r.law = &modelfile.Model{Parts: parts, Release: modelfile.Release{Records: t.Rows()}}
	}
	return r, nil
}

func (r *release) pair(original *table.Table) (*measure.Release, error) {
	out := &measure.Release{Original: original, Released: r.table, Paired: true}
	return out, study.WithPlan(out, r.plan)
}

// doubt returns the mean of log2 Pi(X|Y) over the numbers, Pi as a share of the range: 0 is a uniform value of which
// nothing is told.
func (r *release) doubt(ctx context.Context, original *table.Table) (float64, error) {
	pair, err := r.pair(original)
	if err != nil {
		return 0, err
	}
	v, err := param.Default(&valuedisclosure.ConditionalPrivacyMeter{}).Measure(ctx, pair, rng.New(seed("doubt")))
	if err != nil {
		return 0, err
	}
	sum, n := 0.0, 0.0
	for _, c := range v.Detail.(valuedisclosure.ConditionalPrivacyDetail).Columns {
		a := original.Attr(original.Find(c.Name))
		if a.Kind != table.Numeric {
			continue
		}
		sum, n = sum+math.Log2(max(c.After, 1e-3*a.Step)/(a.Domain.Hi-a.Domain.Lo)), n+1
	}
	return sum / n, nil
}

// measure returns the figures of a release.
func (r *release) measure(ctx context.Context, train, test *table.Table) (f [figures]float64, err error) {
	f[privacy], f[byLaw], f[bayes], f[corrected], f[doubt], f[rules] = r.privacy, math.NaN(), math.NaN(), math.NaN(),
		math.NaN(), 100
	if f[face], err = accuracy(ctx, "c45", r.table, nil, test); err != nil {
		return f, err
	}
	if r.plan == nil {
		return f, nil
	}
	if f[doubt], err = r.doubt(ctx, train); err != nil {
		return f, err
	}
	pair, err := r.pair(train)
	if err != nil {
		return f, err
	}
	kept, err := param.Default(&rulepreservation.RuleSurvivalMeter{}).Measure(ctx, pair, rng.New(seed("rules")))
	if err != nil {
		return f, err
	}
	d, ok := kept.Detail.(rulepreservation.RuleSurvivalDetail)
	if !ok || d.Original == 0 {
		return f, errors.New("there are no rules")
	}
	f[rules] = 100 * float64(d.Kept) / float64(d.Original)
	if f[correlations], err = changed(ctx, train, r.table, nil); err != nil || r.law == nil {
		return f, err
	}
	if f[byLaw], err = accuracy(ctx, "byclass", r.table, r.law, test); err != nil {
		return f, err
	}
	if f[bayes], err = accuracy(ctx, "naivebayes", r.table, r.law, test); err != nil {
		return f, err
	}
	f[corrected], err = changed(ctx, train, r.table, r.law)
	return f, err
}

// accuracy learns from a table and returns the share of the tested records whose class is predicted, in per cent.
func accuracy(
	ctx context.Context,
	name string,
	t *table.Table,
	law *modelfile.Model,
	test *table.Table,
) (float64, error) {
	miner, err := catalog.Miner(name)
	if err != nil {
		return 0, err
	}
	l := miner.New()
	if by, ok := l.(mine.LawLearner); ok {
		by.ByLaw(law)
	}
	m, err := mine.Fit(ctx, l, t, rng.New(seed("mine")))
	if err != nil {
		return 0, err
	}
	predicted := make([]int32, test.Rows())
	m.(mine.Classifier).Predict(test, predicted)
	right := 0
	for i, c := range test.Cat(test.WithRole(table.Class)) {
		if predicted[i] == c {
			right++
		}
	}
	return 100 * float64(right) / float64(test.Rows()), nil
}

// changed returns the mean change of the correlations of the numbers. By the law the variance of the noise is taken off
// first: independent noise does not change covariances.
func changed(ctx context.Context, original, released *table.Table, law *modelfile.Model) (float64, error) {
	var cols []int
	for j := range original.Width() {
		if original.Attr(j).Kind == table.Numeric {
			cols = append(cols, j)
		}
	}
	x, err := correlation.OfTable(ctx, original, cols)
	if err != nil {
		return 0, err
	}
	y, err := correlation.OfTable(ctx, released, cols)
	if err != nil {
		return 0, err
	}
	noise := make([]float64, len(cols))
	if law != nil {
		for _, p := range law.Parts {
			for k, j := range cols {
				if n, ok := p.Number.Noise(); ok && p.Columns[0] == original.Attr(j).Name {
					noise[k] = n.SD() * n.SD()
				}
			}
		}
	}
	sum, n := 0.0, 0.0
	for k := range cols {
		for l := range k {
			vk, vl := max(y.Cov[k][k]-noise[k], 1e-9*y.Cov[k][k]), max(y.Cov[l][l]-noise[l], 1e-9*y.Cov[l][l])
			r := max(-1, min(1, y.Cov[k][l]/math.Sqrt(vk*vl)))
			sum, n = sum+math.Abs(r-x.Corr[k][l]), n+1
		}
	}
	return sum / n, nil
}
