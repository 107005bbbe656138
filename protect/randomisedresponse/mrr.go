package randomisedresponse

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/redraw"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Multivariate is the multivariate randomised response of Du & Zhan 2003.
//
// The attributes of two categories, the class among them, form one or more groups. With probability theta a record
// sends all values of a group as they are, otherwise the other value of all of them. The groups of a record are drawn
// apart.
//
// What an informed intruder learns: a released value is right with probability theta before other knowledge, and
// epsilon = |ln(theta/(1-theta))| bounds what a group tells. But complements are all or nothing: one original value
// that the intruder knows, or can tell from the others, such as a combination that does not occur, gives away all
// values of the group. Noise of every attribute's own (Warner) does not have this weakness, at the price of an epsilon
// per attribute.
//
// Cost: O(rows * columns), about 6 ns a value.
//
// Departures: none in the law; which attributes form a group, and every group's theta, is the user's to say.
//
// Reference: W. Du, Z. Zhan, "Using randomized response techniques for privacy-preserving data mining", KDD 2003; Islam
// 2007, section 3.2.
var Multivariate = protect.Method{
	Card: card.Card{
		Name:      "mrr",
		Title:     "Multivariate randomised response",
		Short:     "MRR",
		Aliases:   []string{"MRR", "multivariate randomized response", "one-group scheme"},
		Summary:   "Reports all binary values of a record truthfully with probability theta and flips all of them otherwise.",
		Paper:     "Du & Zhan 2003; Islam 2007, section 3.2.2",
		Needs:     "attributes with two categories",
		Changes:   "these attributes, including the class",
		Preserves: "shares of records with given values, and trees, after a correction; relations inside a group exactly",
		Biases: "uncorrected, shares move towards 1/2 (type D), relations across groups weaken (types B and C), " +
			"rules break (type DM)",
		Exposes: "a value with probability theta, and a whole group to someone who knows one of its values",
		Missing: "stay missing",
		Shards:  protect.FromDomains,
		Cost:    "O(rows * columns)",
	},
	Purpose: protect.Randomises,
	Growth:  1,
	New:     func() protect.Technique { return NewMultivariate() },
	Plan:    func() protect.Plan { return &MultivariatePlan{} },
	Claims: []protect.Claim{protect.HasNoiseModel, protect.Corrects, protect.Notes, protect.Describes, protect.Checks,
		protect.Publishes, protect.Memoises, protect.BoundsOdds},
}

// MultivariateTechnique holds the parameters.
type MultivariateTechnique struct {
	Theta  float64  // probability that a group is sent as it is
	Groups []string // a+b+c, or a+b+c=theta
	Except []string // columns left alone
}

// NewMultivariate returns the technique with theta = 0.75: epsilon is ln 3.
func NewMultivariate() *MultivariateTechnique { return param.Default(&MultivariateTechnique{}) }

// Params declares the parameters.
func (q *MultivariateTechnique) Params() param.Set {
	return param.Set{
		param.Float(&q.Theta, "theta", 0.75, 0, 1, "", "probability that a record reports a group of values "+
			"truthfully; 0.5 reveals nothing").Noisier(0.99, 0.5),
		param.Names(&q.Groups, "groups",
			"groups of columns with two categories, as a+b+c, or a+b+c=0.8 with a separate theta; none: one group "+
				"of all such columns"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit forms the groups.
func (q *MultivariateTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records, of which it needs the domains.
func (q *MultivariateTechnique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if _, err := protect.Columns(r.Schema, table.Categorical, q.Except); err != nil {
		return nil, err
	}
	groups, err := transition.Groups(r.Schema, q.Groups, q.Theta, q.Except)
	if err != nil {
		return nil, err
	}
	if len(groups) == 0 {
		return nil, errors.New("no column that is not excepted has two categories")
	}
	return &MultivariatePlan{Attrs: r.Schema.Attrs(), Groups: groups}, nil
}

// MultivariatePlan is the fitted technique. A group draws from src.Fork(name).Fork(name)..., by the names of its
// columns.
type MultivariatePlan struct {
	Attrs  []table.Attribute  `json:"schema"`
	Groups []transition.Group `json:"groups"`
}

// Schema returns the attributes the plan was fitted on.
func (p *MultivariatePlan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *MultivariatePlan) Changes() []string {
	var columns []int
	for _, g := range p.Groups {
		columns = append(columns, g.Columns...)
	}
	slices.Sort(columns)
	return protect.Names(p.Attrs, columns)
}

// Describe says what the plan does.
func (p *MultivariatePlan) Describe() message.Sentence { return message.Say("does.mrr") }

// Check refuses a decoded plan that could not be applied.
func (p *MultivariatePlan) Check() error { return transition.CheckGroups(p.Attrs, p.Groups) }

// Apply exchanges values.
func (p *MultivariatePlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	cols := chunk.Columns()
	for _, g := range p.Groups {
		from := src
		for _, j := range g.Columns {
			from = from.Fork(p.Attrs[j].Name)
		}
		ids, first := chunk.NoiseKeys(g.Columns...)
		for _, j := range g.Columns {
			cols[j].Cat = redraw.By(chunk.Cat(j), ids, first, from.Stream(), func(_ int, old int32, b rng.Block) int32 {
				if rng.Unit(b.A) < g.Theta {
					return old
				}
				return 1 - old
			})
		}
	}
	return chunk.WithColumns(cols)
}

// Law returns the law of a column, whatever the segment. That of one column is exact; those of a group depend on each
// other, so their product is not.
func (p *MultivariatePlan) Law(j int) (noisemodel.Column, bool) {
	for _, g := range p.Groups {
		if slices.Contains(g.Columns, j) {
			return noisemodel.Everywhere(noisemodel.Exchanged{N: 2, Share: 1 - g.Theta}), true
		}
	}
	return nil, false
}

// names names the columns of a group.
func (p *MultivariatePlan) names(g *transition.Group) string {
	return strings.Join(protect.Names(p.Attrs, g.Columns), ", ")
}

// Memoised says that draws are keyed by the values of the columns of a group together.
func (*MultivariatePlan) Memoised() bool { return true }
