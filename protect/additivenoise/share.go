package additivenoise

import (
	"context"

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/additive"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// ShareTechnique holds the parameters of SADP and of correlated noise.
type ShareTechnique struct {
	additive.Settings
	Noise float64 // variance of the noise, as a share of each attribute's

	correlated bool
}

func newShare(correlated bool) *ShareTechnique {
	return param.Default(&ShareTechnique{correlated: correlated})
}

// Params declares the parameters.
func (q *ShareTechnique) Params() param.Set {
	return append(param.Set{additive.NoiseParam(&q.Noise)}, q.Settings.Params()...)
}

// Fit measures the variances, or the covariances.
func (q *ShareTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records.
func (q *ShareTechnique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	if q.correlated {
		p, err := q.Correlated(ctx, r, q.Noise, 1)
		if err != nil {
			return nil, err
		}
		return &CorrelatedPlan{*p}, nil
	}
	p, err := q.Independent(ctx, r, q.Noise)
	if err != nil {
		return nil, err
	}
	return &IndependentPlan{*p}, nil
}

// IndependentPlan is the plan of SADP.
type IndependentPlan struct{ additive.Plan }

// Describe says what the plan does.
func (p *IndependentPlan) Describe() message.Sentence { return message.Say("does.independent") }

// Corrections says how to work out the moments of the original.
func (p *IndependentPlan) Corrections() []message.Sentence { return p.IndependentCorrections() }

// Memoised says that draws are keyed by the values of the columns together.
func (*IndependentPlan) Memoised() bool { return true }

// CorrelatedPlan is the plan of correlated noise.
type CorrelatedPlan struct{ additive.Plan }

// Describe says what the plan does.
func (p *CorrelatedPlan) Describe() message.Sentence { return message.Say("does.correlated") }

// Memoised says that draws are keyed by the values of the columns together.
func (*CorrelatedPlan) Memoised() bool { return true }
