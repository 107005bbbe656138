package publicnoise

import (
	"context"

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/numberwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// HoleTechnique holds the parameters.
type HoleTechnique struct {
	Epsilon float64 // % of the range
	Sigma   float64 // % of the range
	Except  []string
}

func newHole() *HoleTechnique { return param.Default(&HoleTechnique{}) }

// Params declares the parameters.
func (q *HoleTechnique) Params() param.Set {
	return param.Set{
		param.Float(&q.Epsilon, "epsilon", 10, 0, 1000, "% of the range",
			"width of the interval around a released value that never contains the original"),
		param.Float(&q.Sigma, "sigma", 12.75, 0.1, 1000, "% of the range",
			"standard deviation of the normal noise before the hole is cut; "+
				"the default has a privacy of 50 % at 95 % (agrawalsrikant)"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit works out the noise of every column.
func (q *HoleTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records, of which it needs the domains.
func (q *HoleTechnique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, err := numberwise.Fit(r.Schema, q.Except, func(_ int, n *modelfile.Number) error {
		n.Normal, n.Epsilon = float64(q.Sigma/100*(n.High-n.Low)), float64(q.Epsilon/100*(n.High-n.Low))
		return n.Check()
	})
	if err != nil {
		return nil, err
	}
	return &HolePlan{*p}, nil
}

// HolePlan is the fitted technique.
type HolePlan struct{ numberwise.Plan }

// Describe says what the plan does.
func (p *HolePlan) Describe() message.Sentence { return message.Say("does.hole") }

// Notes says first why another technique is better.
func (p *HolePlan) Notes() []message.Sentence {
	if len(p.Columns) == 0 {
		return p.Plan.Notes()
	}
	return append([]message.Sentence{message.Say("plan.hole")}, p.Plan.Notes()...)
}
