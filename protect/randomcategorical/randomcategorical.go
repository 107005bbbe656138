// Package randomcategorical is random noise for categorical attributes, with which Islam 2007 compares CAPT.
//
// Every value gives way, with probability p, to another value of the attribute's domain, each as likely.
//
// Cost: O(rows * columns), about 6 ns a value.
//
// Departures: none. The thesis perturbs with probability 0.1 as in CAPT.
//
// Reference: Islam 2007, section 7.3.1.
package randomcategorical

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/law"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/redraw"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
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
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims:  []protect.Claim{protect.HasLaw, protect.Notes, protect.Describes, protect.Checks, protect.Memoises, protect.BoundsOdds},
}

// Technique holds the parameters.
type Technique struct {
	P      float64  // probability of a change
	Except []string // columns left alone
}

// New returns the technique with the paper's probability, 0.1.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Set{
		param.Float(&q.P, "p", 0.1, 0, 1, "", "probability that a value is replaced by another value of its domain"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit chooses the columns.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	columns, err := protect.Columns(t, table.Categorical, q.Except)
	if err != nil {
		return nil, err
	}
	return &Plan{Attrs: t.Attrs(), P: q.P, Columns: columns}, nil
}

// Plan is the fitted technique. Column j draws from src.Fork(name of j).
type Plan struct {
	Attrs   []table.Attribute `json:"schema"`
	P       float64           `json:"p"`
	Columns []int             `json:"columns"` // positions, ascending
}

// Schema returns the attributes the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *Plan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Notes says how private a value and a record are.
func (p *Plan) Notes() []string { return p.response().Notes() }

// Epsilon is that of a whole record.
func (p *Plan) Epsilon() float64 { return p.response().Epsilon() }

func (p *Plan) response() redraw.Response {
	return redraw.Response{Attrs: p.Attrs, Columns: p.Columns, Keep: 1 - p.P}
}

// Describe says what the plan does.
func (p *Plan) Describe() string { return "replaced at random (Random Categorical)" }

// Apply replaces values.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	cols := chunk.Columns()
	for _, j := range p.Columns {
		a := &p.Attrs[j]
		cols[j].Cat = redraw.Codes(chunk, j, src.Fork(a.Name).Stream(), func(_ int, old int32, b rng.Block) int32 {
			return redraw.Another(old, len(a.Labels), p.P, b)
		})
	}
	return chunk.WithColumns(cols)
}

// Law returns the law of a column, whatever the segment.
func (p *Plan) Law(j int) (law.Column, bool) {
	if !slices.Contains(p.Columns, j) {
		return nil, false
	}
	return law.Everywhere(law.Exchanged{N: len(p.Attrs[j].Labels), Share: p.P}), true
}

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

// Check refuses a decoded plan that could not be applied.
func (p *Plan) Check() error {
	if !(p.P >= 0 && p.P <= 1) {
		return fmt.Errorf("p is %v; expected 0 to 1", p.P)
	}
	return protect.CheckColumns(p.Attrs, p.Columns, table.Categorical)
}

// Memoised says that draws are keyed by the values of the columns.
func (*Plan) Memoised() bool { return true }
