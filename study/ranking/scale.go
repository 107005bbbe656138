package ranking

import (
	"math"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study"
)

// negligible is the share of a measure's range below which a difference is not called one.
const negligible = 0.01

// coarse is the share of a measure's range above which half an interval is too wide to call two settings alike.
const coarse = 0.1

// Scale is a measure of a comparison with the scale its figures are judged on.
type Scale struct {
	*study.Criterion
	Index   int     // in Comparison.Measures
	Factor  float64 // from the score to the figure: 100 for a share, which is judged in per cent
	Lo, Hi  float64 // possible figures; infinite when unbounded
	Largest float64 // of the mean figures, in absolute value
	Margin  float64 // differences up to it do not count
}

func newScale(c *study.Comparison, k int) Scale {
	m := &c.Measures[k]
	s := Scale{Criterion: m, Index: k, Factor: m.Unit.Scale()}
	s.Lo, s.Hi = float64(m.Range.Lo*s.Factor), float64(m.Range.Hi*s.Factor)
	if !(s.Hi > s.Lo) {
		s.Lo, s.Hi = math.Inf(-1), math.Inf(1)
	}
	for _, sum := range c.Summaries {
		if v := math.Abs(sum.Mean * s.Factor); sum.Measure == k && sum.Part == "" && v > s.Largest && !math.IsInf(v, 0) {
			s.Largest = v
		}
	}
	s.Margin = float64(negligible * s.Largest)
	if !math.IsInf(s.Hi-s.Lo, 0) {
		s.Margin = float64(negligible * (s.Hi - s.Lo))
	}
	return s
}

// Axis is the side of a map that has this scale.
func (s *Scale) Axis() Axis { return Axis{s.Higher(), s.Margin, s.Margin * coarse / negligible} }

// Higher reports whether higher figures are better.
func (s *Scale) Higher() bool { return s.Criterion.Better == measure.Higher }

// Clearly reports whether a is clearly better than b.
func (s *Scale) Clearly(a, b Estimate) bool { return s.Axis().Clearly(a, b) }

// Beats reports whether the figure a is better than b.
func (s *Scale) Beats(a, b float64) bool {
	if s.Higher() {
		return a > b
	}
	return a < b
}

// Relation says how a setting stands to another in a measure.
type Relation int

// Level is what cannot be told apart by intervals narrow enough to say so; NotTold is what has no value, or intervals
// too wide to tell.
const (
	NotTold Relation = iota
	Behind
	Level
	Ahead
)

// Relate says how a stands to b.
func (s *Scale) Relate(a, b Estimate) Relation {
	switch {
	case !a.Known() || !b.Known():
		return NotTold
	case s.Clearly(a, b):
		return Ahead
	case s.Clearly(b, a):
		return Behind
	case s.Axis().wide(a) || s.Axis().wide(b):
		return NotTold
	}
	return Level
}
