package swapping

import (
	"errors"
	"fmt"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// RankPlan is the fitted technique. It holds no values of records: ranks are those of the records it is applied to.
type RankPlan struct {
	protect.OneGroup
	protect.Exactly
	Attrs   []table.Attribute `json:"schema"`
	Columns []int             `json:"columns"` // positions in the schema, ascending
	P       float64           `json:"p"`       // per cent of the known values, (0, 100]
	Bottom  float64           `json:"bottom"`  // per cent, 0 to 50
	Top     float64           `json:"top"`     // per cent, 0 to 50
	// by position in Columns: records of the fit all of whose partners have the same value
	Kept []int `json:"kept"`
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *RankPlan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *RankPlan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Empirical returns the numbers that change places.
func (p *RankPlan) Empirical() []string { return p.Drawn(p.Attrs, p.Columns) }

// Describe says what the plan does.
func (p *RankPlan) Describe() message.Sentence {
	return message.Say("does.rankswap").Number("p", p.P, 0)
}

// Notes names the columns with values too frequent to be swapped.
func (p *RankPlan) Notes() (out []message.Sentence) {
	for k, n := range p.Kept {
		if n > 0 {
			out = append(out,
				message.Say("plan.rankswap").Count("n", n).Name("column", p.Attrs[p.Columns[k]].Name).Number("p", p.P, 0))
		}
	}
	return out
}

// Check refuses a decoded plan with columns that are not usable, or shares out of range.
func (p *RankPlan) Check() error {
	for k, j := range p.Columns {
		if j < 0 || j >= len(p.Attrs) || k > 0 && j <= p.Columns[k-1] {
			return errors.New("the columns are not ascending positions in the schema")
		}
		if err := protect.CheckColumns(p.Attrs, []int{j}, p.Attrs[j].Kind); err != nil {
			return err
		}
	}
	switch {
	case !(p.P > 0 && p.P <= 100):
		return fmt.Errorf("p is %v; expected more than 0, up to 100", p.P)
	case !(p.Bottom >= 0 && p.Bottom <= mostEnd && p.Top >= 0 && p.Top <= mostEnd):
		return fmt.Errorf("bottom is %v and top %v; expected 0 to %d", p.Bottom, p.Top, mostEnd)
	case len(p.Kept) != len(p.Columns):
		return fmt.Errorf("there are counts for %d of %d columns", len(p.Kept), len(p.Columns))
	}
	return nil
}

// Apply swaps. Column j draws from src.Fork(name of j), in the order of its ranks.
func (p *RankPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	return protect.InOrder(chunk, func(t *table.Table) (*table.Table, error) {
		cols := t.Columns()
		parallel.Do(len(p.Columns), func(k int) {
			j := p.Columns[k]
			a := &p.Attrs[j]
			r := newRanked(numbers(t, j), p.P)
			r.ends(p.Bottom, p.Top)
			r.swap(src.Fork(a.Name).Rand())
			switch a.Kind {
			case table.Numeric:
				fence(a, r.v)
				cols[j].Num = r.v
			case table.Categorical:
				cols[j].Cat = labels(r.v)
			case table.SetValued: // is not among the columns
			}
		})
		return t.WithColumns(cols)
	})
}

// fence puts values that are not legal, which means and dirty data have, on the grid and into the domain of the
// attribute.
func fence(a *table.Attribute, v []float64) {
	d := wrap.On(a.Domain, a.Step)
	for i, x := range v {
		if a.Step > 0 || !a.Domain.Contains(x) {
			v[i] = d.Clip(x)
		}
	}
}
