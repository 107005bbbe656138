package privatetree

import (
	"slices"

	"github.com/dither-data/dither/internal/noise/domains"
	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/table"
)

// buy buys the domains of the inputs that have none, and returns what is left of epsilon. The share bounds goes in
// equal parts to all, and so does delta to those of categories. An input of which nothing could be bought is left out.
func (l *Learner) buy(t *table.Table, p *plan, rows []int32, w mechanism.Words) (left mechanism.Ratio, err error) {
	each, err := mechanism.AtMost(p.each.Float() * l.Bounds / float64(len(p.bought)))
	if err != nil {
		return left, err
	}
	noise, err := mechanism.NewLaplace(each, 1)
	if err != nil {
		return left, err
	}
	for _, k := range p.bought {
		in := &p.inputs[k]
		if a := t.Attr(in.column); a.Kind == table.Categorical {
			delta := p.delta / float64(p.categories)
			in.codes = domains.Categories(w, pick(t.Cat(in.column), rows), a.Labels, noise, delta, p.unit.Records)
			in.labels = len(in.codes)
			continue
		}
		d := domains.Numbers(w, pick(t.Num(in.column), rows), noise)
		in.cuts = evenly(d.Lo, d.Hi, l.Cuts)
	}
	p.inputs = slices.DeleteFunc(p.inputs, func(in input) bool { return in.tests() == 0 })
	return mechanism.AtMost(float64(p.each.Float() * (1 - l.Bounds)))
}

// pick returns the values of some rows.
func pick[T any](values []T, rows []int32) []T {
	out := make([]T, len(rows))
	for k, i := range rows {
		out[k] = values[i]
	}
	return out
}
