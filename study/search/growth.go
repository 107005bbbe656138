package search

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/vector"
)

// Operating is how a technique works, measured where the choice was made (operational parameters: Nai Fovino & Masera
// 2008, chapters 2 and 3).
type Operating struct {
	Setting Setting
	Records int     // of the largest table
	Seconds float64 // to fit and apply it to that, the median
	// seconds are of all cores together, which other work on the machine does not change; else they are of the clock
	Processor bool
	Allocated float64 // bytes
	// Slope is how time grows with the records: that of the logarithms, with its 95 % interval. NaN where tables are too
	// small to tell.
	Slope, Lo, Hi float64
	Declared      string  // cost on the card, to be shown
	Order         float64 // with what power of the records time grows, as the technique declares it; 0 where it does not
	// HidingFailure is the share of the patterns to be hidden that can still be found, and Level the level of privacy as
	// printed: more negative is better hidden. NaN where there is nothing to hide, or no rule.
	HidingFailure, Level float64
}

// tolerated is by how much a slope may exceed the declared order.
const tolerated = 0.15

// Exceeds reports whether time is shown to grow faster than the technique declares: whether the low end of the slope is
// above the declared order.
func (o *Operating) Exceeds() bool { return o.Order > 0 && o.Lo > o.Order+tolerated }

// Growth is the slope of log y on log x by least squares, with its 95 % interval by Student's t. It needs three points
// of two different x; else all are NaN.
func Growth(x, y []float64) (slope, lo, hi float64) {
	n := len(x)
	u, v := make([]float64, n), make([]float64, n)
	for k := range x {
		u[k], v[k] = portable.Log(x[k]), portable.Log(y[k])
	}
	if n < 3 || vector.Variance(u) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	at, slope := vector.Line(u, v)
	rest := 0.0
	for k := range u {
		r := v[k] - at - float64(slope*u[k])
		rest += float64(r * r)
	}
	t := portable.StudentQuantile(float64(n-2), 0.975)
	half := float64(t * math.Sqrt(rest/float64(n-2)/(vector.Variance(u)*float64(n-1))))
	return slope, slope - half, slope + half
}
