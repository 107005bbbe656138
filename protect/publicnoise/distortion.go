package publicnoise

import (
	"context"
	"errors"
	"math"

	"github.com/dither-data/dither/internal/noise/additive"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/numberwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// The kinds of randomisation.
const (
	Uniform = "uniform"
	Normal  = "normal"
	Classes = "classes"
)

// DistortionTechnique holds the parameters.
type DistortionTechnique struct {
	Noise      string
	Privacy    float64 // % of the range
	Confidence float64 // %
	Except     []string
}

func newDistortion() *DistortionTechnique { return param.Default(&DistortionTechnique{}) }

// Params declares the parameters.
func (q *DistortionTechnique) Params() param.Set {
	return param.Set{
		param.Choice(&q.Noise, "noise", Normal, []string{Uniform, Normal, Classes},
			"uniform or normal noise, or the midpoint of the value's class"),
		param.Float(&q.Privacy, "privacy", 50, 0.1, 1000, "% of the range",
			"width of the interval that contains the original with the given certainty; the paper tries 25 to 200; "+
				"classes need less than 100"),
		param.Float(&q.Confidence, "certainty", 95, 1, 99.99, "%",
			"confidence level of the privacy: how surely the interval contains the original"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit works out the noise of every column.
func (q *DistortionTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records, of which it needs the domains.
func (q *DistortionTechnique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, err := numberwise.Fit(r.Schema, q.Except, func(_ int, n *modelfile.Number) error { return q.noise(n) })
	if err != nil {
		return nil, err
	}
	return &DistortionPlan{*p}, nil
}

// noise sets the law of a column whose range is known.
func (q *DistortionTechnique) noise(n *modelfile.Number) error {
	width, c := float64(q.Privacy/100*(n.High-n.Low)), q.Confidence/100
	switch q.Noise {
	case Uniform:
		n.Uniform = width / additive.Width(additive.Uniform{Half: 1}, c)
	case Normal:
		n.Normal = width / additive.Width(additive.Normal{Sigma: 1}, c)
	case Classes:
		lo, hi := n.Range()
		class := width / c
		if n.Step > 0 {
			class = float64(max(1, math.Round(class/n.Step)) * n.Step)
		}
		n.Ends, n.Classes = false, int(min(max(1, math.Ceil((hi-lo)/class-1e-9)), 1<<16))
	default:
		return errors.New("there is no such noise")
	}
	return nil
}

// DistortionPlan is the fitted technique.
type DistortionPlan struct{ numberwise.Plan }

// Describe says what the plan does.
func (p *DistortionPlan) Describe() message.Sentence {
	if len(p.Laws) > 0 && p.Laws[0].Classes > 0 {
		return message.Say("does.classes")
	}
	return message.Say("does.distortion")
}
