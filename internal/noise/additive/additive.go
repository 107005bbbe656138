// Package additive holds distributions of noise added to a number: density, distribution, quantiles, and what an
// intruder who knows the noise model learns from one released value (Agrawal & Srikant 2000, section 2.1; Agrawal &
// Aggarwal 2001, section 2; Li, Wang & Jajodia 2002).
//
// All laws are symmetric about 0.
package additive

import (
	"errors"
	"math"

	"github.com/dither-data/dither/internal/portable"
)

// Noise is the law of what is added.
type Noise interface {
	// Density returns the density at e.
	Density(e float64) float64
	// CDF returns P(noise <= e).
	CDF(e float64) float64
	// Mass returns the integral of CDF from minus infinity to e, so that means of CDF over an interval are exact.
	Mass(e float64) float64
	// Quantile returns the value that CDF reaches at u, in (0, 1).
	Quantile(u float64) float64
	// SD returns the standard deviation.
	SD() float64
	// Reach returns the largest noise; infinite where there is none.
	Reach() float64
	// Entropy returns the differential entropy in bits.
	Entropy() float64
	// Check refuses parameters that give no law.
	Check() error
}

// Width returns the interval privacy with confidence c in [0, 1]: the width of the central interval of the noise that
// holds it with that probability (Agrawal & Srikant 2000, section 2.1).
func Width(n Noise, c float64) float64 {
	switch {
	case c <= 0:
		return 0
	case c >= 1:
		return 2 * n.Reach()
	}
	return 2 * n.Quantile((1+c)/2)
}

// Uniform is uniform noise on [-Half, Half].
type Uniform struct{ Half float64 }

// Density returns 1/(2 Half) on the closed interval.
func (n Uniform) Density(e float64) float64 {
	if math.Abs(e) > n.Half {
		return 0
	}
	return 0.5 / n.Half
}

// CDF returns P(noise <= e).
func (n Uniform) CDF(e float64) float64 { return min(max(0, 0.5*(e/n.Half+1)), 1) }

// Mass returns the integral of CDF up to e.
func (n Uniform) Mass(e float64) float64 {
	switch {
	case e <= -n.Half:
		return 0
	case e >= n.Half:
		return e
	}
	return (e + n.Half) * (e + n.Half) / (4 * n.Half)
}

// Quantile returns where CDF is u.
func (n Uniform) Quantile(u float64) float64 { return float64((2*u - 1) * n.Half) }

// SD returns Half/sqrt 3.
func (n Uniform) SD() float64 { return n.Half / math.Sqrt(3) }

// Reach returns Half.
func (n Uniform) Reach() float64 { return n.Half }

// Entropy returns log2 of the width.
func (n Uniform) Entropy() float64 { return portable.Log2(2 * n.Half) }

// Check refuses a width that is none.
func (n Uniform) Check() error { return positive(n.Half, "half the width of uniform noise") }

// Normal is normal noise with standard deviation Sigma.
type Normal struct{ Sigma float64 }

// Density returns the normal density.
func (n Normal) Density(e float64) float64 { return phi(e/n.Sigma) / n.Sigma }

// CDF returns P(noise <= e).
func (n Normal) CDF(e float64) float64 { return below(e / n.Sigma) }

// Mass returns the integral of CDF up to e.
func (n Normal) Mass(e float64) float64 {
	z := e / n.Sigma
	return float64(n.Sigma * (float64(z*below(z)) + phi(z)))
}

// Quantile returns where CDF is u.
func (n Normal) Quantile(u float64) float64 { return float64(n.Sigma * at(u)) }

// SD returns Sigma.
func (n Normal) SD() float64 { return n.Sigma }

// Reach is infinite.
func (n Normal) Reach() float64 { return math.Inf(1) }

// Entropy returns log2(sqrt(2 pi e) Sigma).
func (n Normal) Entropy() float64 { return portable.Log2(2*math.Pi*math.E)/2 + portable.Log2(n.Sigma) }

// Check refuses a deviation that is none.
func (n Normal) Check() error { return positive(n.Sigma, "the standard deviation of normal noise") }

