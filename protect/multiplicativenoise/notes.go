package multiplicativenoise

import (
	"fmt"
	"math"

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
func (p *Plan) Notes() []string {
	var out []string
	for k, j := range p.Columns {
		c, name := p.Counts[k], p.Attrs[j].Name
		share := func(n int) string { return fmt.Sprintf("%.3g %%", 100*float64(n)/float64(c.Known)) }
		if c.Zero > 0 {
			out = append(out, fmt.Sprintf("column %q: %s of the values are zero and stay zero", name, share(c.Zero)))
		}
		if c.Still > 0 {
			out = append(out, fmt.Sprintf("column %q: the noise rarely or never brings %s of the values to another one of the grid", name, share(c.Still)))
		}
		if p.Log != nil && p.Log.Shift[k] != 0 {
			out = append(out, fmt.Sprintf("column %q may be zero or below and is shifted by %v before logarithms are taken; "+
				"users need that number for corrections, so it is published", name, p.Log.Shift[k]))
		}
	}
	return out
}

// Corrections says how variances and covariances of the original follow from those of the release.
func (p *Plan) Corrections() []string {
	out := p.scheme().corrections(p.Changes())
	for _, a := range p.attrs() {
		if a.Declared || p.Outside != fence.OutsideAllow {
			return append(out, "values that would have left a domain were moved into it; "+
				"the formulas do not undo how that biases a column with many values near an end of its domain")
		}
	}
	return out
}
