package bestorrest

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/mine/bore"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// MORPHPlan is the fitted technique. Column j draws from src.Fork(name of j), CLIFF's ties from src.Fork("ties").
type MORPHPlan struct {
	protect.OneGroup
	Attrs   []table.Attribute `json:"schema"`
	Class   int               `json:"class"`   // position in the schema
	Columns []int             `json:"columns"` // positions of those to move, ascending
	By      []int             `json:"by"`      // positions of those that distances are over, ascending
	Least   float64           `json:"least"`
	Most    float64           `json:"most"`
	Range   []float64         `json:"range"` // by position in By, of a number; 0 where all are alike, and for categories
	Cliff   float64           `json:"cliff"` // per cent
	Sizes   []int             `json:"sizes,omitempty"`
	Ranks   []bore.Column     `json:"ranks,omitempty"`
	// Stay holds, by position in Columns, the share of the known values of the fitted table that are too near to z's to
	// move, for the notes.
	Stay []float64 `json:"stay,omitempty"`
	// Codes are the positions of those of Columns that look like codes, for the notes.
	Codes []int `json:"codes,omitempty"`

	// Leaders are the points of what other holders released, Classes their classes, and Near the distance within which a
	// record of the same class adds nothing (LACE2); none where nothing is shared.
	Leaders []float64 `json:"leaders,omitempty"`
	Classes []int32   `json:"classes,omitempty"`
	Near    float64   `json:"near,omitempty"`

	memo *memo
}

// memo is neighbours and the points and classes they are of: a release that follows the fit need not find them again.
type memo struct {
	points []float64
	class  []int32
	unlike []int32
}

// of reports whether the neighbours are those of records.
func (m *memo) of(points []float64, class []int32) bool {
	return m != nil && slices.Equal(m.class, class) &&
		slices.EqualFunc(m.points, points, func(a, b float64) bool { return a == b || a != a && b != b })
}

// compare sets what distances are over.
func (p *MORPHPlan) compare(t *table.Table) {
	for j, a := range p.Attrs {
		if j == p.Class || !a.Kind.Scalar() || a.Role&(table.Identifier|table.Weight) != 0 {
			continue
		}
		width := 0.0
		if a.Kind == table.Numeric {
			lo, hi := table.Range(t.Num(j))
			width = min(hi-lo, math.MaxFloat64)
		}
		p.By, p.Range = append(p.By, j), append(p.Range, width)
	}
}

// ranks returns the model that CLIFF chooses by.
func (p *MORPHPlan) ranks() *bore.Model {
	return &bore.Model{Attrs: p.Attrs, Class: p.Class, Sizes: p.Sizes, Columns: p.Ranks}
}

// chosen returns the records to release.
func (p *MORPHPlan) chosen(t *table.Table, src rng.Source) *table.Table {
	if p.Cliff >= 100 {
		return t
	}
	return t.Gather(bore.Distinct(t, p.ranks().Strongest(t, p.Cliff, src.Fork("ties"))))
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *MORPHPlan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns that are moved.
func (p *MORPHPlan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Apply chooses records and moves their numbers. There must be records of two classes, or none.
func (p *MORPHPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	chosen := p.chosen(chunk, src)
	out, err := protect.InOrder(chosen, func(t *table.Table) (*table.Table, error) {
		unlike, err := p.unlike(context.Background(), t)
		if err != nil {
			return nil, err
		}
		cols := t.Columns()
		parallel.Do(len(p.Columns), func(k int) {
			c := &cols[p.Columns[k]]
			c.Num = p.move(c, unlike, t, src.Fork(c.Name).Stream())
		})
		return t.WithColumns(cols)
	})
	if err != nil || len(p.Classes) == 0 {
		return out, err
	}
	return out.Gather(p.leading(chosen, src)), nil
}

// move returns the values of a column, each at its share of the way to, or from, that of its record's neighbour.
func (p *MORPHPlan) move(c *table.Column, unlike []int32, t *table.Table, s rng.Stream) []float64 {
	lots := make([]rng.Block, len(unlike))
	ids, first := t.IDs()
	rng.Blocks(s, lots, ids, first)
	domain, out := wrap.On(c.Domain, c.Step), slices.Clone(c.Num)
	for i, z := range unlike {
		by := steps(&domain, out[i], c.Num[z], p.Least+float64((p.Most-p.Least)*rng.Unit(lots[i].A)))
		if by == 0 {
			continue
		}
		if lots[i].B&1 == 0 {
			by = -by
		}
		out[i] = domain.Clip(out[i] + float64(by*domain.Step()))
	}
	return out
}

// steps returns by how many steps of a grid a share of the difference of two values moves, at most half of it; 0 where
// one is missing.
func steps(d *wrap.Domain, x, z, share float64) float64 {
	if n := math.Ceil(float64(math.Abs(x-z)/d.Step()*share) - 0.5); n > 0 {
		return n
	}
	return 0
}
