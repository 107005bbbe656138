package chart

import (
	"cmp"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/message"
)

// Shift is one correlation before and after.
type Shift struct {
	A, B               string // the two attributes
	Original, Released float64
}

// Shifts returns the pairs whose correlations differ most, at most so many, the most first; of equals the first in the
// order of the names. Pairs that are not defined on both sides, and those whose change is none of the two decimals that
// are written, are none. Cost: O(m^2 log m) for m attributes.
func (c Correlations) Shifts(most int) []Shift {
	var out []Shift
	for i := range c.Names {
		for j := range i {
			if a, b := c.Original[i][j], c.Released[i][j]; told(a, b) {
				out = append(out, Shift{c.Names[j], c.Names[i], a, b})
			}
		}
	}
	slices.SortStableFunc(out, func(p, q Shift) int {
		return cmp.Compare(math.Abs(q.Original-q.Released), math.Abs(p.Original-p.Released))
	})
	return out[:min(most, len(out))]
}

// LeastShift is the change of a correlation from which on it is told: less is 0 with two decimals.
const LeastShift = 0.005

// told reports whether a correlation changed by so much that two decimals show it; one that is not defined on both
// sides did not.
func told(original, released float64) bool {
	return math.Abs(original-released) >= LeastShift && coefficient(original) != coefficient(released)
}

// The list of shifts, in pixels.
const (
	shiftWidth   = 700.0
	shiftName    = 150.0
	shiftPitch   = 22.0
	shiftFigures = 100.0
)

// DrawShifts draws correlations that changed, a line each on one scale from -1 to 1: a grey mark where it was, a dot in
// colour where it is. Cost: O(shifts).
func DrawShifts(id string, shifts []Shift) template.HTML {
	var c canvas
	const x0, x1 = 2*shiftName + 26, shiftWidth - shiftFigures
	at := func(r float64) float64 { return x0 + (math.Max(-1, math.Min(1, r))+1)/2*(x1-x0) }
	bottom := float64(len(shifts))*shiftPitch + 6
	var grid strings.Builder
	for _, r := range []float64{-1, -0.5, 0, 0.5, 1} {
		line(&grid, at(r), 0, at(r), bottom)
		c.text(at(r), bottom+14, faceTick, middle, strings.Replace(strconv.FormatFloat(r, 'f', -1, 64), "-", "−", 1), "")
	}
	c.path(grid.String(), "grid")
	var names []string
	for _, s := range shifts {
		names = append(names, s.A, s.B)
	}
	for k, s := range shifts {
		y := (float64(k)+0.5)*shiftPitch + 3
		c.fitted(shiftName, y+4, faceLabel, right, s.A, shiftName, names)
		c.text(shiftName+7, y+4, faceTick, middle, "·", "")
		c.fitted(shiftName+14, y+4, faceLabel, left, s.B, shiftName, names)
		var from strings.Builder
		line(&from, at(s.Original), y, at(s.Released), y)
		c.path(from.String(), "join")
		c.rect(at(s.Original)-2.5, y-6, 5, 12, "before", "")
		c.raw(`<circle cx="`, px(at(s.Released)), `" cy="`, px(y), `" r="4.5" class="bar"/>`)
		c.raw(`<text x="`, px(shiftWidth-2), `" y="`, px(y+4), `" class="k" text-anchor="end">`, coefficient(s.Original),
			` → <tspan class="r">`, coefficient(s.Released), `</tspan></text>`)
		c.rect(
			0,
			y-shiftPitch/2,
			shiftWidth,
			shiftPitch,
			"hit",
			message.Say("chart.shift").Name("a", s.A).Name("b", s.B).Text("before", coefficient(s.Original)).
				Text("after", coefficient(s.Released)).String(),
		)
	}
	desc := message.Say("chart.shifts").Count("n", len(shifts))
	if len(shifts) > 0 {
		s := shifts[0]
		desc = message.After(desc, message.Say("chart.firstShift").Name("a", s.A).Name("b", s.B).
			Text("before", coefficient(s.Original)).Text("after", coefficient(s.Released)))
	}
	return c.svg(id, "shifts", message.Say("chart.shiftsTitle").String(), desc.String(), shiftWidth, bottom+20)
}
