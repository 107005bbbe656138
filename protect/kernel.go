package protect

import (
	"github.com/dither-data/dither/internal/wrap"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/table"
)

// Kernel is the law of a released value given the original one, for a plan that perturbs column by column: what an intruder who knows the
// technique knows of its noise (Islam 2007, section 8.1). Such a plan has the method
//
//	Kernel(j int, segment *mine.Segment, t *table.Table, row int) (Kernel, bool)
//
// which measures of risk ask for: the law in column j of the plan's schema for the record in a row of a table that conforms to the
// schema and that the intruder takes to be in a segment; false where the plan does not perturb the column. Kernels are comparable: equal
// ones are the same law. P returns the probability, or a density up to a factor common to all y, that x is released as y; codes of categories
// are given as numbers, and a missing y is NaN, or the code -1.
type Kernel = interface{ P(x, y float64) float64 }

// Dealt is the kernel of categories that are dealt out anew inside a segment: which of them a record gets does not depend on its own, so a
// released value says nothing of whose it was. A missing value stays missing.
type Dealt struct{}

// P returns 1, and 0 for a missing y.
func (Dealt) P(_, y float64) float64 {
	if y < 0 || y != y {
		return 0
	}
	return 1
}

// Anew is the kernel of numbers that are drawn anew without regard to the original one. A missing value stays missing.
type Anew struct{}

// P returns 1, and 0 for a missing y.
func (Anew) P(_, y float64) float64 {
	if y != y {
		return 0
	}
	return 1
}

// Exchanged is the kernel of Another: another one of N codes with probability Share.
type Exchanged struct {
	N     int
	Share float64
}

// P returns the probability of the code y.
func (k Exchanged) P(x, y float64) float64 {
	switch {
	case y < 0:
		return 0
	case k.N < 2:
		return 1
	case x == y:
		return 1 - k.Share
	}
	return k.Share / float64(k.N-1)
}

// Kernel returns wrapped normal noise on the sub-domain that the intruder's segment gives the column, or on its whole domain.
func (p *LeafNoise) Kernel(j int, segment *mine.Segment, _ *table.Table, _ int) (Kernel, bool) {
	for _, c := range p.Columns {
		if c == j {
			return NoiseKernel(&p.Tree.Attrs[j], j, segment, p.Cells.has(segment.Influential(j)), p.Spread)
		}
	}
	return nil, false
}

// NoiseKernel returns the law of AddNormal on the sub-domain that a segment gives column j or, where it gives none, on the attribute's whole
// domain; false unless the cell is perturbed.
func NoiseKernel(a *table.Attribute, j int, segment *mine.Segment, perturbed bool, spread float64) (Kernel, bool) {
	if !perturbed {
		return nil, false
	}
	d := wrap.On(a.Domain, a.Step)
	if sub, ok := segment.Num[j]; ok {
		if s := wrap.On(sub.Intersect(a.Domain), a.Step); s.Size() > 0 {
			d = s
		}
	}
	return wrap.NormalKernel{Domain: d, SD: sigma(spread, &d)}, true
}
