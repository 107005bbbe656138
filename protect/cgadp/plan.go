package cgadp

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/internal/rank"
	"github.com/dither-data/dither/internal/wrap"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Plan is the fitted technique. It holds no values of records: ranks are those of the records it is applied to.
type Plan struct {
	Attrs    []table.Attribute `json:"schema"`
	Columns  []int             `json:"columns"` // positions in the schema of the attributes to replace, ascending
	Others   []int             `json:"others"`  // positions of the other numeric attributes, ascending
	Security float64           `json:"security"`
	Discrete string            `json:"discrete"`
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the confidential columns.
func (p *Plan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Describe says what the plan does.
func (p *Plan) Describe() string {
	return fmt.Sprintf("drawn anew by ranks, given the other numeric columns, security %v (C-GADP)", p.Security)
}

// Notes warns where nothing ties the release to the record.
func (p *Plan) Notes() []string {
	if len(p.Others) > 0 || len(p.Columns) == 0 || p.Security < 1 {
		return nil
	}
	return []string{"every numeric column is confidential: the release keeps their monotone relations to each other, none to other columns"}
}

// Check refuses a decoded plan with columns or parameters that are not usable.
func (p *Plan) Check() error {
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
	if !(p.Security >= 0 && p.Security <= 1) {
		return fmt.Errorf("the security is %v; expected 0 to 1", p.Security)
	}
	if p.Discrete != Step && p.Discrete != Interpolate {
		return fmt.Errorf("discrete is %q; expected %s or %s", p.Discrete, Step, Interpolate)
	}
	return nil
}

// Group puts all records into one group.
func (p *Plan) Group(chunk *table.Table) ([]uint64, error) {
	return make([]uint64, chunk.Rows()), protect.Conforms(chunk, p.Attrs)
}

// Apply draws the confidential columns. Column j draws from src.Fork(name of j).
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	k, n := len(p.Columns), chunk.Rows()
	if k == 0 || n == 0 {
		return chunk, nil
	}
	var u [][]float64
	for _, j := range slices.Concat(p.Columns, p.Others) {
		u = append(u, chunk.Num(j))
	}
	y, z, dial, step := make([][]float64, k), make([][]float64, k), make([]float64, k), make([]bool, k)
	ids, first := chunk.IDs()
	rank.Each(k, func(r int) {
		a := &p.Attrs[p.Columns[r]]
		y[r], z[r], dial[r], step[r] = make([]float64, n), make([]float64, n), 1-p.Security, a.Step > 0 && p.Discrete == Step
		rng.Normals(src.Fork(a.Name).Stream(), z[r], ids, first)
	})
	if err := replace(y, u, z, dial, step); err != nil {
		return nil, err
	}
	cols := chunk.Columns()
	rank.Each(k, func(r int) {
		j := p.Columns[r]
		fence(&p.Attrs[j], chunk.Num(j), y[r])
		cols[j].Num = y[r]
	})
	return chunk.WithColumns(cols)
}

// fence puts released values on the grid of the attribute, between the smallest and the largest original and inside the domain.
func fence(a *table.Attribute, x, y []float64) {
	lo, hi := table.Range(x)
	d := wrap.On(a.Domain.Intersect(table.Interval{Lo: lo, Hi: hi}), a.Step)
	if d.Size() == 0 { // all originals lie outside the domain, or all are missing
		d = wrap.On(a.Domain, a.Step)
	}
	for i, v := range y {
		y[i] = d.Clip(v)
	}
}
