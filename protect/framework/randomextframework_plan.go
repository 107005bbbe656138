package framework

import (
	"context"
	"slices"
	"sync"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/classnoise"
	"github.com/dither-data/dither/protect/gadp"
	"github.com/dither-data/dither/protect/internal/regenerate"
	"github.com/dither-data/dither/protect/randomisedresponse"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// RandomExtFrameworkPlan is the fitted technique.
type RandomExtFrameworkPlan struct {
	Attrs       []table.Attribute     `json:"schema"`
	Numbers     Numbers               `json:"numbers"`
	Categorical []int                 `json:"categorical"` // positions, ascending
	P           float64               `json:"p"`           // probability that a categorical value changes
	Class       *RandomFrameworkClass `json:"class,omitempty"`

	once  sync.Once
	steps []protect.Plan
}

// Numbers is GADP's plan, with nothing of X let through but the moments.
type Numbers struct {
	X         []int     `json:"x"` // positions of the regenerated columns, ascending
	S         []int     `json:"s"` // positions of the columns they are drawn given, ascending
	Mean      []float64 `json:"mean"`
	Cov       []float64 `json:"cov"` // the lower triangle of the covariance matrix, row by row
	Outside   string    `json:"outside"`
	Unchanged []int     `json:"unchanged,omitempty"` // positions of columns without two different values
	Repaired  int       `json:"repaired,omitempty"`  // eigenvalues raised to make the covariance matrix one
}

// Steps returns the parts: GADP, Random Categorical, ALPT.
func (p *RandomExtFrameworkPlan) Steps() []protect.Plan {
	p.once.Do(func() {
		n := &p.Numbers
		p.steps = []protect.Plan{
			&gadp.GADPPlan{Frame: regenerate.Frame{Attrs: p.Attrs, Columns: n.X, Others: n.S, Outside: n.Outside,
				Security: slices.Repeat(
					[]float64{1},
					len(n.X),
				)}, Mean: n.Mean, Cov: n.Cov, Constant: n.Unchanged, Repaired: n.Repaired},
			&randomisedresponse.CategoricalPlan{
				Single: randomisedresponse.Single{Attrs: p.Attrs, Columns: p.Categorical, P: p.P},
			},
		}
		if c := p.Class; c != nil {
			p.steps = append(p.steps, &classnoise.ALPTPlan{Attrs: p.Attrs, Class: c.Column, P: c.P, Counts: c.Counts})
		}
	})
	return p.steps
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *RandomExtFrameworkPlan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of all columns that a step changes, in schema order.
func (p *RandomExtFrameworkPlan) Changes() []string { return protect.Changed(p) }

// Notes returns GADP's remarks.
func (p *RandomExtFrameworkPlan) Notes() []message.Sentence {
	return p.Steps()[0].(*gadp.GADPPlan).Notes()
}

// Apply executes the steps.
func (p *RandomExtFrameworkPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	return executor.Run(context.Background(), p, chunk, src, protect.Options{})
}

// Check refuses a decoded plan that could not be applied.
func (p *RandomExtFrameworkPlan) Check() error { return protect.CheckSteps(p) }
