package framework

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/capt"
	"github.com/dither-data/dither/protect/classnoise"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// ExtFrameworkPlan is the fitted technique. It holds no moments: those of the records at hand are kept. The tree of the
// class is held once for all steps.
type ExtFrameworkPlan struct {
	leafwise.InLeaves
	protect.Exactly
	Technique   string      `json:"technique"` // gadp, cgadp or egadp
	Outside     string      `json:"outside"`   // clip or redraw
	Spread      float64     `json:"spread"`    // of the noise where there are no moments, in per cent
	Numeric     []int       `json:"numeric"`   // positions of the numeric columns to regenerate, ascending
	Given       []int       `json:"given"`     // positions of the numeric columns they are drawn given, ascending
	Pools       []int32     `json:"pools"`     // nodes under which small leaves take moments from others, ascending
	Facts       Facts       `json:"facts"`
	Categorical capt.Values `json:"categorical"`
	Keep        bool        `json:"keep"`             // influential categorical values stay in their leaf's sub-domain
	Class       string      `json:"class,omitempty"`  // rpt or ppt; empty: the class is left alone
	Counts      [][]int     `json:"counts,omitempty"` // for ppt, records by leaf and class

	once  sync.Once
	steps []protect.Plan
}

// Steps returns the parts: the numbers, CAPT, and the class technique.
func (p *ExtFrameworkPlan) Steps() []protect.Plan {
	p.once.Do(func() {
		values := &capt.Plan{Attrs: p.Tree.Attrs, Values: p.Categorical}
		if p.Keep {
			values.Class = p.Tree
		}
		p.steps = []protect.Plan{p.numbers(), values}
		switch p.Class {
		case ExtFrameworkRPT:
			p.steps = append(p.steps, &classnoise.RPTPlan{InLeaves: p.InLeaves})
		case ExtFrameworkPPT:
			p.steps = append(p.steps, &classnoise.PPTPlan{InLeaves: p.InLeaves, Counts: p.Counts})
		}
	})
	return p.steps
}

func (p *ExtFrameworkPlan) numbers() *numbers {
	return &numbers{
		InLeaves:  p.InLeaves,
		columns:   p.Numeric,
		given:     p.Given,
		technique: p.Technique,
		outside:   p.Outside,
		spread:    p.Spread,
		pools:     p.Pools,
		Exactly:   p.Exactly,
	}
}

// Changes returns the names of all columns that a step changes, in schema order.
func (p *ExtFrameworkPlan) Changes() []string { return protect.Changed(p) }

// Notes says how small leaves were treated, what is released as it is, and of which columns nothing was learnt.
func (p *ExtFrameworkPlan) Notes() []message.Sentence {
	out := append(p.Facts.notes(), fence.ForcedNotes(protect.Names(p.Tree.Attrs, p.Numeric), p.Facts.Forced)...)
	return append(out, p.Steps()[1].(*capt.Plan).Notes()...)
}

// Group returns the leaf of every record or, where small leaves take moments from others, the first of these leaves.
// RPT permutes the classes of a leaf.
func (p *ExtFrameworkPlan) Group(chunk *table.Table) ([]uint64, error) {
	return p.Steps()[0].(*numbers).Group(chunk)
}

// Apply executes the steps.
func (p *ExtFrameworkPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	return executor.Run(context.Background(), p, chunk, src, protect.Options{})
}

// Check refuses a decoded plan that could not be applied.
func (p *ExtFrameworkPlan) Check() error {
	if err := p.InLeaves.Check(); err != nil {
		return err
	}
	switch {
	case printed[p.Technique] == "":
		return fmt.Errorf("the technique is %q; expected gadp, cgadp or egadp", p.Technique)
	case p.Outside != fence.OutsideClip && p.Outside != fence.OutsideRedraw:
		return fmt.Errorf("outside is %q; expected clip or redraw", p.Outside)
	case p.Class != ExtFrameworkRPT && p.Class != ExtFrameworkPPT && p.Class != "":
		return fmt.Errorf("the class technique is %q; expected rpt or ppt", p.Class)
	}
	if n := len(p.Facts.Forced); n != 0 && n != len(p.Numeric) {
		return fmt.Errorf("there are %d shares of forced values for %d columns", n, len(p.Numeric))
	}
	if err := protect.CheckColumns(p.Tree.Attrs, p.Given, table.Numeric); err != nil {
		return err
	}
	if s := shapeOf(p.Tree); !s.apart(p.Pools) {
		return errors.New("the pools are not inner nodes of the tree that are apart from each other, in ascending order")
	}
	for _, j := range p.Given {
		if slices.Contains(p.Numeric, j) {
			return errors.New("a column is both regenerated and given")
		}
	}
	return protect.CheckSteps(p)
}

// given returns the positions of the numeric columns that are left alone and that the others are drawn given: those
// named in except.
func given(t *table.Table, except []string) []int {
	var out []int
	for j := range t.Width() {
		a := t.Attr(j)
		if a.Kind == table.Numeric && a.Role&(table.Class|table.Weight) == 0 && slices.Contains(except, a.Name) &&
			wrap.Fits(a.Domain, a.Step) {
			out = append(out, j)
		}
	}
	return out
}
