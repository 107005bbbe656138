package additivenoise

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/additive"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// The constants of the linear transform.
const (
	Asymptotic = "asymptotic"
	C1         = "c1"
	C2         = "c2"
	Auto       = "auto"
)

// small is the number of records below which Auto takes C2.
const small = 500

// KimTechnique holds the parameters.
type KimTechnique struct {
	additive.Settings
	Noise    float64 // covariance of the noise, as a share of the attributes'
	Constant string  // form of the constant c
}

func newKim() *KimTechnique { return param.Default(&KimTechnique{}) }

// Params declares the parameters.
func (q *KimTechnique) Params() param.Set {
	return append(param.Set{
		additive.NoiseParam(&q.Noise),
		param.Choice(&q.Constant, "constant", Auto, []string{Asymptotic, C1, C2, Auto},
			"form of the constant that shrinks values towards the mean"),
	}, q.Settings.Params()...)
}

// Fit measures the covariances.
func (q *KimTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records.
func (q *KimTechnique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	c, err := constant(q.Constant, q.Noise, r.Rows)
	if err != nil {
		return nil, err
	}
	p, err := q.Correlated(ctx, r, q.Noise, c)
	if err != nil {
		return nil, err
	}
	return &TransformPlan{*p, byKim}, nil
}

// constant returns c for n records and noise of d times the variance.
func constant(form string, d float64, rows int) (float64, error) {
	n := float64(rows)
	if form == Auto {
		switch {
		case rows < small && n-1 > d:
			form = C2
		case rows > 1:
			form = C1
		}
	}
	switch {
	case form == C1 && rows > 1:
		return math.Sqrt((n - 1) / (float64(n*(1+d)) - 1)), nil
	case form == C2 && n-1 > d:
		return math.Sqrt((n - 1 - d) / ((n + 1) * (1 + d))), nil
	case form == C1 || form == C2:
		return 0, fmt.Errorf("parameter %q: %s does not exist for %d records with noise of %v times the "+
			"variance; expected more records, or %s",
			"constant", form, rows, d, Asymptotic)
	}
	return 1 / math.Sqrt(1+d), nil
}

// TendickTechnique holds the parameters.
type TendickTechnique struct {
	additive.Settings
	Delta float64 // root of the share of the released variance that is noise
}

// newTendickMatloff returns the technique with its defaults: a fifth of the variance is noise, as with noise of a
// quarter of the variance in Kim.
func newTendickMatloff() *TendickTechnique { return param.Default(&TendickTechnique{}) }

// Params declares the parameters.
func (q *TendickTechnique) Params() param.Set {
	return append(param.Set{
		param.Float(&q.Delta, "delta", 0.447, 0.01, 0.995, "",
			"standard deviation of the noise, as a share of the released attribute's").Noisier(0.03, 0.99),
	}, q.Settings.Params()...)
}

// Fit measures the covariances.
func (q *TendickTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records.
func (q *TendickTechnique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	rest := 1 - float64(q.Delta*q.Delta)
	p, err := q.Correlated(ctx, r, q.Delta*q.Delta/rest, math.Sqrt(rest))
	if err != nil {
		return nil, err
	}
	return &TransformPlan{*p, byTendick}, nil
}

// What plans of the two techniques do.
const (
	byKim     = "does.kim"
	byTendick = "does.tendick"
)

// TransformPlan is the plan of correlated noise with a step towards the mean.
type TransformPlan struct {
	additive.Plan
	does string // the key of what the plan does
}

// Describe says what the plan does.
func (p *TransformPlan) Describe() message.Sentence { return message.Say(p.does) }
