package multiplicativenoise

import (
	"math"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/table"
)

// count sets Counts.
func (p *Plan) count(t *table.Table) {
	p.Counts = make([]Count, len(p.Columns))
	for k, j := range p.Columns {
		c := &p.Counts[k]
		shift, twice := p.scheme().relative(k)
		limit := t.Attr(j).Step / 2 / twice
		for _, v := range t.Num(j) {
			switch {
			case v != v:
				continue
			case v == 0 && p.Factor != nil:
				c.Zero++
			case math.Abs(v+shift) < limit:
				c.Still++
			}
			c.Known++
		}
	}
}

// Notes says which values the noise leaves as they are, and what must be published besides.
func (p *Plan) Notes() []message.Sentence {
	var out []message.Sentence
	for k, j := range p.Columns {
		c, name := p.Counts[k], p.Attrs[j].Name
		share := func(n int) float64 { return 100 * float64(n) / float64(c.Known) }
		if c.Zero > 0 {
			out = append(out, message.Say("plan.factors.zero").Name("column", name).Digits("n", share(c.Zero), 3))
		}
		if c.Still > 0 {
			out = append(out, message.Say("plan.factors.still").Name("column", name).Digits("n", share(c.Still), 3))
		}
		if p.Log != nil && p.Log.Shift[k] != 0 {
			out = append(out, message.Say("plan.factors.shift").Name("column", name).Term("shift", p.Log.Shift[k], -1))
		}
	}
	return out
}

// Corrections says how variances and covariances of the original follow from those of the release.
func (p *Plan) Corrections() []message.Sentence {
	out := p.scheme().corrections(p.Changes())
	for _, a := range p.attrs() {
		if a.Declared || p.Outside != fence.OutsideAllow {
			return append(out, message.Say("correct.factors.moved"))
		}
	}
	return out
}
