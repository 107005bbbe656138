package posterior

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// Point is what Likelihoods returns, one code at a time: for who asks about a few of many values. At most 1 is the
// likelihood of any.
type Point struct {
	f        *fact
	law      noisemodel.Kernel
	x        float64
	top      float64 // of the values that records show; 0 when the law rules out all of them
	smooth   *smooth
	from, to int // codes of the domain of the smooth law

	logTop, logDensity float64 // of a law that the pairs show
}

// Point returns how likely what records show is for the person at place k; ok is false where that takes all values
// together, or the person has nothing to compare. It is valid until the next call.
func (r *Reader) Point(clue, k int) (p *Point, ok bool) {
	f, ok := r.t.clues.All[clue].of.(*fact)
	if !ok || !f.known.Exact() || f.column.Kind != table.Numeric {
		return nil, false
	}
	x, ok := f.value(r.t.b.rows[k])
	if !ok {
		return nil, false
	}
	s := &r.t.b.segments[r.t.b.of[k]]
	r.point = Point{f: f, law: f.kernel(r.w.m.release.Original, r.t.b.rows[k], s), x: x}
	return &r.point, r.point.find(r.w, s)
}

// find finds the largest likelihood; false where it would take a look at all values.
func (p *Point) find(w *worker, s *segment.Segment) bool {
	switch k := p.law.(type) {
	case noisemodel.Kept, anything:
		p.top = 1
		return true
	case moved:
		p.top = k.top(p.f.values, p.x)
		p.logTop, p.logDensity = portable.Log(p.top), portable.Log(k.density)
		return true
	case noisemodel.Anew:
		in := only{Lo: math.Inf(-1), Hi: math.Inf(1)}
		if iv, ok := s.Num[p.f.known.Column]; ok {
			in = only(iv)
		}
		p.law, p.top = in, 1
		return slices.ContainsFunc(p.f.values, func(y float64) bool { return in.P(p.x, y) > 0 })
	}
	if p.smooth = w.smooth(p.law); p.smooth == nil {
		return false
	}
	p.from, p.to = p.smooth.inside(p.f.values)
	p.x = p.smooth.domain.Clip(p.x)
	return true
}

// At returns the likelihood of a code.
func (p *Point) At(code int) float64 {
	switch {
	case p.smooth == nil && p.top == 0:
		return 0
	case p.smooth == nil:
		return p.law.P(p.x, p.f.values[code]) / p.top
	case code < p.from || code >= p.to:
		return 0
	}
	return p.smooth.at(p.x, p.f.values[code])
}

// Log returns the logarithm of the likelihood of a code.
func (p *Point) Log(code int) float64 {
	y := p.f.values[code]
	if k, ok := p.law.(moved); ok && p.top > 0 && y == y && y != p.x {
		u := min(math.Abs(y-p.x)/k.sd, far)
		return p.logDensity - u*u/2 - p.logTop
	}
	if v := p.At(code); v != 1 {
		return portable.Log(v)
	}
	return 0
}

// only is the kernel of values in an interval, each as likely.
type only table.Interval

// P returns 1 for a y in the interval, and 0 for any other and a missing one.
func (k only) P(_, y float64) float64 {
	if table.Interval(k).Contains(y) {
		return 1
	}
	return 0
}

// top returns the largest probability of some values, which ascend but for a missing one: that of the nearest, or of a
// missing one.
func (k moved) top(values []float64, x float64) float64 {
	at, _ := slices.BinarySearch(values, x)
	top := 0.0
	for _, i := range []int{0, at - 1, at} {
		if i >= 0 && i < len(values) {
			top = max(top, k.P(x, values[i]))
		}
	}
	return top
}
