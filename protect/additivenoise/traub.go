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

// TraubTechnique holds the parameters.
type TraubTechnique struct {
	additive.Settings
	Error   float64 // in standard deviations of the attribute
	Records int     // fewest records of a mean that matters
	Chance  float64 // that such a mean is off by the error or more, at most
}

func newBound() *TraubTechnique { return param.Default(&TraubTechnique{}) }

// Params declares the parameters. By default the noise has a quarter of the variance, as SADP's.
func (q *TraubTechnique) Params() param.Set {
	return append(param.Set{
		param.Float(&q.Error, "error", 0.05, 1e-6, 100, "standard deviations",
			"error of a mean that should be rare").Noisier(0.005, 50),
		param.Int(&q.Records, "records", 1000, 1, math.MaxInt32, "records",
			"fewest records in a mean of interest; 1 bounds the noise of single values"),
		param.Float(&q.Chance, "chance", 0.1, 1e-6, 1, "",
			"largest probability that such a mean is off by the error or more"),
	}, q.Settings.Params()...)
}

// share returns the largest variance of the noise that keeps the bound, as a share of an attribute's.
func (q *TraubTechnique) share() (float64, error) {
	const least = 1e-9 // less is no noise
	d := float64(q.Chance * float64(q.Records) * q.Error * q.Error)
	if d < least || d > additive.MaxNoise {
		return 0, fmt.Errorf("chance %v * records %d * error %v^2 is %.3g times the variance; expected %v to %v",
			q.Chance, q.Records, q.Error, d, least, float64(additive.MaxNoise))
	}
	return d, nil
}

// Fit measures the variances.
func (q *TraubTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records.
func (q *TraubTechnique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	d, err := q.share()
	if err != nil {
		return nil, err
	}
	p, err := q.Independent(ctx, r, d)
	if err != nil {
		return nil, err
	}
	return &TraubPlan{*p, q.Error, q.Records, q.Chance}, nil
}

// TraubPlan is the plan, with the bound that its noise follows from.
type TraubPlan struct {
	additive.Plan
	Error   float64 `json:"error"`
	Records int     `json:"records"`
	Chance  float64 `json:"chance"`
}

// Check refuses a decoded plan whose noise is not what its bound allows.
func (p *TraubPlan) Check() error {
	q := TraubTechnique{Error: p.Error, Records: p.Records, Chance: p.Chance}
	if d, err := q.share(); err != nil {
		return err
	} else if d != p.Noise {
		return fmt.Errorf("the noise is %v times the variance; the bound says %v", p.Noise, d)
	}
	return p.Plan.Check()
}

// Describe says what the plan does.
func (p *TraubPlan) Describe() message.Sentence { return message.Say("does.traub") }

// Notes says what the bound is.
func (p *TraubPlan) Notes() []message.Sentence {
	if len(p.Columns) == 0 {
		return p.Plan.Notes()
	}
	return append([]message.Sentence{message.Say("plan.traub").Digits("noise", p.Noise, 4).Count("records", p.Records).
		Digits("error", p.Error, 4).Digits("chance", p.Chance, 4)}, p.Plan.Notes()...)
}

// Corrections says how to work out the moments of the original.
func (p *TraubPlan) Corrections() []message.Sentence { return p.IndependentCorrections() }
