package framework

import (
	"context"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/classnoise"
	"github.com/dither-data/dither/protect/randomisedresponse"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// RandomFrameworkPlan is the fitted technique.
type RandomFrameworkPlan struct {
	Attrs       []table.Attribute     `json:"schema"`
	Numeric     []int                 `json:"numeric"`     // positions, ascending
	Categorical []int                 `json:"categorical"` // positions, ascending
	P           float64               `json:"p"`           // probability that a categorical value changes
	Class       *RandomFrameworkClass `json:"class,omitempty"`
}

// RandomFrameworkClass is ALPT's plan; without it the class is left alone.
type RandomFrameworkClass struct {
	Column int     `json:"column"` // position in the schema
	P      float64 `json:"p"`      // probability that a class changes
	Counts []int   `json:"counts"` // records by class
}

// Steps returns the parts: RNAT, Random Categorical, ALPT.
func (p *RandomFrameworkPlan) Steps() []protect.Plan {
	steps := []protect.Plan{
		&rnat.Plan{Attrs: p.Attrs, Columns: p.Numeric},
		&randomisedresponse.CategoricalPlan{
			Single: randomisedresponse.Single{Attrs: p.Attrs, Columns: p.Categorical, P: p.P},
		},
	}
	if c := p.Class; c != nil {
		steps = append(steps, &classnoise.ALPTPlan{Attrs: p.Attrs, Class: c.Column, P: c.P, Counts: c.Counts})
	}
	return steps
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *RandomFrameworkPlan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of all columns that a step changes, in schema order.
func (p *RandomFrameworkPlan) Changes() []string { return protect.Changed(p) }

// Apply executes the steps.
func (p *RandomFrameworkPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	return executor.Run(context.Background(), p, chunk, src, protect.Options{})
}

// Check refuses a decoded plan that could not be applied.
func (p *RandomFrameworkPlan) Check() error { return protect.CheckSteps(p) }
