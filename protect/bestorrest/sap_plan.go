package bestorrest

import (
	"context"
	"slices"

	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/mine/bore"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// SAPPlan is the fitted technique. Column j draws from src.Fork(name of j).
type SAPPlan struct {
	protect.OneGroup
	Attrs []table.Attribute `json:"schema"`
	Class int               `json:"class"` // position in the schema; -1 in S2
	P     float64           `json:"p"`
	Count string            `json:"count"`
	Rules []Rule            `json:"rules"` // by column
}

// Rule says which cells of a column are suppressed in part. They form groups: in S1 a group is the cells of a class
// that hold its critical value, in S2 those that hold one value.
type Rule struct {
	Column   int       `json:"column"`         // position in the schema
	Cuts     bore.Cuts `json:"cuts,omitempty"` // of the bins of a numeric one
	Critical []int32   `json:"critical"`       // S1: by class, the code of its critical value, -1 for none; S2: null
	Shares   []float64 `json:"shares"`         // by group, of its cells in the fitted table that are suppressed
}

// critical writes the rules of S1.
func (p *SAPPlan) critical(ctx context.Context, t *table.Table, columns []int, bins int) error {
	class, err := protect.ClassOf(t)
	if err != nil {
		return err
	}
	p.Class = class
	model, err := (&bore.Learner{Bins: bins}).Fit(ctx, t.Select(append(slices.Clone(columns), class)...), rng.Source{})
	if err != nil {
		return err
	}
	m := model.(*bore.Model)
	for k := range m.Columns {
		r := Rule{Column: columns[k], Cuts: m.Columns[k].Cuts, Critical: []int32{}}
		for class := range m.Sizes {
			r.Critical = append(r.Critical, m.Critical(k, class))
		}
		p.Rules = append(p.Rules, r)
	}
	return nil
}

// sensitive writes the rules of S2.
func (p *SAPPlan) sensitive(t *table.Table, columns []int, bins int) {
	for _, j := range columns {
		r := Rule{Column: j}
		if t.Attr(j).Kind == table.Numeric {
			r.Cuts = bore.Bins(t.Num(j), bins)
		}
		p.Rules = append(p.Rules, r)
	}
}

// study sets the shares that are suppressed in a table.
func (p *SAPPlan) study(ctx context.Context, t *table.Table) error {
	sizes := p.sizes(t)
	return parallel.Each(ctx, len(p.Rules), func(k int) error {
		r := &p.Rules[k]
		for g, rows := range p.holders(r, t) {
			r.Shares = append(r.Shares, 0)
			if len(rows) > 0 {
				r.Shares[g] = float64(p.many(sizes, g, len(rows))) / float64(len(rows))
			}
		}
		return nil
	})
}

// sizes returns the sizes of the classes where the number to suppress is a share of them, else nil.
func (p *SAPPlan) sizes(t *table.Table) []int {
	if p.Class < 0 || p.Count == Critical {
		return nil
	}
	sizes := make([]int, len(p.Attrs[p.Class].Labels))
	for _, c := range t.Cat(p.Class) {
		if c >= 0 {
			sizes[c]++
		}
	}
	return sizes
}

// many returns how many cells to suppress of a group that has so many.
func (p *SAPPlan) many(sizes []int, group, cells int) int {
	if sizes == nil {
		return bore.Share(p.P, 1, cells)
	}
	return min(cells, bore.Share(p.P, 1, sizes[group]))
}

// groups returns how many groups of cells a rule has.
func (p *SAPPlan) groups(r *Rule) int {
	if p.Class >= 0 {
		return len(p.Attrs[p.Class].Labels)
	}
	return r.Cuts.Values(&p.Attrs[r.Column])
}

// group returns the group of a cell with a code in a record of a class, -1 for none.
func (r *Rule) group(class, code int32) int32 {
	switch {
	case r.Critical == nil:
		return code
	case class < 0 || code < 0 || r.Critical[class] != code:
		return -1
	}
	return class
}

// holders returns the rows of every group of cells, ascending.
func (p *SAPPlan) holders(r *Rule, t *table.Table) [][]int {
	group := slices.Clone(r.Cuts.Codes(t.Column(r.Column)))
	if p.Class >= 0 {
		class := t.Cat(p.Class)
		for i, code := range group {
			group[i] = r.group(class[i], code)
		}
	}
	counts := make([]int, p.groups(r))
	for _, g := range group {
		if g >= 0 {
			counts[g]++
		}
	}
	out := make([][]int, len(counts))
	for g, n := range counts {
		out[g] = make([]int, 0, n)
	}
	for i, g := range group {
		if g >= 0 {
			out[g] = append(out[g], i)
		}
	}
	return out
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *SAPPlan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *SAPPlan) Changes() []string {
	var names []string
	for _, r := range p.Rules {
		names = append(names, p.Attrs[r.Column].Name)
	}
	return names
}

// Apply suppresses cells: in every group the share of its cells at hand.
func (p *SAPPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	sizes, cols := p.sizes(chunk), chunk.Columns()
	parallel.Do(len(p.Rules), func(k int) {
		r := &p.Rules[k]
		c := &cols[r.Column]
		lots := categorical.Draws(chunk, src.Fork(c.Name))
		var gone []int
		for g, rows := range p.holders(r, chunk) {
			gone = append(gone, categorical.Lowest(rows, lots, p.many(sizes, g, len(rows)))...)
		}
		*c = c.Blank(gone)
	})
	return chunk.WithColumns(cols)
}

// Divide returns the classes in which S1 suppresses: every record is released in its own. It is nil in S2, which knows
// no class.
func (p *SAPPlan) Divide(*table.Table) (segment.Segmentation, error) {
	if p.Class < 0 {
		return nil, nil
	}
	return &segment.ByValues{Schema: p.Attrs, Columns: []int{p.Class}}, nil
}
