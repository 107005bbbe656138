package liew

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/table"
)

// coarse is up to how many values of a grid rounding is taken into account: with more, values lie so close that it
// moves a mean and a variance by little.
const coarse = 32

// cut is what the domain of an attribute leaves of a law: its values between two edges, half a step outside the domain,
// rounded to the grid.
type cut struct {
	lo, hi      float64
	first, step float64
	values      int // on the grid; 0 where there are more than coarse
}

func cutOf(a *table.Attribute) cut {
	d := domain(a)
	first, last := d.Limits()
	c := cut{lo: first - a.Step/2, hi: last + a.Step/2, first: first, step: d.Step()}
	if a.Step > 0 && d.Size() <= coarse {
		c.values = int(d.Size())
	}
	return c
}

// inside returns the probabilities that a value is below the lower edge, and not above the upper one.
func (c *cut) inside(d distribution) (lo, hi float64) { return d.CDF(c.lo), d.CDF(c.hi) }

// distance returns how far the distribution function of a law, cut and rounded, is at a value v from the shares of
// values that are below it, and below it or v.
func (c *cut) distance(d distribution) func(v, below, upto float64) float64 {
	half := c.first - c.lo
	lo, hi := c.inside(d)
	at := func(x float64) float64 { return min(1, max(0, (d.CDF(x)-lo)/(hi-lo))) }
	return func(v, below, upto float64) float64 {
		return max(math.Abs(at(v-half)-below), math.Abs(at(v+half)-upto))
	}
}

// moments returns the mean and the variance of a law, cut and rounded; false where less than 1e-8 of it is inside.
func (c *cut) moments(l *Law) (mean, variance float64, ok bool) {
	if c.values == 0 {
		return l.moments(c.lo, c.hi)
	}
	d := l.of()
	below, all := c.inside(d)
	whole := all - below
	if !(whole > least) {
		return 0, 0, false
	}
	squares := 0.0
	for k := range c.values {
		upto := d.CDF(c.lo + float64(float64(k+1)*c.step))
		p := (upto - below) / whole
		mean += float64(p * float64(k))
		squares += float64(p * float64(k*k))
		below = upto
	}
	return c.first + float64(c.step*mean), float64(float64(c.step*c.step) * (squares - float64(mean*mean))), true
}

// least is how much of a law must be inside its domain.
const least = 1e-8

// moments returns the mean and the variance of a law between two limits; false where less than least of it is there.
func (l *Law) moments(lo, hi float64) (mean, variance float64, ok bool) {
	switch l.Family {
	case uniform:
		a, b := max(l.A, lo), min(l.B, hi)
		return a + (b-a)/2, float64((b-a)*(b-a)) / 12, (b-a)/(l.B-l.A) > least
	case normal:
		a, b := (lo-l.A)/l.B, (hi-l.A)/l.B
		z := between(a, b)
		shift := (bell(a) - bell(b)) / z
		mean = l.A + float64(l.B*shift)
		variance = float64(float64(l.B*l.B) * (1 + float64((scaled(a)-scaled(b))/z) - float64(shift*shift)))
		return mean, variance, z > least
	case exponential:
		a := max(l.A, lo)
		width, r := hi-a, float64(l.B*(hi-a))
		tail := width / portable.Expm1(r)
		mean = a + 1/l.B - tail
		variance = 1/float64(l.B*l.B) - float64(tail*(tail+width))
		return mean, variance, width > 0 && -portable.Expm1(-r) > least
	}
	var parts [3]float64 // of the moments 0, 1 and 2
	for k := range parts {
		parts[k] = l.part(k, max(lo, 0), hi)
	}
	mean = parts[1] / parts[0]
	return mean, parts[2]/parts[0] - float64(mean*mean), parts[0] > least
}

// part returns the part of the k-th moment of a log-normal or gamma law that is of values between two limits.
func (l *Law) part(k int, lo, hi float64) float64 {
	n := float64(k)
	if l.Family == lognormal {
		z := func(x float64) float64 { return (portable.Log(x)-l.A)/l.B - float64(n*l.B) }
		return float64(portable.Exp(float64(n*l.A)+float64(n*n*l.B*l.B)/2) * between(z(lo), z(hi)))
	}
	moment := 1.0
	for i := range k {
		moment = float64(moment*(l.A+float64(i))) / l.B
	}
	return float64(moment * (portable.GammaLower(l.A+n, float64(l.B*hi)) - portable.GammaLower(l.A+n, float64(l.B*lo))))
}

// between returns how much of a standard normal law lies between two values, with all its digits in either tail.
func between(a, b float64) float64 {
	if a > 0 {
		a, b = -b, -a
	}
	return (portable.Erfc(-b/math.Sqrt2) - portable.Erfc(-a/math.Sqrt2)) / 2
}

func bell(z float64) float64   { return portable.Exp(-float64(z*z)/2) / math.Sqrt(2*math.Pi) }
func scaled(z float64) float64 { return float64(z * bell(z)) }

