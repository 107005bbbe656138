package chart

import (
	"math"

	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/table"
)

// Count, Number and Percent are those of package numeral.
func Count(n float64) string              { return numfmt.Count(n) }
func Number(v, resolution float64) string { return numfmt.Number(v, resolution) }
func Percent(share float64) string        { return numfmt.Percent(share) }

// value writes a value of an attribute: a date in its notation, any other number as Number does.
func value(a *table.Attribute, v, resolution float64) string {
	if a.Dates != "" {
		return string(a.AppendValue(nil, v))
	}
	return Number(v, resolution)
}

// scale is an axis with ticks at whole multiples of a nice step.
type scale struct {
	first, last, step float64 // in multiples: ticks are first*step, ..., last*step
}

// nice returns the largest of 1, 2, 5 times a power of ten that is at most v times 1+1e-9, or the next above it when up
// is set.
func nice(v float64, up bool) float64 {
	p := math.Pow(10, math.Floor(math.Log10(v)))
	best := p
	for _, m := range []float64{1, 2, 5, 10} {
		if m*p <= v*(1+1e-9) {
			best = m * p
		} else if up && best < v*(1-1e-9) {
			return m * p
		}
	}
	return best
}

// ticks returns a scale with at most n ticks inside [lo, hi]; with none when the range is lost in the precision of its
// ends.
func ticks(lo, hi float64, n int) scale {
	none := scale{first: 1, last: 0, step: 1}
	if !(hi > lo) || math.IsInf(hi-lo, 0) {
		return none
	}
	for step := nice((hi-lo)/float64(max(n, 1)), true); step > 0 && !math.IsInf(step, 0); step = nice(step*1.5, true) {
		s := scale{math.Ceil(lo/step - 1e-9), math.Floor(hi/step + 1e-9), step}
		if math.Max(math.Abs(s.first), math.Abs(s.last)) > 1<<40 {
			return none
		}
		if s.last-s.first < float64(n) {
			return s
		}
	}
	return none
}

// label writes the tick k*step: large scales in millions or billions.
func (s scale) label(k float64) string {
	v, res, unit := k*s.step, s.step, ""
	switch big := math.Max(math.Abs(s.first), math.Abs(s.last)) * s.step; {
	case big >= 1e12 || s.step < 1e-6:
		return Number(v, 0)
	case big >= 1e9:
		v, res, unit = v/1e9, res/1e9, " bn"
	case big >= 1e6:
		v, res, unit = v/1e6, res/1e6, " m"
	}
	if k == 0 {
		return "0"
	}
	return Number(v, res) + unit
}
