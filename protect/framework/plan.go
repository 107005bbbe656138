package framework

import (
	"context"
	"fmt"
	"sync"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/capt"
	"github.com/dither-data/dither/protect/classnoise"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// FrameworkPlan is the fitted technique. The tree of the class is held once for all steps.
type FrameworkPlan struct {
	leafwise.InLeaves
	Spread      float64     `json:"spread"`  // per cent
	Numeric     []int       `json:"numeric"` // positions of the numeric columns, ascending
	Categorical capt.Values `json:"categorical"`
	Keep        bool        `json:"keep"`             // influential categorical values stay in their leaf's sub-domain
	Class       string      `json:"class,omitempty"`  // rpt or ppt; empty: the class is left alone
	Counts      [][]int     `json:"counts,omitempty"` // for ppt, records by leaf and class

	once  sync.Once
	steps []protect.Plan
}

// noise is LINFAPT and LINNAPT at once: together they are noise on every numeric cell.
type noise struct{ leafwise.LeafNoise }

// Describe says what the step does.
func (*noise) Describe() message.Sentence { return message.Say("does.framework") }

// Steps returns the parts: numeric noise, CAPT, and the class technique.
func (p *FrameworkPlan) Steps() []protect.Plan {
	p.once.Do(func() {
		values := &capt.Plan{Attrs: p.Tree.Attrs, Values: p.Categorical}
		if p.Keep {
			values.Class = p.Tree
		}
		p.steps = []protect.Plan{
			&noise{leafwise.LeafNoise{
				InLeaves: p.InLeaves,
				Cells:    leafwise.AllCells,
				Noise:    wrap.Noise{Spread: p.Spread},
				Columns:  p.Numeric,
			}},
			values,
		}
		switch p.Class {
		case FrameworkRPT:
			p.steps = append(p.steps, &classnoise.RPTPlan{InLeaves: p.InLeaves})
		case FrameworkPPT:
			p.steps = append(p.steps, &classnoise.PPTPlan{InLeaves: p.InLeaves, Counts: p.Counts})
		}
	})
	return p.steps
}

// Changes returns the names of all columns that a step changes, in schema order.
func (p *FrameworkPlan) Changes() []string { return protect.Changed(p) }

// Notes says of which columns nothing was learnt, and why.
func (p *FrameworkPlan) Notes() []message.Sentence { return p.Steps()[1].(*capt.Plan).Notes() }

// Group returns the leaf of every record: RPT permutes the classes of a leaf, so its records must meet in one chunk.
func (p *FrameworkPlan) Group(chunk *table.Table) ([]uint64, error) {
	return (&classnoise.RPTPlan{InLeaves: p.InLeaves}).Group(chunk)
}

// Apply executes the steps.
func (p *FrameworkPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	return executor.Run(context.Background(), p, chunk, src, protect.Options{})
}

// Check refuses a decoded plan that could not be applied.
func (p *FrameworkPlan) Check() error {
	if err := p.InLeaves.Check(); err != nil {
		return err
	}
	if p.Class != FrameworkRPT && p.Class != FrameworkPPT && p.Class != "" {
		return fmt.Errorf("the class technique is %q; expected rpt or ppt", p.Class)
	}
	return protect.CheckSteps(p)
}
