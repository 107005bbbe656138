package posterior

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/table"
)

// anything is the law of a column of which nothing is known.
type anything struct{}

// P returns 1.
func (anything) P(_, _ float64) float64 { return 1 }

// moved is the law of numbers that the pairs of a release show: the shares of those that stay and are lost, and normal
// noise on the others.
type moved struct {
	stays, lost float64
	sd, density float64 // of the noise; the density is that of all values at its peak, times the grid step
}

// far is the number of standard deviations beyond which noise is as likely as there: noise that is not normal has
// longer tails.
const far = 6

// P returns the probability.
func (k moved) P(x, y float64) float64 {
	switch {
	case y != y:
		return k.lost
	case x == y:
		return k.stays + k.density
	case k.density == 0:
		return 0
	}
	u := min(math.Abs(y-x)/k.sd, far)
	return float64(k.density * portable.Exp(-u*u/2))
}

// exchanged is the law of categories that the pairs of a release show: the shares of those that stay, are lost, and
// become each of the others.
type exchanged struct{ stays, lost, other float64 }

// P returns the probability.
func (k exchanged) P(x, y float64) float64 {
	switch {
	case y < 0:
		return k.lost
	case x == y:
		return k.stays
	}
	return k.other
}

// estimate returns the law that the pairs of a column show; Kept where no value changes. Values missing in the original
// do not count.
func estimate(was, is table.Column) noisemodel.Kernel {
	n, stays, lost := 0.0, 0.0, 0.0
	var squares exact.Sum
	for i := range was.Len() {
		x, y := value(&was, i), value(&is, i)
		switch {
		case x != x:
			continue
		case y != y:
			lost++
		case x == y:
			stays++
		default:
			squares.Add(float64((y - x) * (y - x)))
		}
		n++
	}
	if stays == n {
		return noisemodel.Kept{}
	}
	changed := n - stays - lost
	switch was.Kind {
	case table.Numeric:
	case table.Categorical:
		return exchanged{stays / n, lost / n, changed / n / math.Max(1, float64(len(was.Labels)-1))}
	case table.SetValued: // is not among what can be known
	}
	k := moved{stays: stays / n, lost: lost / n}
	if changed > 0 {
		k.sd = math.Sqrt(squares.Float64() / changed)
		step := was.Step
		if step == 0 {
			step = k.sd / 100 // one that stays was not perturbed, which then weighs a hundred times more than a near miss
		}
		k.density = float64(changed / n * math.Min(1, step/(k.sd*math.Sqrt(2*math.Pi))))
	}
	return k
}

// value returns a value of a column as a number, NaN for a missing one.
func value(c *table.Column, i int) float64 {
	switch c.Kind {
	case table.Numeric:
		return c.Num[i]
	case table.Categorical:
		if code := c.Cat[i]; code >= 0 {
			return float64(code)
		}
	case table.SetValued: // is not among what can be known
	}
	return math.NaN()
}
