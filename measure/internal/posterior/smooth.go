package posterior

import (
	"math"
	"slices"

	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/wrap"
)

// smooth is the law of wrapped normal noise as a table of the moves, as shares of the largest probability. Of wide
// noise not every move is in the table; between those that are it interpolates linearly, with an error below 1e-6.
type smooth struct {
	domain  wrap.Domain
	lo, hi  float64
	size    float64 // of the domain, in knots
	perKnot float64 // knots per unit of the attribute
	law     []float64
}

const (
	manyValues = 64 // of a domain, above which a law is tabulated
	// A chord of the normal curve over h standard deviations is at most h²/8 of the peak away from it.
	knotsPerSD = 360
	leastSD    = 0.01 // of the size of a domain, for a law to be tabulated
)

// newSmooth returns the law in a form for many calls; nil for a law that has none. Cost: up to 72,000 calls of the law,
// 2,000 for noise of a third of the domain.
func newSmooth(k noisemodel.Kernel) *smooth {
	n, ok := k.(wrap.NoiseKernel)
	if !ok || n.Shape != wrap.Normal || n.Domain.Size() <= manyValues || n.SD < leastSD*n.Domain.Size() {
		return nil
	}
	s := &smooth{domain: n.Domain}
	s.lo, s.hi = n.Domain.Limits()
	every := max(1, math.Floor(n.SD/knotsPerSD)) // steps from knot to knot
	size, step := n.Domain.Size(), n.Domain.Step()
	s.size, s.perKnot = size/every, 1/(every*step)
	s.law = make([]float64, int(math.Ceil(s.size))+2) // one more, for a move that rounding makes the size
	for e := range s.law {
		s.law[e] = n.P(s.lo, s.lo+float64(math.Mod(float64(e)*every, size)*step))
	}
	peak := slices.Max(s.law)
	for e := range s.law {
		s.law[e] /= peak
	}
	return s
}

// add adds the law of x to dst, by values ascending; missing ones, NaN, stand first and get nothing.
func (s *smooth) add(dst, values []float64, x float64) {
	x = s.domain.Clip(x)
	from, to := s.inside(values)
	for e, y := range values[from:to] {
		dst[from+e] += s.at(x, y)
	}
}

// at returns the law of an x in the domain for a value of the domain.
func (s *smooth) at(x, y float64) float64 {
	move := float64((min(max(y, s.lo), s.hi) - x) * s.perKnot)
	if move < 0 {
		move += s.size
	}
	at := int(move)
	left := s.law[at]
	return left + float64((move-float64(at))*(s.law[at+1]-left))
}

// inside returns where the values of the domain begin and end; one off the grid counts as the nearest on it.
func (s *smooth) inside(values []float64) (from, to int) {
	step := s.domain.Step()
	from, _ = slices.BinarySearch(values, s.lo-step)
	to, _ = slices.BinarySearch(values, s.hi+step)
	for from < to && !s.domain.Contains(values[from]) {
		from++
	}
	for from < to && !s.domain.Contains(values[to-1]) {
		to--
	}
	return from, to
}
