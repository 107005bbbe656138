package round

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// multiples are the multiples of a base inside the released domain of an attribute. Two are equal when they round
// alike.
type multiples struct {
	on       wrap.Domain
	lo, hi   float64 // the ends of the attribute's domain; values outside count as the nearest
	base     float64
	num, den float64 // the grid step of the attribute is num/den
	steps    float64 // how many grid steps the base is; 0 on a continuous attribute
}

// prepare returns the multiples of a base for an attribute. It is an error when the base is not a multiple of the grid
// step, when there are too many to tell apart, or none in a declared domain.
func prepare(a *table.Attribute, base float64) (multiples, error) {
	m := multiples{lo: a.Domain.Lo, hi: a.Domain.Hi, base: base}
	if !(base > 0 && base <= largest) {
		return m, fmt.Errorf("column %q has base %v; expected a number above 0, up to %g", a.Name, base, largest)
	}
	if a.Step > 0 {
		m.num, m.den = table.Ratio(a.Step)
		m.steps = math.Round(base / a.Step)
		if m.steps < 1 || m.steps >= 1<<31 || math.Abs(m.steps*m.num/m.den-base) > 1e-12*base {
			return m, fmt.Errorf("column %q: base %v is not a multiple of its step %v", a.Name, base, a.Step)
		}
	}
	d := m.domain(a)
	if !wrap.Fits(d, base) {
		return m, fmt.Errorf("column %q has too many multiples of base %v to distinguish them", a.Name, base)
	}
	m.on = wrap.On(d, base)
	if lo, _ := m.on.Limits(); table.Snap(lo, base) != lo {
		return m, fmt.Errorf("column %q: no multiple of base %v lies in its declared domain", a.Name, base)
	}
	return m, nil
}

// domain returns the domain of the attribute as it is released: a declared one, or from the multiple below an observed
// one to that above.
func (m *multiples) domain(a *table.Attribute) table.Interval {
	if a.Declared {
		return a.Domain
	}
	below, _ := m.split(a.Domain.Lo)
	above, part := m.split(a.Domain.Hi)
	if part > 0 {
		above++
	}
	return table.Interval{Lo: table.Snap(float64(below*m.base), m.base) + 0,
		Hi: table.Snap(float64(above*m.base), m.base) + 0}
}

// split returns how many bases are in x and what part of a base, in [0, 1), is left. Off the grid, x is rounded to it
// first.
func (m *multiples) split(x float64) (whole, part float64) {
	x = min(max(x, m.lo), m.hi)
	if m.steps == 0 {
		whole = math.Floor(x / m.base)
		return whole, min(max(x/m.base-whole, 0), 1)
	}
	k := math.RoundToEven(x * m.den / m.num)
	whole = math.Floor(k / m.steps)
	return whole, (k - float64(whole*m.steps)) / m.steps
}

// at returns a multiple of the base or, where that is outside the domain, the last one inside.
func (m *multiples) at(whole float64) float64 { return m.on.Clip(float64(whole * m.base)) }

// nearest returns the multiple nearest to x, of two the even one. NaN, the missing value, stays.
func (m *multiples) nearest(x float64) float64 {
	if x != x {
		return x
	}
	whole, part := m.split(x)
	if part > 0.5 || part == 0.5 && math.Mod(whole, 2) != 0 {
		whole++
	}
	return m.at(whole)
}

// random returns one of the two multiples around x, by a random word: the one above with the probability of the part of
// a base that x is above the other. NaN, the missing value, stays.
func (m *multiples) random(x float64, w uint64) float64 {
	if x != x {
		return x
	}
	whole, part := m.split(x)
	if rng.Unit(w) < part {
		whole++
	}
	return m.at(whole)
}

// toNearest is the law of nearest: what a value becomes is certain.
type toNearest struct{ m multiples }

// P returns 1 for the nearest multiple, and 0 for anything else.
func (k toNearest) P(x, y float64) float64 {
	if k.m.nearest(x) == y {
		return 1
	}
	return 0
}

// atRandom is the law of random.
type atRandom struct{ m multiples }

// P returns the probability that x is released as y.
func (k atRandom) P(x, y float64) float64 {
	whole, part := k.m.split(x)
	p := 0.0
	if k.m.at(whole) == y {
		p = 1 - part
	}
	if part > 0 && k.m.at(whole+1) == y {
		p += part
	}
	return p
}
