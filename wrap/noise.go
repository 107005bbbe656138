package wrap

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/portable"
)

// Shape is the shape of a law of noise, whatever its mean and its standard deviation are.
type Shape string

// The shapes.
const (
	Normal  Shape = "" // in plans that name none
	Uniform Shape = "uniform"
	Laplace Shape = "laplace"
)

// Shapes returns all of them.
func Shapes() []Shape { return []Shape{Normal, Uniform, Laplace} }

// Noise is a law of noise in terms of the domain that it is wrapped in, of which it has the mean and the standard
// deviation in per cent of the size (Islam 2007, sections 5.2 and 5.3: a mean and a variance, and a distribution that
// "can be chosen to suit a particular application").
type Noise struct {
	Shape  Shape   `json:"noise,omitempty"`
	Mean   float64 `json:"mean,omitempty"`
	Spread float64 `json:"spread"` // standard deviation
}

// MaxSpread is the largest spread of noise: there the wrapped law is uniform to 15 digits.
const MaxSpread = 1000

// Check refuses a shape that is not there, a spread that is not from 0 to MaxSpread, and a mean beyond a domain.
func (n Noise) Check() error {
	switch {
	case n.Shape != Normal && n.Shape != Uniform && n.Shape != Laplace:
		return fmt.Errorf("the noise is %q; expected normal, uniform or laplace", n.Shape)
	case !(n.Spread >= 0 && n.Spread <= MaxSpread):
		return fmt.Errorf("the spread is %v %%; expected 0 to %v", n.Spread, float64(MaxSpread))
	case !(math.Abs(n.Mean) <= 100):
		return fmt.Errorf("the mean of the noise is %v %%; expected -100 to 100", n.Mean)
	}
	return nil
}

// In returns the kernel of the noise in a domain. Unit is that of the kernel.
func (n Noise) In(d Domain, unit float64) NoiseKernel {
	return NoiseKernel{Domain: d, Shape: n.Shape, Mean: percent(n.Mean, &d), SD: percent(n.Spread, &d), Unit: unit}
}

// On returns noise for a domain, in its steps, that is z standard deviations from its mean.
func (n Noise) On(d *Domain, z float64) float64 {
	return percent(n.Mean, d) + float64(percent(n.Spread, d)*z)
}

func percent(share float64, d *Domain) float64 { return float64(share / 100 * d.size) }

// Deviation returns the noise, in standard deviations from its mean, that has u of the law below it; u is in [0, 1).
// Normal noise is drawn otherwise (rng.Normals).
func (s Shape) Deviation(u float64) float64 {
	switch s {
	case Uniform:
		return float64(math.Sqrt(3) * (2*u - 1))
	case Laplace:
		if u < 0.5 {
			return portable.Log(2*max(u, 0x1p-54)) / math.Sqrt2
		}
		return -portable.Log(2*(1-u)) / math.Sqrt2
	case Normal:
	}
	return portable.Quantile(u)
}

// above returns the probability that noise is more than z standard deviations above its mean.
func (s Shape) above(z float64) float64 {
	switch s {
	case Uniform:
		return min(1, max(0, (1-z/math.Sqrt(3))/2))
	case Laplace:
		if z < 0 {
			return 1 - portable.Exp(float64(math.Sqrt2*z))/2
		}
		return portable.Exp(-float64(math.Sqrt2*z)) / 2
	case Normal:
	}
	return portable.Erfc(z/math.Sqrt2) / 2
}

// density returns that of noise z standard deviations, each of sd steps, from its mean.
func (s Shape) density(z, sd float64) float64 {
	switch s {
	case Uniform:
		if math.Abs(z) <= math.Sqrt(3) {
			return 1 / (2 * math.Sqrt(3) * sd)
		}
		return 0
	case Laplace:
		return portable.Exp(-float64(math.Sqrt2*math.Abs(z))) / (math.Sqrt2 * sd)
	case Normal:
	}
	return portable.Exp(-z*z/2) / (sd * math.Sqrt(2*math.Pi))
}

// reach is how many standard deviations of the law are summed; the rest weighs less than 1e-18.
func (s Shape) reach() float64 {
	if s == Laplace {
		return 30
	}
	return reach
}
