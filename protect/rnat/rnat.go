// Package rnat is the Random Noise Addition Technique of Islam 2007.
//
// Every numeric value gets uniform noise of at most the size of its attribute's domain, in either
// direction, and is wrapped around inside the domain. On a grid of D values the noise is uniform on the whole steps
// -(D-1)..D-1. A continuous domain has a fine grid (package wrap).
//
// Cost: O(rows * numeric columns), about 20 ns a value.
//
// Departures: the text calls D the size of the domain and prints the domain as [a, a+D], which holds D+1 integers, and
// its wrap-around is right for integers and the upper end only. Here D counts the values u-l+1 of [l, u].
//
// Reference: Islam 2007, section 5.4.
package rnat

import (
	"context"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:      "rnat",
		Title:     "Random Noise Addition Technique",
		Short:     "RNAT",
		Summary:   "Adds uniform noise as wide as the domain to every number, wrapped inside the domain.",
		Paper:     "Islam 2007, section 5.4",
		Needs:     "numeric attributes",
		Changes:   "all numeric attributes",
		Preserves: "the domain and grid of every attribute",
		Biases: "everything else: distributions become uniform (types A and D), correlations and rules vanish (types B, " +
			"C and DM)",
		Exposes: "almost nothing about the perturbed attributes",
		Missing: "stay missing",
		Shards:  protect.FromDomains,
		Cost:    "O(rows * numeric columns)",
	},
	Purpose:  protect.Counterparts,
	NoModel:  "its noise is as wide as the domain and wraps around, which leaves nearly nothing to estimate",
	Growth:   1,
	New:      func() protect.Technique { return New() },
	Plan:     func() protect.Plan { return &Plan{} },
	Claims:   []protect.Claim{protect.HasNoiseModel, protect.Describes, protect.Checks, protect.Memoises},
	OnDomain: true,
}

// Technique holds the parameters.
type Technique struct {
	Except []string // columns left alone
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Set{param.Names(&q.Except, "except", "columns to leave alone")}
}

// Fit lists the columns; it reads no values.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records, of which it needs the domains.
func (q *Technique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	columns, err := protect.Columns(r.Schema, table.Numeric, q.Except)
	if err != nil {
		return nil, err
	}
	return &Plan{Attrs: r.Schema.Attrs(), Columns: columns}, nil
}

// Plan is the fitted technique.
type Plan struct {
	Attrs   []table.Attribute `json:"schema"`
	Columns []int             `json:"columns"` // positions in the schema, ascending
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *Plan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence { return message.Say("does.rnat") }

// Check refuses a decoded plan with columns that are not usable.
func (p *Plan) Check() error { return protect.CheckColumns(p.Attrs, p.Columns, table.Numeric) }

// Apply adds the noise. Column j draws from src.Fork(name of j).
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	blocks := make([]rng.Block, chunk.Rows())
	cols := chunk.Columns()
	for _, j := range p.Columns {
		a := &p.Attrs[j]
		d := wrap.On(a.Domain, a.Step)
		ids, first := chunk.NoiseKeys(j)
		rng.Blocks(src.Fork(a.Name).Stream(), blocks, ids, first)
		out := make([]float64, chunk.Rows())
		for i, v := range chunk.Num(j) {
			out[i] = d.Add(v, noise(&d, blocks[i].A))
		}
		cols[j].Num = out
	}
	return chunk.WithColumns(cols)
}

// Law returns the law of the noise in a column, whatever the segment.
func (p *Plan) Law(j int) (noisemodel.Column, bool) {
	if !slices.Contains(p.Columns, j) {
		return nil, false
	}
	return noisemodel.Everywhere(wrap.UniformKernel{Domain: wrap.On(p.Attrs[j].Domain, p.Attrs[j].Step)}), true
}

// noise returns the uniform noise of a random word, in steps of a domain that has values.
func noise(d *wrap.Domain, w uint64) float64 {
	reach := int(d.Size()) - 1
	return float64(rng.Below(w, 2*reach+1) - reach)
}

// Memoised says that draws are keyed by the values of the columns.
func (*Plan) Memoised() bool { return true }
