package chart

import (
	"math"
	"strconv"
	"strings"
)

// Count writes a number of things with thousands separators: 30,162. A fraction, as weighted records have, keeps one decimal.
func Count(n float64) string {
	if math.IsNaN(n) {
		return "not known"
	}
	if r := math.Round(n); math.Abs(n-r) < 0.05 {
		return group(strconv.FormatFloat(r, 'f', 0, 64), 4)
	}
	return group(strconv.FormatFloat(n, 'f', 1, 64), 4)
}

// Number writes a value in the fewest digits that tell it from its neighbours on a scale of the given resolution: Number(0.1+0.2,
// 0.01) is 0.3. A value that would vanish keeps its digits. Resolution 0 takes seven significant digits. From 10,000 on it separates thousands.
func Number(v, resolution float64) string {
	switch {
	case math.IsNaN(v):
		return "missing"
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "−∞"
	}
	var s string
	if resolution > 0 && resolution >= math.Abs(v)*1e-12 {
		s = strconv.FormatFloat(v, 'f', decimals(resolution), 64)
	} else {
		s = strconv.FormatFloat(v, 'g', 7, 64)
		if f, err := strconv.ParseFloat(s, 64); err == nil && math.Abs(f) < 1e9 && (math.Abs(f) >= 1e-4 || f == 0) {
			s = strconv.FormatFloat(f, 'f', -1, 64)
		}
	}
	if len(s) > 13 || v != 0 && strings.Trim(s, "-0.") == "" {
		s = strconv.FormatFloat(v, 'g', 4, 64)
	}
	if strings.Contains(s, ".") && !strings.Contains(s, "e") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return group(s, 5)
}

// decimals returns how many decimals show multiples of step.
func decimals(step float64) int {
	d := 0
	for ; d < 12 && math.Abs(step-math.Round(step)) > 1e-6*step; d++ {
		step *= 10
	}
	return d
}

// group puts commas between thousands when the whole part has at least from digits, writes a true minus sign and never -0.
func group(s string, from int) string {
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	whole, rest := s, ""
	if k := strings.IndexAny(s, ".e"); k >= 0 {
		whole, rest = s[:k], s[k:]
	}
	if len(whole) >= from {
		for k := len(whole) - 3; k > 0; k -= 3 {
			whole = whole[:k] + "," + whole[k:]
		}
	}
	if s = whole + rest; neg && strings.Trim(s, "0.") != "" {
		return "−" + s
	}
	return s
}

// Percent writes a share in [0, 1] in per cent with one decimal. Only exact shares come out as 0 and as 100: what would be rounded
// to them is written as under 0.1 and over 99.9.
func Percent(share float64) string {
	if math.IsNaN(share) || math.IsInf(share, 0) {
		return "not known"
	}
	switch v := math.Round(share*1000) / 10; {
	case v == 0 && share > 0:
		return "under 0.1 %"
	case v >= 100 && share < 1:
		return "over 99.9 %"
	default:
		return figure(v) + " %"
	}
}

// figure writes a number with at most one decimal.
func figure(v float64) string {
	return group(strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0"), 5)
}

// scale is an axis with ticks at whole multiples of a nice step.
type scale struct {
	first, last, step float64 // in multiples: ticks are first*step, ..., last*step
}

// nice returns the largest of 1, 2, 5 times a power of ten that is at most v times 1+1e-9, or the next above it when up is set.
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

// ticks returns a scale with at most n ticks inside [lo, hi]; with none when the range is lost in the precision of its ends.
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
