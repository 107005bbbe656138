package randomisedresponse

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Warner is the randomised response of Warner 1965, the first noise for categorical attributes.
//
// Every value is kept with probability p; otherwise it gives way to another one of its attribute's categories, each as
// likely. Of two categories that is the answer to a question with probability p and to its opposite otherwise, by a
// coin that only the respondent sees.
//
// What an informed intruder learns: local differential privacy. Whatever else is known of a record, a released value
// changes the odds of two original ones by at most the factor p(k-1)/(1-p), whose logarithm is epsilon; those of an
// attribute add up over the attributes of a record. At p = 1 all is released, at p = 1/k nothing.
//
// Cost: O(rows * columns), about 6 ns a value.
//
// Departures: Warner asks one question of two answers; for more categories the value is kept with p and otherwise any
// other is as likely.
//
// Reference: S. L. Warner, "Randomized response: a survey technique for eliminating evasive answer bias", JASA 60,
// 1965; Islam 2007, section 6.2.
var Warner = protect.Method{
	Card: card.Card{
		Name:      "warner",
		Title:     "Randomised response",
		Aliases:   []string{"randomized response", "Warner's technique", "k-ary randomised response"},
		Summary:   "Keeps each categorical value with probability p and otherwise releases any other value of the attribute.",
		Paper:     "Warner 1965; Islam 2007, section 6.2",
		Needs:     "categorical attributes",
		Changes:   "the given columns, or every categorical attribute except the class",
		Preserves: "shares and cross tables after a correction that needs only p",
		Biases: "uncorrected, shares move towards uniform (type D), relations weaken (types B and C), rules " +
			"break (type DM)",
		Exposes: "the odds of two original values change by a factor of at most p(k-1)/(1-p) (local differential privacy)",
		Missing: "stay missing",
		Shards:  protect.FromDomains,
		Cost:    "O(rows * columns)",
	},
	Purpose: protect.Randomises,
	Growth:  1,
	New:     func() protect.Technique { return NewWarner() },
	Plan:    func() protect.Plan { return &WarnerPlan{} },
	Claims: []protect.Claim{protect.HasNoiseModel, protect.Corrects, protect.Notes, protect.Describes, protect.Checks,
		protect.Publishes, protect.Memoises, protect.BoundsOdds},
}

// WarnerTechnique holds the parameters.
type WarnerTechnique struct {
	P       float64  // probability that a value is kept
	Columns []string // columns to perturb; none: all but the class
	Except  []string // columns left alone
}

// NewWarner returns the technique with p = 0.75: of two categories epsilon is ln 3.
func NewWarner() *WarnerTechnique { return param.Default(&WarnerTechnique{}) }

// Params declares the parameters.
func (q *WarnerTechnique) Params() param.Set {
	return param.Set{
		param.Float(&q.P, "p", 0.75, 0, 1, "", "probability that a value is kept; with k categories, 1/k reveals "+
			"nothing").Noisier(0.99, 0.02),
		param.Names(&q.Columns, "columns", "categorical columns to perturb, including the class if listed; none: "+
			"all except the class"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit chooses the columns.
func (q *WarnerTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records, of which it needs the domains.
func (q *WarnerTechnique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	columns, err := protect.Columns(r.Schema, table.Categorical, q.Except)
	if err == nil && len(q.Columns) > 0 {
		columns, err = q.named(r.Schema)
	}
	if err != nil {
		return nil, err
	}
	return &WarnerPlan{Single{Attrs: r.Schema.Attrs(), P: q.P, Columns: columns}}, nil
}

// named returns the positions of the columns that are named and not excepted.
func (q *WarnerTechnique) named(t *table.Table) ([]int, error) {
	var out []int
	for _, name := range q.Columns {
		j := t.Find(name)
		if j < 0 {
			return nil, fmt.Errorf("parameter %q: there is no column %q", "columns", name)
		}
		if a := t.Attr(j); a.Kind != table.Categorical || a.Role&table.Weight != 0 {
			return nil, fmt.Errorf("parameter %q: column %q is %s with the role %s; expected a categorical attribute",
				"columns", name, a.Kind, a.Role)
		}
		if !slices.Contains(q.Except, name) {
			out = append(out, j)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// WarnerPlan is the fitted technique; P is the probability that a value is kept.
type WarnerPlan struct{ Single }

// Describe says what the plan does.
func (p *WarnerPlan) Describe() message.Sentence { return message.Say("does.warner") }

// Apply replaces values.
func (p *WarnerPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	return p.exchange(chunk, src, 1-p.P)
}

// Law returns the law of a column, whatever the segment.
func (p *WarnerPlan) Law(j int) (noisemodel.Column, bool) { return p.exchanged(j, 1-p.P) }
