package liew

import (
	"errors"
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// The families of densities.
const (
	normal      = "normal"
	lognormal   = "lognormal"
	exponential = "exponential"
	gamma       = "gamma"
	uniform     = "uniform"
)

var families = []string{normal, lognormal, exponential, gamma, uniform}

// Law is a fitted density. What A and B are depends on the family: mean and standard deviation, of the logarithm for
// the log-normal; the least value and the rate of the exponential; shape and rate of the gamma; both ends of the
// uniform.
type Law struct {
	Family   string  `json:"family"`
	A        float64 `json:"a"`
	B        float64 `json:"b"`
	Distance float64 `json:"distance"` // largest of the distribution functions of law and values
}

// distribution is what is asked of a law.
type distribution interface {
	CDF(x float64) float64
	Quantile(p float64) float64
}

// onLine is a law of a line of standard values: at + scale x.
type onLine struct {
	at, scale      float64
	cdf, quantiles func(float64) float64
}

func (l onLine) CDF(x float64) float64      { return l.cdf((x - l.at) / l.scale) }
func (l onLine) Quantile(p float64) float64 { return l.at + float64(l.scale*l.quantiles(p)) }

// logarithmic is the law of what has a logarithm of a law.
type logarithmic struct{ distribution }

func (l logarithmic) CDF(x float64) float64      { return l.distribution.CDF(portable.Log(max(x, 0))) }
func (l logarithmic) Quantile(p float64) float64 { return portable.Exp(l.distribution.Quantile(p)) }

// of returns the distribution of a law; nil for a family that is not there.
func (l *Law) of() distribution {
	line := onLine{l.A, l.B, func(z float64) float64 { return portable.Erfc(-z/math.Sqrt2) / 2 }, portable.Quantile}
	switch l.Family {
	case normal:
		return line
	case lognormal:
		return logarithmic{line}
	case exponential:
		return onLine{l.A, 1 / l.B, func(x float64) float64 { return -portable.Expm1(-max(x, 0)) },
			func(p float64) float64 { return -portable.Log1p(-p) }}
	case gamma:
		return onLine{0, 1 / l.B, func(x float64) float64 { return portable.GammaLower(l.A, x) },
			func(p float64) float64 { return portable.GammaQuantile(l.A, p) }}
	case uniform:
		return onLine{l.A, l.B - l.A, func(x float64) float64 { return min(max(x, 0), 1) },
			func(p float64) float64 { return p }}
	}
	return nil
}

// fit returns the law of a family that has, as it will be cut to the domain and rounded, the moments of the values, or
// the nearest of all; an error where the family has none. An exponential one that is asked for may have another mean.
func fit(family string, x []float64, a *table.Attribute) (Law, error) {
	order, known := rank.Order(x)
	sorted := make([]float64, known)
	for r, i := range order[:known] {
		sorted[r] = x[i]
	}
	c := cutOf(a)
	mean, sd := vector.MeanStdDev(sorted)
	var nearest *Law
	for _, f := range families {
		if family != best && family != f {
			continue
		}
		l, ok := c.fitted(f, mean, float64(sd*sd), sorted[0])
		if !ok && family != exponential || l.check(a) != nil {
			continue
		}
		l.Distance = distance(c.distance(l.of()), sorted)
		if nearest == nil || l.Distance < nearest.Distance {
			nearest = &l
		}
	}
	if nearest == nil {
		return Law{}, fmt.Errorf("a %s distribution does not fit its values; choose another density, or exclude it "+
			"(except)", family)
	}
	return *nearest, nil
}

// distance is the largest of the differences between a distribution function and that of ascending values, on either
// side of a value (Kolmogorov & Smirnov).
func distance(at func(v, below, upto float64) float64, sorted []float64) float64 {
	n, most := float64(len(sorted)), 0.0
	for a := 0; a < len(sorted); {
		b := a + 1
		for b < len(sorted) && sorted[b] == sorted[a] {
			b++
		}
		most = max(most, at(sorted[a], float64(a)/n, float64(b)/n))
		a = b
	}
	return most
}

// check refuses a law that is none, or has nearly nothing of itself inside the domain of an attribute.
func (l *Law) check(a *table.Attribute) error {
	if d := l.of(); d == nil {
		return fmt.Errorf("the distribution %q is not one of %v", l.Family, families)
	}
	for _, v := range []float64{l.A, l.B, l.Distance} {
		if math.IsNaN(v) || math.Abs(v) > 1e150 {
			return errors.New("a parameter of its distribution is not finite")
		}
	}
	if l.Family == uniform && l.A >= l.B || l.Family != uniform && !(l.B > 1e-150) ||
		l.Family == gamma && !(l.A > 1e-6 && l.A < 1e12) {
		return errors.New("the parameters of its distribution are out of range")
	}
	if d := domain(a); d.Size() == 0 {
		return errors.New("its domain has no usable values")
	}
	c := cutOf(a)
	lo, hi := c.inside(l.of())
	if !(hi-lo > 1e-9) {
		return errors.New("its distribution lies outside its domain")
	}
	return nil
}

// on returns the value of the law, cut to the domain of an attribute, that has u of the law below it, on the
// attribute's grid.
func (l *Law) on(a *table.Attribute) func(u float64) float64 {
	d, law := domain(a), l.of()
	c := cutOf(a)
	lo, hi := c.inside(law)
	exact := func(u float64) float64 { return law.Quantile(lo + float64(u*(hi-lo))) }
	if l.Family == gamma {
		exact = tabled(exact)
	}
	return func(u float64) float64 { return d.Clip(exact(u)) + 0 } // no negative zero
}

// tabled returns a function that is a quantile function at the ends and linear between its values at 8,192 places
// elsewhere: a quantile of the gamma law takes some microseconds. For an exponential tail it is off by a hundred
// thousandth of the mean.
func tabled(quantile func(u float64) float64) func(u float64) float64 {
	const places, end = 1 << 13, 1 << 7
	at := make([]float64, places+1)
	parallel.Do(places+1-2*end, func(k int) { at[end+k] = quantile(float64(end+k) / places) })
	return func(u float64) float64 {
		k := int(u * places)
		if k < end || k >= places-end {
			return quantile(u)
		}
		return at[k] + float64((at[k+1]-at[k])*(u*places-float64(k)))
	}
}
