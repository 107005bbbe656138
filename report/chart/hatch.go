package chart

import (
	"math"
	"strconv"
	"strings"
)

// class draws a part of a class bar: in the colour of the class, and in its pattern, so that classes are told apart
// without colour. The heaviest class and the sum of those without a colour of their own are plain, one dark and one
// pale.
func (c *canvas) class(x, y, w, h float64, k int) {
	c.rect(x, y, w, h, "c"+strconv.Itoa(k), "")
	var d strings.Builder
	switch k {
	case 1:
		slanted(&d, x, y, w, h, 5, false)
	case 2:
		for at := x + 2; at < x+w; at += 4 {
			line(&d, at, y, at, y+h)
		}
	case 3:
		for at := y + h/4; at < y+h; at += h / 2 {
			line(&d, x, at, x+w, at)
		}
	case 4:
		slanted(&d, x, y, w, h, 5, true)
	}
	c.path(d.String(), "hatch")
}

// slanted fills a box with parallels at 45 degrees that stand so far apart, falling or rising to the right.
func slanted(d *strings.Builder, x, y, w, h, apart float64, falling bool) {
	for from := -h + apart/2; from < w; from += apart { // the parallel runs over the height of the box from here to from+h
		lo, hi := math.Max(from, 0), math.Min(from+h, w)
		if lo >= hi {
			continue
		}
		at := func(along float64) float64 {
			if falling {
				return y + along - from
			}
			return y + h - (along - from)
		}
		line(d, x+lo, at(lo), x+hi, at(hi))
	}
}