// family is how the laws of a family of two parameters are searched: of a given width the one with a mean, at which the
// mean ascends; with the width the variance ascends.
type family struct {
	narrow, wide float64                                // limits of the width
	places       func(width float64) (from, to float64) // limits of the place
	law          func(width, place float64) Law         // in terms of these
}

// searched returns how a family is searched for laws of an attribute's domain with a mean and a variance, from an
// eighth of the width that the law has without a cut, which takes variance away; false where the family has none.
func (c *cut) searched(name string, mean, variance float64) (family, bool) {
	reach, sd := c.hi-c.lo, math.Sqrt(variance)
	line := func(width float64) (from, to float64) { return c.lo - float64(5*width), c.hi + float64(5*width) }
	switch name {
	case normal:
		return family{sd / 8, float64(10 * reach), line, func(width, place float64) Law {
			return Law{Family: normal, A: place, B: width}
		}}, true
	case uniform:
		within := func(width float64) (from, to float64) { return c.lo + width, c.hi - width }
		return family{min(sd, reach/2) / 8, reach / 2, within, func(width, place float64) Law {
			return Law{Family: uniform, A: place - width, B: place + width}
		}}, true
	case lognormal:
		at := portable.Log(mean)
		places := func(width float64) (from, to float64) {
			return at - float64(10*width*width) - float64(5*width), portable.Log(c.hi) + float64(5*width)
		}
		return family{math.Sqrt(portable.Log1p(variance/float64(mean*mean))) / 8, 10, places,
			func(width, place float64) Law { return Law{Family: lognormal, A: place, B: width} }}, mean > 0
	}
	// Of the gamma laws the width is the scale, the place the logarithm of the shape.
	places := func(width float64) (from, to float64) { return -13, portable.Log(100*mean/width + 10) }
	return family{variance / mean / 8, float64(1e4 * reach), places, func(width, place float64) Law {
		return Law{Family: gamma, A: portable.Exp(place), B: 1 / width}
	}}, mean > 0
}

// fitted returns the law of a family that has, cut to the domain and rounded, that mean and variance or, where none of
// the family has both, the mean and the variance nearest to it; false where none has the mean.
func (c *cut) fitted(name string, mean, variance, smallest float64) (found Law, ok bool) {
	if name == exponential {
		return c.exponential(mean, smallest)
	}
	f, positive := c.searched(name, mean, variance)
	if !positive || (name == lognormal || name == gamma) && smallest < 0 {
		return Law{}, false
	}
	from, to := portable.Log(f.narrow), portable.Log(f.wide)
	for range 32 { // to some 1e-8 of the width
		middle := from + (to-from)/2
		l, v, has := c.withMean(&f, portable.Exp(middle), mean)
		if !has || v > variance {
			to = middle
			continue
		}
		from, found, ok = middle, l, true
	}
	return found, ok
}

// withMean returns the law of a width that has the mean, and its variance; false where none has.
func (c *cut) withMean(f *family, width, mean float64) (Law, float64, bool) {
	from, to := f.places(width)
	reach := c.hi - c.lo
	place, ok := root(from, to, func(place float64) float64 {
		l := f.law(width, place)
		m, _, ok := c.moments(&l)
		if !ok { // it is on one side of the domain
			m = l.of().Quantile(0.5)
		}
		return m - mean
	}, float64(1e-10*reach))
	l := f.law(width, place)
	m, v, has := c.moments(&l)
	return l, v, ok && has && math.Abs(m-mean) <= 1e-7*reach
}

// exponential returns the exponential law from the smallest value on with the mean; false, and the flattest one, where
// the mean is nearer to the upper end.
func (c *cut) exponential(mean, smallest float64) (Law, bool) {
	of := func(place float64) Law { return Law{Family: exponential, A: smallest, B: portable.Exp(-place)} }
	reach := portable.Log(c.hi - smallest)
	place, ok := root(reach-30, reach+10, func(place float64) float64 {
		l := of(place)
		m, _, _ := c.moments(&l)
		return m - mean
	}, float64(1e-10*(c.hi-c.lo)))
	if !ok {
		place = reach + 10
	}
	return of(place), ok
}

// root returns where an ascending function is 0, to within small: by regula falsi that halves the value of an end which
// stays (Illinois; Dowell & Jarratt 1971). It is false where the function is on one side of 0 at both ends.
func root(a, b float64, f func(float64) float64, small float64) (float64, bool) {
	fa, fb := f(a), f(b)
	if !(fa <= 0 && fb >= 0) {
		return 0, false
	}
	side := 0
	for range 200 {
		x := a + float64((b-a)*(fa/(fa-fb)))
		if fa == fb || !(x > a && x < b) {
			x = a + (b-a)/2
		}
		fx := f(x)
		switch {
		case math.Abs(fx) <= small || !(x > a && x < b):
			return x, true
		case fx < 0:
			if a, fa = x, fx; side < 0 {
				fb /= 2
			}
			side = -1
		default:
			if b, fb = x, fx; side > 0 {
				fa /= 2
			}
			side = 1
		}
	}
	return a + (b-a)/2, true
}
