// Package warner is the randomised response of Warner 1965, the first noise for categorical attributes.
//
// Every value is kept with probability p; otherwise it gives way to another one of its attribute's categories, each as
// likely. Of two categories that is the answer to a question with probability p and to its opposite otherwise, by a coin that only the
// respondent sees.
//
// What an informed intruder learns: local differential privacy. Whatever else is known of a record, a released value changes the odds of
// two original ones by at most the factor p(k-1)/(1-p), whose logarithm is epsilon; those of an attribute add up over the attributes of a
// record. At p = 1 all is released, at p = 1/k nothing.
//
// Cost: O(rows * columns), about 6 ns a value.
//
// Departures: Warner asks one question of two answers; for more categories the value is kept with p and otherwise any other is as likely.
//
// Reference: S. L. Warner, "Randomized response: a survey technique for eliminating evasive answer bias", JASA 60, 1965; Islam 2007,
// section 6.2.
package warner

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
		Name:    "warner",
		Title:   "Randomised response",
		Aliases: []string{"randomized response", "Warner's technique", "k-ary randomised response"},
		Summary: "Keeps each categorical value with probability p and otherwise releases any other value of the " +
			"attribute.",
		Paper:     "Warner 1965; Islam 2007, section 6.2",
		Needs:     "categorical attributes",
		Changes:   "the given columns, or every categorical attribute except the class",
		Preserves: "shares and cross tables after a correction that needs only p",
		Biases: "uncorrected, shares move towards uniform (type D), relations weaken (types B and C), rules " +
			"break (type DM)",
		Exposes: "the odds of two original values change by a factor of at most p(k-1)/(1-p) (local differential " +
			"privacy)",
		Missing: "stay missing",
		Shards:  protect.FromDomains,
		Cost:    "O(rows * columns)",
	},
	Purpose: protect.Randomises,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims:  []protect.Claim{protect.HasLaw, protect.Corrects, protect.Notes, protect.Describes, protect.Checks, protect.Publishes, protect.Memoises, protect.BoundsOdds},
}

// Technique holds the parameters.
type Technique struct {
	P       float64  // probability that a value is kept
	Columns []string // columns to perturb; none: all but the class
	Except  []string // columns left alone
}

// New returns the technique with p = 0.75: of two categories epsilon is ln 3.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Set{
		param.Float(&q.P, "p", 0.75, 0, 1, "", "probability that a value is kept; with k categories, 1/k reveals "+
			"nothing").Noisier(0.99, 0.02),
		param.Names(&q.Columns, "columns", "categorical columns to perturb, including the class if listed; none: "+
			"all except the class"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit chooses the columns.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	columns, err := protect.Columns(t, table.Categorical, q.Except)
	if err == nil && len(q.Columns) > 0 {
		columns, err = q.named(t)
	}
	if err != nil {
		return nil, err
	}
	return &Plan{Attrs: t.Attrs(), P: q.P, Columns: columns}, nil
}

// named returns the positions of the columns that are named and not excepted.
func (q *Technique) named(t *table.Table) ([]int, error) {
	var out []int
	for _, name := range q.Columns {
		j := t.Find(name)
		if j < 0 {
			return nil, fmt.Errorf("parameter %q: there is no column %q", "columns", name)
		}
		if a := t.Attr(j); a.Kind != table.Categorical || a.Role&table.Weight != 0 {
			return nil, fmt.Errorf("parameter %q: column %q is %s with the role %s; expected a categorical attribute", "columns", name, a.Kind, a.Role)
		}
		if !slices.Contains(q.Except, name) {
			out = append(out, j)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// Plan is the fitted technique. Column j draws from src.Fork(name of j).
type Plan struct {
	Attrs   []table.Attribute `json:"schema"`
	P       float64           `json:"p"`       // probability that a value is kept
	Columns []int             `json:"columns"` // positions in the schema, ascending
}

// Schema returns the attributes the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *Plan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return "kept with one probability, else another one (randomised response)"
}

// Check refuses a decoded plan that could not be applied.
func (p *Plan) Check() error {
	if !(p.P >= 0 && p.P <= 1) {
		return fmt.Errorf("p is %v; expected 0 to 1", p.P)
	}
	return protect.CheckColumns(p.Attrs, p.Columns, table.Categorical)
}

// Apply replaces values.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	cols := chunk.Columns()
	for _, j := range p.Columns {
		a := &p.Attrs[j]
		cols[j].Cat = redraw.Codes(chunk, j, src.Fork(a.Name).Stream(), func(_ int, old int32, b rng.Block) int32 {
			return redraw.Another(old, len(a.Labels), 1-p.P, b)
		})
	}
	return chunk.WithColumns(cols)
}

// Law returns the law of a column, whatever the segment.
func (p *Plan) Law(j int) (law.Column, bool) {
	if !slices.Contains(p.Columns, j) {
		return nil, false
	}
	return law.Everywhere(law.Exchanged{N: len(p.Attrs[j].Labels), Share: 1 - p.P}), true
}

// Memoised says that draws are keyed by the values of the columns.
func (*Plan) Memoised() bool { return true }