// Holed is epsilon-Gaussian noise: normal noise with standard deviation Sigma given that it is at least Epsilon/2 from
// 0, so that no released value is within Epsilon/2 of the original one.
type Holed struct{ Epsilon, Sigma float64 }

// Hole returns a = Epsilon/(2 Sigma), and P(|N| >= a) of a standard normal N.
func (n Holed) Hole() (a, outside float64) {
	a = n.Epsilon / (2 * n.Sigma)
	return a, portable.Erfc(a / math.Sqrt2)
}

// Density returns that of the normal noise over the probability of what is outside the hole, and 0 inside.
func (n Holed) Density(e float64) float64 {
	a, outside := n.Hole()
	if math.Abs(e) < a*n.Sigma {
		return 0
	}
	return phi(e/n.Sigma) / n.Sigma / outside
}

// CDF returns P(noise <= e).
func (n Holed) CDF(e float64) float64 {
	a, outside := n.Hole()
	switch z := e / n.Sigma; {
	case z <= -a:
		return below(z) / outside
	case z < a:
		return 0.5
	default:
		return 1 - below(-z)/outside
	}
}

// Mass returns the integral of CDF up to e.
func (n Holed) Mass(e float64) float64 {
	a, outside := n.Hole()
	z := e / n.Sigma
	left := func(z float64) float64 { return n.Sigma * (float64(z*below(z)) + phi(z)) / outside }
	switch {
	case z <= -a:
		return left(z)
	case z < a:
		return left(-a) + n.Sigma*(z+a)/2
	default: // symmetric laws have Mass(e) = e + Mass(-e)
		return e + left(-z)
	}
}

// Quantile returns where CDF is u; at 1/2 the lower end of the hole.
func (n Holed) Quantile(u float64) float64 {
	if u > 0.5 {
		return -n.Quantile(1 - u)
	}
	_, outside := n.Hole()
	return float64(n.Sigma * at(float64(u*outside)))
}

// Variance returns Sigma² (1 + a phi(a)/(1 - Phi(a))).
func (n Holed) Variance() float64 {
	a, outside := n.Hole()
	return float64(n.Sigma * n.Sigma * (1 + 2*a*phi(a)/outside))
}

// SD returns the root of Variance.
func (n Holed) SD() float64 { return math.Sqrt(n.Variance()) }

// Reach is infinite.
func (n Holed) Reach() float64 { return math.Inf(1) }

// Entropy returns the differential entropy: that of a normal density scaled up outside the hole.
func (n Holed) Entropy() float64 {
	_, outside := n.Hole()
	return portable.Log2(outside*n.Sigma*math.Sqrt(2*math.Pi)) + float64(n.Variance()/(n.Sigma*n.Sigma)/2*math.Log2E)
}

// Check refuses parameters that give no law, and a hole so wide that nothing is outside to speak of.
func (n Holed) Check() error {
	if !(n.Epsilon >= 0) || math.IsInf(n.Epsilon, 1) {
		return errors.New("epsilon of epsilon-Gaussian noise is not a number from 0 on")
	}
	if err := positive(n.Sigma, "sigma of epsilon-Gaussian noise"); err != nil {
		return err
	}
	if a, _ := n.Hole(); a > 30 {
		return errors.New("epsilon of epsilon-Gaussian noise is above 60 times sigma")
	}
	return nil
}

func positive(v float64, what string) error {
	if !(v > 0) || math.IsInf(v, 1) {
		return errors.New(what + " is not a number above 0")
	}
	return nil
}

// phi, below and at are density, distribution and quantile of a standard normal.
func phi(z float64) float64   { return portable.Exp(-z*z/2) / math.Sqrt(2*math.Pi) }
func below(z float64) float64 { return 0.5 * portable.Erfc(-z/math.Sqrt2) }

// at is exact in the lower tail too, where 2u-1 would lose all digits.
func at(u float64) float64 {
	if u > 0.5 {
		return -at(1 - u)
	}
	return float64(-math.Sqrt2 * portable.Erfcinv(2*u))
}
