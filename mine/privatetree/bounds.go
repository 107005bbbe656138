package privatetree

import (
	"slices"

	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/table"
)

// candidates are the numbers among which a bound is bought: 0, and 1, 2 and 5 times the powers of ten from 10^-3 to
// 10^12, of both signs. They are the same for every table.
var candidates = func() []float64 {
	out := []float64{0}
	for e, ten := 0, 0.001; e <= 15; e, ten = e+1, float64(ten*10) {
		for _, m := range []float64{1, 2, 5} {
			out = append(out, float64(m*ten), -float64(m*ten))
		}
	}
	slices.Sort(out)
	return out
}()

// buy buys the domains of the inputs that have none, and returns what is left of epsilon. The share bounds goes in
// equal parts to two quantiles of each.
func (l *Learner) buy(t *table.Table, p *plan, rows []int32, w mechanism.Words) (left mechanism.Ratio, err error) {
	each, err := mechanism.AtMost(p.each.Float() * l.Bounds / float64(2*len(p.bought)))
	if err != nil {
		return left, err
	}
	for _, k := range p.bought {
		in := &p.inputs[k]
		var values []float64
		for _, i := range rows {
			if v := t.Num(in.column)[i]; v == v {
				values = append(values, v)
			}
		}
		slices.Sort(values)
		lo, err := mechanism.Quantile(w, values, candidates, 1, 100, each)
		if err != nil {
			return left, err
		}
		hi, err := mechanism.Quantile(w, values, candidates, 99, 100, each)
		if err != nil {
			return left, err
		}
		in.cuts = evenly(candidates[lo], candidates[hi], l.Cuts)
	}
	p.inputs = slices.DeleteFunc(p.inputs, func(in input) bool { return in.tests() == 0 })
	return mechanism.AtMost(float64(p.each.Float() * (1 - l.Bounds)))
}
