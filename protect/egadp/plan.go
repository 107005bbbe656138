package egadp

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/orthogonal"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Plan is the fitted technique.
type Plan struct {
	Attrs    []table.Attribute `json:"schema"`
	Columns  []int             `json:"columns"` // positions of the confidential columns, ascending
	Others   []int             `json:"others"`  // positions of the non-confidential ones, ascending
	Security float64           `json:"security"`
	Outside  string            `json:"outside"`
	Facts    *orthogonal.Facts `json:"facts"` // of the records the plan was fitted on
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the confidential columns.
func (p *Plan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return fmt.Sprintf("regenerated with exact means and covariances, security %v (EGADP)", p.Security)
}

// Group puts all records together.
func (p *Plan) Group(chunk *table.Table) ([]uint64, error) { return make([]uint64, chunk.Rows()), nil }

// Check refuses a decoded plan with columns that are not usable, or parameters out of range.
func (p *Plan) Check() error {
	switch {
	case !(p.Security >= 0 && p.Security <= 1):
		return fmt.Errorf("security is %v; expected 0 to 1", p.Security)
	case p.Outside != protect.OutsideAllow && p.Outside != protect.OutsideClip:
		return fmt.Errorf("outside is %q; expected allow or clip", p.Outside)
	case p.Facts == nil:
		return errors.New("the plan has no facts about the records it was fitted on")
	}
	for _, columns := range [][]int{p.Columns, p.Others} {
		if err := protect.CheckColumns(p.Attrs, columns, table.Numeric); err != nil {
			return err
		}
	}
	for _, j := range p.Others {
		if slices.Contains(p.Columns, j) {
			return fmt.Errorf("column %q is both confidential and not", p.Attrs[j].Name)
		}
	}
	return p.Facts.Check(len(p.Columns))
}

// values returns the values of the confidential columns and of the others.
func (p *Plan) values(t *table.Table) [][]float64 {
	var u [][]float64
	for _, j := range slices.Concat(p.Columns, p.Others) {
		u = append(u, t.Num(j))
	}
	return u
}

// Apply replaces the confidential columns. Column j draws from src.Fork(name of j).
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	return orthogonal.InOrder(chunk, func(t *table.Table) (*table.Table, error) { return p.apply(t, src) })
}

func (p *Plan) apply(t *table.Table, src rng.Source) (*table.Table, error) {
	dial := make([]float64, len(p.Columns))
	for k := range dial {
		dial[k] = 1 - p.Security
	}
	u := p.values(t)
	fence := protect.Fence{Outside: p.Outside, Whole: protect.Domains(p.Attrs, p.Columns, p.Outside)}
	released, err := fence.Draw(t, src, p.Changes(), func(_ []int, y, z [][]float64) error { return Replace(y, u, z, dial) })
	if err != nil {
		return nil, err
	}
	cols := t.Columns()
	for k, j := range p.Columns {
		cols[j].Num, cols[j].Domain = released[k], protect.Widened(p.Attrs[j], p.Outside).Domain
	}
	return t.WithColumns(cols)
}
