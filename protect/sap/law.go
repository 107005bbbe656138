package sap

import (
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// law is what becomes of one cell: a value of a group is suppressed with the share of the group, all others stay. Cells of one group depend on each
// other, for their number is fixed.
type law struct {
	rule    *Rule
	numeric bool
	class   int32
}

// P returns the probability that x is released as y.
func (l law) P(x, y float64) float64 {
	missing := func(v float64) bool { return v != v || !l.numeric && v < 0 }
	share := 0.0
	switch {
	case missing(x):
		share = 1
	default:
		if g := l.rule.group(l.class, l.code(x)); g >= 0 && int(g) < len(l.rule.Shares) {
			share = l.rule.Shares[g]
		}
	}
	switch {
	case missing(y):
		return share
	case x == y:
		return 1 - share
	}
	return 0
}

func (l law) code(x float64) int32 {
	if l.numeric {
		return l.rule.Cuts.Code(x)
	}
	return int32(x)
}

// Kernel returns the law of a cell, given the class of its record: exact for the table the plan was fitted on, one cell at a time.
func (p *Plan) Kernel(j int, _ *mine.Segment, t *table.Table, row int) (protect.Kernel, bool) {
	for k := range p.Rules {
		if r := &p.Rules[k]; r.Column == j {
			l := law{rule: r, numeric: p.Attrs[j].Kind == table.Numeric, class: -1}
			if p.Class >= 0 {
				l.class = t.Cat(p.Class)[row]
			}
			return l, true
		}
	}
	return nil, false
}
