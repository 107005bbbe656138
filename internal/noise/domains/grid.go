package domains

import (
	"math"

	"github.com/dither-data/dither/table"
)

// coarse is how many steps a grid that follows from an interval divides it into at least, and fine 1 over the smallest
// step of such a grid.
const coarse, fine = 20, 1e9

// Grid returns the grid of numbers of which an interval alone is public: the largest power of ten, 1 at most, on which
// both ends lie and which has at least 20 steps in the interval. It is 0 where an end is infinite.
func Grid(d table.Interval) float64 {
	if math.IsInf(d.Lo, 0) || math.IsInf(d.Hi, 0) || math.IsInf(d.Hi-d.Lo, 0) {
		return 0
	}
	per := 1.0 // steps in 1
	on := func(v float64) bool {
		at := float64(v * per)
		return math.Abs(at-math.RoundToEven(at)) <= 1e-9*max(1, math.Abs(at))
	}
	for per < fine && !(on(d.Lo) && on(d.Hi) && float64((d.Hi-d.Lo)*per) >= coarse) {
		per = float64(per * 10)
	}
	return 1 / per
}

// Public returns the table with limits and grids of numbers that tell nothing of its records: only those that are
// declared, and the grid of a declared domain (Grid). Values stay as they are. The steps of dates are those of their
// notation, which is how the file is written.
func Public(t *table.Table) *table.Table {
	for j := range t.Width() {
		a := *t.Attr(j)
		if a.Kind != table.Numeric {
			continue
		}
		if !a.Declared {
			a.Domain = table.Everything()
		}
		if !a.StepDeclared && a.Dates == "" {
			a.Step = Grid(a.Domain)
		}
		t = t.WithAttr(j, a)
	}
	return t
}
