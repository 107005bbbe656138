package chart

import (
	"math"
	"strings"
)

// levels draws the lines of a vertical scale from 0 to top across a small multiple and labels them; the unit follows the uppermost label.
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

// ticksBelow labels the horizontal axis of a small multiple with as many nice numbers, at least a step apart, as stand free of each other.
func (c *canvas) ticksBelow(lo, hi, step float64, label func(s scale, k float64) string, at func(float64) float64) {
	s := spaced(lo, hi, 7, step, 10, func(s scale, k float64) (x, w float64) {
		w = faceTick.width(label(s, k))
		return inside(at(k*s.step), w), w
	})
	var marks strings.Builder
	for k := s.first; k <= s.last; k++ {
		x := at(k * s.step)
		line(&marks, x, plotBottom, x, plotBottom+4)
		c.text(inside(x, faceTick.width(label(s, k))), plotBottom+16, faceTick, middle, label(s, k), "")
	}
	c.path(marks.String(), "axis")
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

// spaced returns the scale from lo to hi with the most ticks, at most n and at least a step apart, whose labels have a gap between them; a
// single tick needs neither. The function places a label: its middle and its width.
func spaced(lo, hi float64, n int, step, gap float64, place func(s scale, k float64) (x, w float64)) scale {
	for ; ; n-- {
		s := ticks(lo, hi, n)
		free, end := s.step >= step, math.Inf(-1)
		for k := s.first; free && k <= s.last; k++ {
			x, w := place(s, k)
			free, end = x-w/2 > end+gap, x+w/2
		}
		if free || n == 1 {
			return s
		}
	}
}

// inside moves the middle of a label so that it stays on the drawing.
func inside(x, w float64) float64 {
	return math.Min(math.Max(x, w/2+1), smallWidth-w/2-1)
}
