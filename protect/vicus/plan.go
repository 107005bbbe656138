package vicus

import (
	"errors"
	"fmt"
	"sync"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/redraw"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Plan is the fitted technique. A column draws from src.Fork(its name).
type Plan struct {
	Attrs []table.Attribute `json:"schema"`
	Units []Unit            `json:"units"` // by column

	once     sync.Once
	samplers []*transition.Sampler
}

// Unit is a column with its matrix.
type Unit struct {
	Column int               `json:"column"` // position in the schema
	Groups int               `json:"groups"` // of similar values
	Matrix transition.Matrix `json:"matrix"` // by code
	Kept   float64           `json:"kept"`   // expected share of records that keep their value
	Least  float64           `json:"least"`  // the smallest probability that a released value is the original one,
	Most   float64           `json:"most"`   // and the largest
}

// Schema returns the attributes the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

func (p *Plan) columns() []int {
	var out []int
	for k := range p.Units {
		out = append(out, p.Units[k].Column)
	}
	return out
}

// Changes returns the names of the columns.
func (p *Plan) Changes() []string { return protect.Names(p.Attrs, p.columns()) }

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence { return message.Say("does.vicus") }

// Check refuses a decoded plan that could not be applied.
func (p *Plan) Check() error {
	if err := protect.CheckColumns(p.Attrs, p.columns(), table.Categorical); err != nil {
		return err
	}
	for k := range p.Units {
		u := &p.Units[k]
		for _, v := range []float64{u.Kept, u.Least, u.Most} {
			if !(v >= 0 && v <= 1+1e-9) {
				return fmt.Errorf("%v is not a probability", v)
			}
		}
		if u.Groups < 0 {
			return errors.New("there are fewer than 0 groups")
		}
		if err := u.Matrix.Check(len(p.Attrs[u.Column].Labels)); err != nil {
			return fmt.Errorf("column %q: %w", p.Attrs[u.Column].Name, err)
		}
	}
	return nil
}

// Apply replaces values.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	p.once.Do(func() {
		for k := range p.Units {
			p.samplers = append(p.samplers, p.Units[k].Matrix.Sampler())
		}
	})
	cols := chunk.Columns()
	for k := range p.Units {
		j := p.Units[k].Column
		cols[j].Cat = redraw.Codes(chunk.Select(j), 0, src.Fork(p.Attrs[j].Name).Stream(),
			func(_ int, old int32, b rng.Block) int32 { return p.samplers[k].Draw(old, b) })
	}
	return chunk.WithColumns(cols)
}

// kernel is the law of one column.
type kernel struct{ unit *Unit }

// P returns the probability that code x is released as y.
func (l kernel) P(x, y float64) float64 {
	m := l.unit.Matrix
	if !(x >= 0 && y >= 0 && int(x) < len(m) && int(y) < len(m)) {
		return 0
	}
	return m[int(x)][int(y)]
}

// Law returns the law of a column, whatever the segment.
func (p *Plan) Law(j int) (noisemodel.Column, bool) {
	for k := range p.Units {
		if p.Units[k].Column == j {
			return noisemodel.Everywhere(kernel{&p.Units[k]}), true
		}
	}
	return nil, false
}

// Notes says how many groups there are, how many values stay and how sure a released one is.
func (p *Plan) Notes() []message.Sentence {
	var out []message.Sentence
	for k := range p.Units {
		u, name := &p.Units[k], p.Attrs[p.Units[k].Column].Name
		if u.Kept > 1-1e-9 {
			out = append(out, message.Say("plan.vicus.stay").Name("column", name))
			continue
		}
		out = append(
			out,
			message.Say("plan.vicus.column").Name("column", name).Count("groups", u.Groups).Digits("kept", float64(100*u.Kept),
				3).
				Digits("least", u.Least, 3).Digits("most", u.Most, 3),
		)
	}
	return out
}

// Corrections says how a user of the release estimates counts of the original.
func (p *Plan) Corrections() []message.Sentence {
	if len(p.Units) == 0 {
		return nil
	}
	return []message.Sentence{
		message.Say("correct.matrix.vicus").Listed("columns", p.Changes()),
		message.Say("correct.matrix.tables"),
	}
}

// Memoised says that draws are keyed by the values of the columns.
func (*Plan) Memoised() bool { return true }

// SubPlan is the fitted SubAttributes: matrices along orders.
type SubPlan struct{ Plan }

// Describe says what the plan does.
func (p *SubPlan) Describe() message.Sentence { return message.Say("does.subattributes") }

// Notes says how many values stay and how sure a released one is.
func (p *SubPlan) Notes() []message.Sentence {
	var out []message.Sentence
	for k := range p.Units {
		u := &p.Units[k]
		out = append(out, message.Say("plan.subattributes.column").Name("column", p.Attrs[u.Column].Name).
			Digits("kept", float64(100*u.Kept), 3).Digits("least", u.Least, 3).Digits("most", u.Most, 3))
	}
	return out
}
