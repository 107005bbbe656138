package randomisedresponse

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Categorical is random noise for categorical attributes, with which Islam 2007 compares CAPT.
//
// Every value gives way, with probability p, to another value of the attribute's domain, each as likely.
//
// Cost: O(rows * columns), about 6 ns a value.
//
// Departures: none. The thesis perturbs with probability 0.1 as in CAPT.
//
// Reference: Islam 2007, section 7.3.1.
var Categorical = protect.Method{
	Card: card.Card{
		Name:      "randomcategorical",
		Title:     "Random Categorical",
		Aliases:   []string{"random categorical attribute perturbation"},
		Summary:   "Replaces each categorical value with probability p by any other value of its domain.",
		Paper:     "Islam 2007, section 7.3.1",
		Needs:     "categorical attributes besides the class",
		Changes:   "every categorical attribute except the class",
		Preserves: "the domain of every attribute",
		Biases:    "frequencies move towards uniform (type D), relations weaken (types B and C), rules break (type DM)",
		Exposes:   "the original with probability 1 - p, without other knowledge",
		Missing:   "stay missing",
		Shards:    protect.FromDomains,
		Cost:      "O(rows * columns)",
	},
	Purpose: protect.Counterparts,
	Growth:  1,
	New:     func() protect.Technique { return NewCategorical() },
	Plan:    func() protect.Plan { return &CategoricalPlan{} },
	Claims: []protect.Claim{protect.HasNoiseModel, protect.Notes, protect.Describes, protect.Checks, protect.Publishes,
		protect.Memoises, protect.BoundsOdds},
}

// CategoricalTechnique holds the parameters.
type CategoricalTechnique struct {
	P      float64  // probability of a change
	Except []string // columns left alone
}

// NewCategorical returns the technique with the paper's probability, 0.1.
func NewCategorical() *CategoricalTechnique { return param.Default(&CategoricalTechnique{}) }

// Params declares the parameters.
func (q *CategoricalTechnique) Params() param.Set {
	return param.Set{
		param.Float(&q.P, "p", 0.1, 0, 1, "", "probability that a value is replaced by another value of its domain"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit chooses the columns.
func (q *CategoricalTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records, of which it needs the domains.
func (q *CategoricalTechnique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	columns, err := protect.Columns(r.Schema, table.Categorical, q.Except)
	if err != nil {
		return nil, err
	}
	return &CategoricalPlan{Single{Attrs: r.Schema.Attrs(), P: q.P, Columns: columns}}, nil
}

// CategoricalPlan is the fitted technique; P is the probability that a value is replaced.
type CategoricalPlan struct{ Single }

// Notes says how private a value and a record are.
func (p *CategoricalPlan) Notes() []message.Sentence { return p.response(1 - p.P).Notes() }

// Epsilon is that of a whole record.
func (p *CategoricalPlan) Epsilon() float64 { return p.response(1 - p.P).Epsilon() }

// Published returns the probability to stay and the numbers of categories.
func (p *CategoricalPlan) Published() ([]modelfile.Part, error) { return p.published(1 - p.P), nil }

// Describe says what the plan does.
func (p *CategoricalPlan) Describe() message.Sentence { return message.Say("does.randomcategorical") }

// Apply replaces values.
func (p *CategoricalPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	return p.exchange(chunk, src, p.P)
}

// Law returns the law of a column, whatever the segment.
func (p *CategoricalPlan) Law(j int) (noisemodel.Column, bool) { return p.exchanged(j, p.P) }

// Law returns the exact probabilities, by code, of what is released for a value of a domain of n values.
func Law(value int32, n int, p float64) []float64 {
	out := make([]float64, n)
	for v := range out {
		out[v] = p / float64(n-1)
	}
	out[value] = 1 - p
	if n == 1 {
		out[value] = 1
	}
	return out
}
