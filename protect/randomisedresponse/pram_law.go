package randomisedresponse

import (
	"slices"

	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// kernel is the law of one column of a unit, given what the record has in the others.
type kernel struct {
	plan  *PramPlan
	unit  int
	place int    // of the column among those of the unit
	step  uint64 // that the column counts in the key of a cell; 0 for a unit of one column
	rest  uint64 // the key of what the record has in the others
}

// Law returns the law of a column, whatever the segment. Columns that are crossed depend on each other: the law of one
// is exact, the product of several is not.
func (p *PramPlan) Law(j int) (noisemodel.Column, bool) {
	k := slices.IndexFunc(p.Units, func(u Unit) bool { return slices.Contains(u.Columns, j) })
	if k < 0 {
		return nil, false
	}
	p.prepare()
	u := &p.Units[k]
	if len(u.Columns) == 1 {
		return noisemodel.Everywhere(kernel{plan: p, unit: k}), true
	}
	radix := u.radix(p.Attrs)
	return func(_ *segment.Segment, t *table.Table, row int) noisemodel.Kernel {
		l := kernel{plan: p, unit: k}
		for c, r := range radix {
			if u.Columns[c] == j {
				l.place, l.step = c, r
			} else {
				l.rest += uint64(t.Cat(u.Columns[c])[row]+1) * r
			}
		}
		return l
	}, true
}

// P returns the probability that code x is released as y: 0 for a combination that does not occur.
func (l kernel) P(x, y float64) float64 {
	m := l.plan.Units[l.unit].Matrix
	switch {
	case !(x >= 0 && y >= 0):
		return 0
	case l.step > 0:
		return l.crossed(int32(x), int32(y))
	case int(x) >= len(m) || int(y) >= len(m):
		return 0
	}
	return m[int(x)][int(y)]
}

// crossed sums over the cells that have y.
func (l kernel) crossed(x, y int32) float64 {
	u := &l.plan.Units[l.unit]
	from, ok := slices.BinarySearch(l.plan.keys[l.unit], l.rest+uint64(x+1)*l.step)
	if !ok {
		return 0
	}
	sum := 0.0
	for to, p := range u.Matrix[from] {
		if u.Cells[to][l.place] == y {
			sum += p
		}
	}
	return min(sum, 1)
}
