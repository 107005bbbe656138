package multiplicativenoise

import (
	"errors"
	"sync"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Plan is the fitted technique. Exactly one of Factor and Log is set. Column j draws from src.Fork(name of j).
type Plan struct {
	Attrs   []table.Attribute `json:"schema"`
	Columns []int             `json:"columns"` // positions in the schema, ascending
	Outside string            `json:"outside"`
	Factor  *Factor           `json:"factor,omitempty"` // scheme 1
	Log     *Log              `json:"log,omitempty"`    // scheme 2
	Counts  []Count           `json:"counts"`           // one per column, of the table the plan was fitted on

	once     sync.Once
	released []table.Attribute // of the columns
	domains  []wrap.Domain
}

// Count says how many values of a column the noise leaves as they are.
type Count struct {
	Known int `json:"known"` // values that are not missing
	Zero  int `json:"zero"`  // scheme 1 only
	Still int `json:"still"` // other values that two standard deviations of their noise do not bring to the next grid value
}

// scheme is what the two schemes differ in. Columns are numbered as in Plan.Columns.
type scheme interface {
	check(attrs []table.Attribute) error
	// law writes the released values y of the values x by independent standard normals z; it may use z for scratch.
	law(y, x, z [][]float64)
	// reach returns the interval of the released values of an attribute whose domain may be left.
	reach(k int, a *table.Attribute) table.Interval
	// relative returns what is added to column k before the factor, and twice the factor's standard deviation.
	relative(k int) (shift, twice float64)
	corrections(names []string) []message.Sentence
}

func (p *Plan) scheme() scheme {
	if p.Factor != nil {
		return p.Factor
	}
	return p.Log
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *Plan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence {
	if p.Factor != nil {
		return message.Say("does.factors")
	}
	return message.Say("does.logs")
}

// attrs returns the attributes of the columns.
func (p *Plan) attrs() []table.Attribute {
	out := make([]table.Attribute, len(p.Columns))
	for k, j := range p.Columns {
		out[k] = p.Attrs[j]
	}
	return out
}

// Check refuses a decoded plan that could not be applied.
func (p *Plan) Check() error {
	if err := protect.CheckColumns(p.Attrs, p.Columns, table.Numeric); err != nil {
		return err
	}
	if err := fence.Check(p.Outside); err != nil {
		return err
	}
	if (p.Factor == nil) == (p.Log == nil) {
		return errors.New("the plan has no scheme, or both")
	}
	if len(p.Counts) != len(p.Columns) {
		return errors.New("the counts are not one per column")
	}
	for _, c := range p.Counts {
		if c.Zero < 0 || c.Still < 0 || c.Zero > c.Known || c.Still > c.Known-c.Zero {
			return errors.New("the counts of values do not agree")
		}
	}
	return p.scheme().check(p.attrs())
}

// prepare works out the domains of the released values.
func (p *Plan) prepare() {
	p.once.Do(func() {
		p.released = p.attrs()
		p.domains = make([]wrap.Domain, len(p.released))
		for k := range p.released {
			a, observed := &p.released[k], p.released[k]
			if fence.Leaves(a, p.Outside) {
				if wide := p.scheme().reach(k, a); wrap.Fits(wide, a.Step) {
					a.Domain = wide
				}
			}
			p.domains[k] = fence.Keep(wrap.On(a.Domain, a.Step), &observed, p.Outside)
			a.Domain = fence.Signed(a.Domain, &observed, p.Outside)
		}
	})
}

// Apply multiplies the values.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	p.prepare()
	x := make([][]float64, len(p.Columns))
	for k, j := range p.Columns {
		x[k] = chunk.Num(j)
	}
	fence := fence.Fence{Outside: p.Outside, Whole: p.domains}
	y, err := fence.Draw(chunk, src, p.Changes(), func(rows []int, y, z [][]float64) error {
		p.scheme().law(y, take(x, rows), z)
		return nil
	})
	if err != nil {
		return nil, err
	}
	cols := chunk.Columns()
	for k, j := range p.Columns {
		cols[j] = table.Column{Attribute: p.released[k], Num: y[k]}
	}
	return chunk.WithColumns(cols)
}

// take returns the given rows of the columns; the columns themselves for nil.
func take(cols [][]float64, rows []int) [][]float64 {
	if rows == nil {
		return cols
	}
	out := make([][]float64, len(cols))
	for k, c := range cols {
		out[k] = make([]float64, len(rows))
		for r, i := range rows {
			out[k][r] = c[i]
		}
	}
	return out
}
