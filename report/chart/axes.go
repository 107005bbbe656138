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

// ticksBelow labels the horizontal axis of a small multiple with as many nice numbers, at least a step apart, as stand free of each other. The
// unit follows the last one.
func (c *canvas) ticksBelow(lo, hi, step float64, unit string, at func(float64) float64) {
	var marks strings.Builder
	for n := 7; n > 0; n-- {
		s := ticks(lo, hi, n)
		if s.step < step && n > 1 {
			continue // between two values of the grid
		}
		label := func(k float64) string {
			if k == s.last {
				return s.label(k) + unit
			}
			return s.label(k)
		}
		free, end := true, math.Inf(-1)
		for k := s.first; k <= s.last; k++ {
			w := faceTick.width(label(k))
			x := inside(at(k*s.step), w)
			free = free && x-w/2 > end+10
			end = x + w/2
		}
		if !free && n > 1 {
			continue
		}
		for k := s.first; k <= s.last; k++ {
			x := at(k * s.step)
			line(&marks, x, plotBottom, x, plotBottom+4)
			c.text(inside(x, faceTick.width(label(k))), plotBottom+16, faceTick, middle, label(k), "")
		}
		break
	}
	c.path(marks.String(), "axis")
}

// inside moves the middle of a label so that it stays on the drawing.
func inside(x, w float64) float64 {
	return math.Min(math.Max(x, w/2+1), smallWidth-w/2-1)
}
