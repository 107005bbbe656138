package noiselaw

import (
	"errors"
	"math"
	"slices"
)

// Law is the law of a released number w given the original x.
type Law interface {
	// At returns the density at w of what is released of the midpoint of [lo, hi) (Agrawal & Srikant 2000). Where values of some probability are
	// released, such as an end that others are brought to, it is their probability: kernels are compared at one w only.
	At(w, lo, hi float64) float64
	// Over returns the mean density at w over originals spread evenly over [lo, hi) (Agrawal & Aggarwal 2001).
	Over(w, lo, hi float64) float64
	// Cell returns the probability that a value from [a, b) is released of originals spread evenly over [lo, hi), or of lo where hi is not above it.
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

// positivePart is what is left of a difference of two probabilities; what rounding leaves of equal ones is 0, so that the impossible stays impossible.
func positivePart(p float64) float64 {
	if p < 1e-13 {
		return 0
	}
	return p
}

// Redrawn keeps a value with probability Keep and otherwise draws one from a histogram, whatever it was: a mixture (Zhu & Liu 2004).
type Redrawn struct {
	Keep   float64
	Edges  []float64 // ascending
	Shares []float64 // of the intervals between them, summing to 1
}

// At is Over: of a value that is kept nothing is known but its interval.
func (l *Redrawn) At(w, lo, hi float64) float64 { return l.Over(w, lo, hi) }

// Over returns the density of the histogram, and that of a value kept where w is in [lo, hi).
func (l *Redrawn) Over(w, lo, hi float64) float64 {
	d := (1 - l.Keep) * l.density(w)
	if w >= lo && w < hi {
		d += l.Keep / (hi - lo)
	}
	return d
}

// Cell returns the probability of [a, b).
func (l *Redrawn) Cell(a, b, lo, hi float64) float64 {
	p := (1 - l.Keep) * (l.cdf(b) - l.cdf(a))
	switch in := min(b, hi) - max(a, lo); {
	case hi <= lo && a <= lo && lo < b:
		p += l.Keep
	case hi > lo && in > 0:
		p += l.Keep * in / (hi - lo)
	}
	return p
}

// interval returns the interval of v; -1 outside.
func (l *Redrawn) interval(v float64) int {
	k, found := slices.BinarySearch(l.Edges, v)
	if !found {
		k--
	}
	if k >= len(l.Shares) {
		return -1
	}
	return k
}

func (l *Redrawn) density(v float64) float64 {
	k := l.interval(v)
	if k < 0 {
		return 0
	}
	return l.Shares[k] / (l.Edges[k+1] - l.Edges[k])
}

func (l *Redrawn) cdf(v float64) float64 {
	sum := 0.0
	for k, s := range l.Shares {
		if v < l.Edges[k+1] {
			return sum + s*max(0, (v-l.Edges[k])/(l.Edges[k+1]-l.Edges[k]))
		}
		sum += s
	}
	return 1
}

// Quantile returns the value of the histogram that a share u of it is below, for drawing.
func (l *Redrawn) Quantile(u float64) float64 {
	for k, s := range l.Shares {
		if u < s || k == len(l.Shares)-1 {
			return l.Edges[k] + min(1, u/s)*(l.Edges[k+1]-l.Edges[k])
		}
		u -= s
	}
	return math.NaN()
}

// Check refuses what is no law.
func (l *Redrawn) Check() error {
	sum := 0.0
	for _, s := range l.Shares {
		if !(s >= 0) {
			return errors.New("a share of the histogram is negative or not a number")
		}
		sum += s
	}
	switch {
	case !(l.Keep >= 0 && l.Keep <= 1):
		return errors.New("the probability of keeping a value is none")
	case len(l.Shares) == 0 || len(l.Edges) != len(l.Shares)+1 || math.Abs(sum-1) > 1e-6:
		return errors.New("the histogram needs an edge more than it has shares, and these sum to 1")
	}
	return Ascending(l.Edges)
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

// Classes is the law of value-class membership: of a value its interval is released, as the interval's midpoint (Agrawal & Srikant 2000, section 2.1).
type Classes struct{ Edges []float64 }

// Class returns the interval of v, the nearest where v is outside.
func (l Classes) Class(v float64) int {
	k, found := slices.BinarySearch(l.Edges, v)
	if !found {
		k--
	}
	return min(max(0, k), len(l.Edges)-2)
}

// Middle returns what is released of class k.
func (l Classes) Middle(k int) float64 { return l.Edges[k] + (l.Edges[k+1]-l.Edges[k])/2 }

// At is Over: of a class nothing is known but its interval.
func (l Classes) At(w, lo, hi float64) float64 { return l.Over(w, lo, hi) }

// Over returns the share of the originals that are in the class of w.
func (l Classes) Over(w, lo, hi float64) float64 {
	k := l.Class(w)
	return l.share(k, lo, hi)
}

// Cell returns the share of the originals whose class is released inside [a, b).
func (l Classes) Cell(a, b, lo, hi float64) float64 {
	p := 0.0
	for k := range len(l.Edges) - 1 {
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
	from, to := l.Edges[k], l.Edges[k+1]
	if k == 0 {
		from = math.Inf(-1)
	}
	if k == len(l.Edges)-2 {
		to = math.Inf(1)
	}
	return max(0, min(to, hi)-max(from, lo)) / (hi - lo)
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
