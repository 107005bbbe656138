package bestorrest

import (
	"slices"

	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// kernel is what becomes of one cell: a value of a group is suppressed with the share of the group, all others stay.
// Cells of one group depend on each other, for their number is fixed.
type kernel struct {
	rule    *Rule
	numeric bool
	class   int32
}

// P returns the probability that x is released as y.
func (l kernel) P(x, y float64) float64 {
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

func (l kernel) code(x float64) int32 {
	if l.numeric {
		return l.rule.Cuts.Code(x)
	}
	return int32(x)
}

// Law returns the law of a cell, given the class of its record: exact for the table the plan was fitted on, one cell at
// a time.
func (p *SAPPlan) Law(j int) (noisemodel.Column, bool) {
	k := slices.IndexFunc(p.Rules, func(r Rule) bool { return r.Column == j })
	if k < 0 {
		return nil, false
	}
	of := kernel{rule: &p.Rules[k], numeric: p.Attrs[j].Kind == table.Numeric, class: -1}
	return func(_ *segment.Segment, t *table.Table, row int) noisemodel.Kernel {
		cell := of
		if p.Class >= 0 {
			cell.class = t.Cat(p.Class)[row]
		}
		return cell
	}, true
}
