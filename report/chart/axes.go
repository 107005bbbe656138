package chart

import (
	"math"
	"strings"
)

// levels draws the lines of a vertical scale from 0 to top across a small multiple and labels them; the unit follows
// the uppermost label.
func (c *canvas) levels(top float64, unit string, y func(float64) float64) {
	var grid strings.Builder
	s := ticks(0, top, 5)
	for k := s.first; k <= s.last; k++ {
		at := y(k * s.step)
		if k > 0 {
			line(&grid, plotLeft, at, plotRight, at)
		}
		label := s.label(k)
		if k == s.last {
			label += unit
		}
		if w := faceTick.width(label); w > plotLeft-5 {
			c.text(0, at-4, faceTick, left, label, "") // it stands on its line
			continue
		}
		c.text(plotLeft-5, at+3.6, faceTick, right, label, "")
	}
	c.path(grid.String(), "grid")
}

// tick is a place on a scale with its label.
type tick struct {
	at    float64
	label string
}

// ticksBelow labels the horizontal axis of a small multiple with as many ticks as stand free of each other. The
// function makes at most so many.
func (c *canvas) ticksBelow(most func(n int) []tick, at func(float64) float64) {
	var marks strings.Builder
	for _, t := range spaced(7, 10, most, func(v, w float64) float64 { return inside(at(v), w) }) {
		x := at(t.at)
		line(&marks, x, plotBottom, x, plotBottom+4)
		c.text(inside(x, faceTick.width(t.label)), plotBottom+16, faceTick, middle, t.label, "")
	}
	c.path(marks.String(), "axis")
}

// numbers makes ticks at nice numbers from lo to hi, at least a step apart unless there is one.
func numbers(lo, hi, step float64, label func(s scale, k float64) string) func(n int) []tick {
	return func(n int) []tick {
		s := ticks(lo, hi, n)
		for s.step < step && n > 1 {
			n--
			s = ticks(lo, hi, n)
		}
		var out []tick
		for k := s.first; k <= s.last; k++ {
			out = append(out, tick{k * s.step, label(s, k)})
		}
		return out
	}
}

// withUnit labels ticks with a unit behind the last one.
func withUnit(unit string) func(s scale, k float64) string {
	return func(s scale, k float64) string {
		if k == s.last {
			return s.label(k) + unit
		}
		return s.label(k)
	}
}

// spaced returns the most ticks, of at most n, whose labels have a gap between them; a single one needs none. The
// function middle tells where that of a label of some width is.
func spaced(n int, gap float64, most func(n int) []tick, middle func(at, width float64) float64) []tick {
	for ; ; n-- {
		some := most(n)
		free, end := true, math.Inf(-1)
		for _, t := range some {
			w := faceTick.width(t.label)
			x := middle(t.at, w)
			free, end = free && x-w/2 > end+gap, x+w/2
		}
		if free || n == 1 {
			return some
		}
	}
}

// inside moves the middle of a label so that it stays on the drawing.
func inside(x, w float64) float64 { return math.Min(math.Max(x, w/2+1), smallWidth-w/2-1) }
