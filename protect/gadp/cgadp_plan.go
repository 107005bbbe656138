package gadp

import (
	"fmt"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/internal/regenerate"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// CGADPPlan is the fitted technique. It holds no values of records: ranks are those of the records it is applied to.
type CGADPPlan struct {
	regenerate.ByRanks
	Discrete string `json:"discrete"`
}

// Describe says what the plan does.
func (p *CGADPPlan) Describe() message.Sentence {
	return message.Say("does.cgadp").Number("security", p.Least(), 0)
}

// Check refuses a decoded plan with columns or parameters that are not usable.
func (p *CGADPPlan) Check() error {
	if p.Discrete != Step && p.Discrete != Interpolate {
		return fmt.Errorf("discrete is %q; expected %s or %s", p.Discrete, Step, Interpolate)
	}
	return p.ByRanks.Check()
}

// Apply draws the confidential columns. Column j draws from src.Fork(name of j).
func (p *CGADPPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	step := make([]bool, len(p.Columns))
	for k, j := range p.Columns {
		step[k] = p.Attrs[j].Step > 0 && p.Discrete == Step
	}
	return p.Draw(chunk, src, func(y, u, z [][]float64) error {
		numbers := len(p.Columns) + len(p.Others)
		if err := cgadpReplace(nil, y, u[:numbers], u[numbers:], z, p.Dial(), step); err != nil {
			return err
		}
		parallel.Do(len(y), func(k int) { cgadpFence(&p.Attrs[p.Columns[k]], u[k], y[k]) })
		return nil
	})
}

// cgadpFence puts released values on the grid of the attribute, between the smallest and the largest original and
// inside the domain.
func cgadpFence(a *table.Attribute, x, y []float64) {
	lo, hi := table.Range(x)
	d := wrap.On(a.Domain.Intersect(table.Interval{Lo: lo, Hi: hi}), a.Step)
	if d.Size() == 0 { // all originals lie outside the domain, or all are missing
		d = wrap.On(a.Domain, a.Step)
	}
	for i, v := range y {
		y[i] = d.Clip(v)
	}
}
