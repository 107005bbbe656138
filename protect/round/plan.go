package round

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Plan is the fitted technique.
type Plan struct {
	Attrs   []table.Attribute `json:"schema"`
	Columns []Rounded         `json:"columns"` // ascending
	How     string            `json:"how"`
	// Left names the columns that were left alone, for their grid is as coarse as the base.
	Left []string `json:"left,omitempty"`
}

// Rounded is a column with its base.
type Rounded struct {
	Column int     `json:"column"` // its position in the schema
	Base   float64 `json:"base"`
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *Plan) Changes() []string {
	names := make([]string, len(p.Columns))
	for k, c := range p.Columns {
		names[k] = p.Attrs[c.Column].Name
	}
	return names
}

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence {
	if p.How == Random {
		return message.Say("does.roundRandom")
	}
	return message.Say("does.round")
}

// Check refuses a decoded plan with columns that are not usable, or bases that do not fit them.
func (p *Plan) Check() error {
	if p.How != Nearest && p.How != Random {
		return fmt.Errorf("how to round is %q; expected %s or %s", p.How, Nearest, Random)
	}
	last := -1
	for _, c := range p.Columns {
		if c.Column <= last || c.Column >= len(p.Attrs) {
			return errors.New("the columns are not ascending positions in the schema")
		}
		last = c.Column
		if err := protect.CheckColumns(p.Attrs, []int{c.Column}, table.Numeric); err != nil {
			return err
		}
		if _, err := prepare(&p.Attrs[c.Column], c.Base); err != nil {
			return err
		}
	}
	return nil
}

// Apply rounds the numbers. Column j draws from src.Fork(name of j).
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	var blocks []rng.Block
	if p.How == Random {
		blocks = make([]rng.Block, chunk.Rows())
	}
	cols := chunk.Columns()
	for _, c := range p.Columns {
		a := &p.Attrs[c.Column]
		m, err := prepare(a, c.Base)
		if err != nil {
			return nil, err
		}
		col := &cols[c.Column]
		col.Domain, col.Step = m.domain(a), c.Base
		v := col.Num
		col.Num = make([]float64, len(v))
		if p.How == Nearest {
			for i, x := range v {
				col.Num[i] = m.nearest(x)
			}
			continue
		}
		ids, first := chunk.NoiseKeys(c.Column)
		rng.Blocks(src.Fork(a.Name).Stream(), blocks, ids, first)
		for i, x := range v {
			col.Num[i] = m.random(x, blocks[i].A)
		}
	}
	return chunk.WithColumns(cols)
}

// Law returns the law of the rounding in a column.
func (p *Plan) Law(j int) (noisemodel.Column, bool) {
	k := slices.IndexFunc(p.Columns, func(c Rounded) bool { return c.Column == j })
	if k < 0 {
		return nil, false
	}
	m, err := prepare(&p.Attrs[j], p.Columns[k].Base)
	if err != nil {
		return nil, false
	}
	if p.How == Random {
		return noisemodel.Everywhere(atRandom{m}), true
	}
	return noisemodel.Everywhere(toNearest{m}), true
}

// Notes says what the bases are, and what was left alone.
func (p *Plan) Notes() []message.Sentence {
	var notes []message.Sentence
	if len(p.Columns) > 0 {
		list := make([]message.Sentence, len(p.Columns))
		for k, name := range p.Changes() {
			list[k] = message.Column(name, message.Number(p.Columns[k].Base, 0))
		}
		notes = append(notes, message.Say("plan.round.bases").Part("columns", message.Listed(list)))
	}
	if len(p.Left) > 0 {
		notes = append(notes, message.Say("plan.round.left").Quoted("columns", p.Left))
	}
	return notes
}

// Corrections says by how much rounding raises variances.
func (p *Plan) Corrections() []message.Sentence {
	if len(p.Columns) == 0 {
		return nil
	}
	list := make([]message.Sentence, len(p.Columns))
	for k, name := range p.Changes() {
		list[k] = message.Column(name, message.Digits(p.added(p.Columns[k]), 4))
	}
	return []message.Sentence{
		message.Say("correct.round.means"),
		message.Say("correct.round.variance").Part("columns", message.Listed(list)),
	}
}

// added returns what rounding adds to the variance of a column whose values lie anywhere between two multiples, each
// place as likely: with m values of the grid to a base, of step s, (m²-1) s²/6 at random, and to the nearest multiple
// (m²-1) s²/12, or (m²+2) s²/12 where m is even.
func (p *Plan) added(c Rounded) float64 {
	s := p.Attrs[c.Column].Step
	m := math.Round(c.Base / s)
	switch {
	case s == 0 && p.How == Random:
		return c.Base * c.Base / 6
	case s == 0:
		return c.Base * c.Base / 12
	case p.How == Random:
		return (float64(m*m) - 1) * s * s / 6
	case math.Mod(m, 2) == 0:
		return (float64(m*m) + 2) * s * s / 12
	}
	return (float64(m*m) - 1) * s * s / 12
}

// Memoised says that draws are keyed by the values of the columns.
func (*Plan) Memoised() bool { return true }
