package multiplicativenoise

import (
	"context"
	"math"

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/internal/fence"
)

// count sets Counts.
func (p *Plan) count(ctx context.Context, r *aggregate.Records) error {
	n := &aggregate.Near{Columns: p.Columns}
	for k, j := range p.Columns {
		shift, twice := p.scheme().relative(k)
		n.Shift, n.Limit = append(n.Shift, shift), append(n.Limit, r.Schema.Attr(j).Step/2/twice)
	}
	if err := r.Pass(ctx, n); err != nil {
		return err
	}
	p.Counts = make([]Count, len(p.Columns))
	for k := range n.Known { // nil without records
		p.Counts[k] = Count{Known: n.Known[k], Still: n.Near[k]}
		switch {
		case p.Factor != nil:
			p.Counts[k].Zero = n.Zero[k]
		case math.Abs(n.Shift[k]) < n.Limit[k]:
			p.Counts[k].Still += n.Zero[k]
		}
	}
	return nil
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

// Corrections says how variances and covariances of the original follow from those of the release. Factors are
// positive, so only a shift for logarithms can end in a sign that is not released.
func (p *Plan) Corrections() []message.Sentence {
	out := p.scheme().corrections(p.Changes())
	for k, a := range p.attrs() {
		up, down := fence.Signs(&a, p.Outside)
		if !fence.Leaves(&a, p.Outside) || p.Log != nil && p.Log.Shift[k] != 0 && (up || down) {
			return append(out, message.Say("correct.factors.moved"))
		}
	}
	return out
}
