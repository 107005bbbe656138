package wrap

import (
	"math"
	"math/bits"

	"github.com/dither-data/dither/table"
)

// Domain is the interval of a numeric attribute on its grid, prepared for noise. It counts in steps: position k is the
// value k*num/den. The zero Domain holds no value and leaves every value as it is.
type Domain struct {
	lo, hi   float64 // positions of the first and the last value
	num, den float64 // the grid step is num/den
	size     float64
}

// On prepares a finite interval on the grid of an attribute (table.Attribute.Step). The values of the domain are the
// multiples of the step that the interval contains, compared exactly, as a tree compares them.
//
// A continuous attribute (step 0) has an implied grid whose step is a power of two: some 2^40 values, or fewer where
// the interval holds fewer numbers. So the low-order bits of a released value, too, are those of a whole number of
// steps with noise.
//
// An interval that holds numbers, but none on the grid, has its largest number as its only value. One that does not fit
// gives the zero Domain.
func On(iv table.Interval, step float64) Domain {
	if !Fits(iv, step) {
		return Domain{}
	}
	first, last := ends(iv)
	if step == 0 {
		step = implied(first, last)
	}
	var d Domain
	d.num, d.den = table.Ratio(step)
	for d.lo = d.position(first) - 1; d.at(d.lo) < first; {
		d.lo++
	}
	for d.hi = d.position(last) + 1; d.at(d.hi) > last; {
		d.hi--
	}
	if d.lo > d.hi {
		return Domain{lo: 1, hi: 1, num: last, den: 1, size: 1}
	}
	d.size = d.hi - d.lo + 1
	return d
}

// implied returns the step of the grid for the numbers lo to hi of a continuous attribute: 2^-39 to 2^-40 of the width,
// but no less than the distance of neighbouring numbers, so that positions stay below 2^53.
func implied(lo, hi float64) float64 {
	_, width := math.Frexp(hi - lo)
	_, size := math.Frexp(max(-lo, hi))
	return math.Ldexp(1, max(width-40, size-53, -1074))
}

// Fits reports whether noise can be added exactly on the interval: it is finite, holds a number and, on a grid, its
// limits are less than 2^53 steps from zero.
func Fits(iv table.Interval, step float64) bool {
	if lo, hi := ends(iv); !(lo <= hi) || math.IsInf(iv.Hi-iv.Lo, 0) {
		return false
	}
	if step == 0 {
		return true
	}
	if _, den := table.Ratio(step); den > 1 {
		step = 1 / den // the unit in which a multiple of the step is exact
	}
	return step > 1e-300 && math.Abs(iv.Lo/step) < 1<<53 && math.Abs(iv.Hi/step) < 1<<53
}

func (d *Domain) position(v float64) float64 { return math.RoundToEven(v * d.den / d.num) }
func (d *Domain) at(k float64) float64       { return k*d.num/d.den + 0 } // + 0 turns minus zero into zero

// Size returns the number of values; 0 for the zero Domain.
func (d *Domain) Size() float64 { return d.size }

// Step returns the distance of neighbouring values: on a continuous attribute, that of the implied grid.
func (d *Domain) Step() float64 { return d.num / d.den }

// Key returns a number that tells domains apart.
func (d *Domain) Key() uint64 {
	k := uint64(0)
	for _, v := range [...]float64{d.lo, d.hi, d.num, d.den} {
		k = bits.RotateLeft64(k, 17)*0x9e3779b97f4a7c15 + math.Float64bits(v)
	}
	return k
}

// Limits returns the smallest and the largest value of a domain that has values.
func (d *Domain) Limits() (lo, hi float64) { return d.at(d.lo), d.at(d.hi) }

// Add returns v plus noise, wrapped into the domain. The noise is in grid steps and rounded to whole ones. A value off
// the grid is rounded to it first; one outside the domain, which only dirty data have, counts as the nearest end. So a
// domain of one value turns every value into that one. NaN, the missing value, stays.
func (d *Domain) Add(v, noise float64) float64 {
	switch {
	case d.size == 0 || v != v:
		return v
	case d.size == 1:
		return d.at(d.lo)
	}
	k := min(max(math.RoundToEven(v*d.den/d.num), d.lo), d.hi) + math.RoundToEven(noise)
	return d.at(Integer(k, d.lo, d.hi))
}

// Clip returns the value of the domain nearest to v. NaN, the missing value, stays, and so does every value in the zero
// Domain, but minus zero, which becomes zero everywhere: else the first of equal values would show in what is kept of
// them.
func (d *Domain) Clip(v float64) float64 {
	if d.size == 0 || v != v {
		return v + 0
	}
	return d.at(min(max(math.RoundToEven(v*d.den/d.num), d.lo), d.hi))
}

// FromZero returns the values of the domain that are not negative, on the same grid, for a domain that has some.
func (d Domain) FromZero() Domain {
	d.lo = max(d.lo, 0)
	d.size = d.hi - d.lo + 1
	return d
}

// ToZero returns the values of the domain that are not positive, as FromZero does.
func (d Domain) ToZero() Domain {
	d.hi = min(d.hi, 0)
	d.size = d.hi - d.lo + 1
	return d
}

// Contains reports whether v, rounded to the grid, is a value of the domain.
func (d *Domain) Contains(v float64) bool {
	k := math.RoundToEven(v * d.den / d.num)
	return k >= d.lo && k <= d.hi
}
