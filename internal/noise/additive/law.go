package additive

import (
	"errors"
	"math"
)

// Law is the law of a released number w given the original x.
type Law interface {
	// At returns the density at w of what is released of the midpoint of [lo, hi) (Agrawal & Srikant 2000). Where values
	// of some probability are released, such as an end that others are brought to, it is their probability: kernels are
	// compared at one w only.
	At(w, lo, hi float64) float64
	// Over returns the mean density at w over originals spread evenly over [lo, hi) (Agrawal & Aggarwal 2001).
	Over(w, lo, hi float64) float64
	// Cell returns the probability that a value from [a, b) is released of originals spread evenly over [lo, hi), or of lo
	// where hi is not above it.
	Cell(a, b, lo, hi float64) float64
}

// Added is the law of w = x + e.
type Added struct{ Noise }

// At returns the density of the noise that leads from the midpoint to w.
func (l Added) At(w, lo, hi float64) float64 { return l.Density(w - (lo + (hi-lo)/2)) }

// Over returns (F(w - lo) - F(w - hi)) / (hi - lo).
func (l Added) Over(w, lo, hi float64) float64 {
	if hi <= lo {
		return l.Density(w - lo)
	}
	return max(0, l.CDF(w-lo)-l.CDF(w-hi)) / (hi - lo)
}

// Cell returns the difference of two distributions, or of their means over the originals.
func (l Added) Cell(a, b, lo, hi float64) float64 {
	return positivePart(l.upTo(b, lo, hi) - l.upTo(a, lo, hi))
}

// upTo returns P(w <= b) over the originals.
func (l Added) upTo(b, lo, hi float64) float64 {
	switch {
	case math.IsInf(b, -1):
		return 0
	case math.IsInf(b, 1):
		return 1
	case hi-lo < 1e-6*l.SD(): // the difference below would have no digits left
		return l.CDF(b - (lo + (hi-lo)/2))
	}
	return (l.Mass(b-lo) - l.Mass(b-hi)) / (hi - lo)
}

// positivePart is what is left of a difference of two probabilities; what rounding leaves of equal ones is 0, so that
// the impossible stays impossible.
func positivePart(p float64) float64 {
	if p < 1e-13 {
		return 0
	}
	return p
}

// Redrawn keeps a value with probability Keep and otherwise releases one that is drawn evenly from [Low, High),
// whatever it was: a mixture (Zhu & Liu 2004).
type Redrawn struct{ Keep, Low, High float64 }

// At is Over: of a value that is kept nothing is known but its interval.
func (l Redrawn) At(w, lo, hi float64) float64 { return l.Over(w, lo, hi) }

// Over returns the density of what is drawn, and that of a value kept where w is in [lo, hi).
func (l Redrawn) Over(w, lo, hi float64) float64 {
	d := 0.0
	if w >= l.Low && w < l.High {
		d = (1 - l.Keep) / (l.High - l.Low)
	}
	if w >= lo && w < hi {
		d += l.Keep / (hi - lo)
	}
	return d
}

// Cell returns the probability of [a, b).
func (l Redrawn) Cell(a, b, lo, hi float64) float64 {
	p := (1 - l.Keep) * max(0, min(b, l.High)-max(a, l.Low)) / (l.High - l.Low)
	switch in := min(b, hi) - max(a, lo); {
	case hi <= lo && a <= lo && lo < b:
		p += l.Keep
	case hi > lo && in > 0:
		p += l.Keep * in / (hi - lo)
	}
	return p
}

// Check refuses what is no law.
func (l Redrawn) Check() error {
	if !(l.Keep >= 0 && l.Keep <= 1) {
		return errors.New("the probability of keeping a value is not a probability")
	}
	return Ascending([]float64{l.Low, l.High})
}

// Ascending refuses edges that are not.
func Ascending(edges []float64) error {
	for k, e := range edges {
		if math.IsNaN(e) || math.IsInf(e, 0) || k > 0 && e <= edges[k-1] {
			return errors.New("the edges of intervals are not ascending numbers")
		}
	}
	return nil
}

// Classes is the law of value-class membership: a value is released as the middle of its class, one of Number of the
// same Width from From on (Agrawal & Srikant 2000, section 2.1).
type Classes struct {
	From, Width float64
	Number      int
}

// Class returns the class of v, the nearest where v is outside.
func (l Classes) Class(v float64) int {
	return int(min(max(0, math.Floor((v-l.From)/l.Width)), float64(l.Number-1)))
}

// Middle returns what is released of class k.
func (l Classes) Middle(k int) float64 { return l.From + float64((float64(k)+0.5)*l.Width) }

// At is Over: of a class nothing is known but its interval.
func (l Classes) At(w, lo, hi float64) float64 { return l.Over(w, lo, hi) }

// Over returns the share of the originals that are in the class of w.
func (l Classes) Over(w, lo, hi float64) float64 { return l.share(l.Class(w), lo, hi) }

// Cell returns the share of the originals whose class is released inside [a, b).
func (l Classes) Cell(a, b, lo, hi float64) float64 {
	p := 0.0
	for k := range l.Number {
		if m := l.Middle(k); m >= a && m < b {
			p += l.share(k, lo, hi)
		}
	}
	return p
}

// share returns which share of [lo, hi) is in class k. The first and the last class hold what is beyond them too.
func (l Classes) share(k int, lo, hi float64) float64 {
	if hi <= lo {
		if l.Class(lo) == k {
			return 1
		}
		return 0
	}
	from, to := l.From+float64(float64(k)*l.Width), l.From+float64(float64(k+1)*l.Width)
	if k == 0 {
		from = math.Inf(-1)
	}
	if k == l.Number-1 {
		to = math.Inf(1)
	}
	return max(0, min(to, hi)-max(from, lo)) / (hi - lo)
}

// Check refuses what is no law.
func (l Classes) Check() error {
	if !(l.Width > 0) || l.Number < 1 || l.Number > 1<<16 || math.IsNaN(l.From) ||
		math.IsInf(l.From+float64(l.Width*float64(l.Number)), 0) {
		return errors.New("expected up to 65,536 classes of a width above 0")
	}
	return nil
}

// Clamped is a law whose values beyond Low and High are released as these.
type Clamped struct {
	Law
	Low, High float64
}

// At returns the density, and at the ends the probability of all beyond.
func (l Clamped) At(w, lo, hi float64) float64 {
	m := lo + (hi-lo)/2
	switch {
	case w <= l.Low:
		return l.Law.Cell(math.Inf(-1), l.Low, m, m)
	case w >= l.High:
		return l.Law.Cell(l.High, math.Inf(1), m, m)
	}
	return l.Law.At(w, lo, hi)
}

// Over returns the density, and at the ends the probability of all beyond.
func (l Clamped) Over(w, lo, hi float64) float64 {
	switch {
	case w <= l.Low:
		return l.Law.Cell(math.Inf(-1), l.Low, lo, hi)
	case w >= l.High:
		return l.Law.Cell(l.High, math.Inf(1), lo, hi)
	}
	return l.Law.Over(w, lo, hi)
}

// Cell returns the probability of [a, b), in which an end stands for all beyond.
func (l Clamped) Cell(a, b, lo, hi float64) float64 {
	if b <= l.Low || a > l.High {
		return 0
	}
	if a <= l.Low {
		a = math.Inf(-1)
	}
	if b > l.High {
		b = math.Inf(1)
	}
	return l.Law.Cell(a, b, lo, hi)
}

// End reports whether [a, b) holds an end.
func (l Clamped) End(a, b float64) bool {
	return a <= l.Low && l.Low < b || a <= l.High && l.High < b
}
