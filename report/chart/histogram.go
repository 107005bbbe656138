package chart

import (
	"html/template"
	"math"
	"strings"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// The size of a small multiple, in pixels.
const (
	smallWidth  = 340.0
	histHeight  = 156.0
	plotLeft    = 36.0
	plotRight   = smallWidth - 6
	plotTop     = 16.0
	plotBottom  = histHeight - 22
	mostClasses = 50 // values of a grid that get a class each
	// classes are made wider, down to fewClasses, while a larger share than rare of the values is in those not drawn
	fewClasses, rare = 5, 0.1
)

// classes are the equal classes of a histogram: class k holds [lo+k*width, lo+(k+1)*width).
type classes struct {
	lo, width float64
	n         int
	single    bool // each class is one value of the grid
}

// classesOf chooses classes for the finite values of both columns; n is 0 when there are none or their range is not
// finite. A grid of up to 50 values gets a class for each; otherwise the width is a nice number and a multiple of the
// grid's step.
func classesOf(step float64, cols ...[]float64) classes {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, col := range cols {
		for _, v := range col {
			if !math.IsInf(v, 0) {
				if v < lo {
					lo = v
				}
				if v > hi {
					hi = v
				}
			}
		}
	}
	span := hi - lo
	if lo > hi || math.IsInf(span, 0) {
		return classes{}
	}
	if span == 0 {
		w := math.Max(step, math.Abs(lo)*1e-6)
		if w == 0 {
			w = 1
		}
		return classes{lo: lo - 2.5*w, width: w, n: 5, single: true}
	}
	if points := span/step + 1; step > 0 && points <= mostClasses {
		return classes{lo: lo - step/2, width: step, n: int(math.Round(points)), single: true}
	}
	w := nice(span/30, true)
	if step > 0 {
		w = math.Max(1, nice(span/30/step, true)) * step
	}
	start := math.Floor(lo/w)*w - step/2
	n := int((hi-start)/w) + 1
	if n < 1 || n > 4*mostClasses { // the span is below the precision of the values
		return classes{lo: lo, width: span / 30, n: 30}
	}
	return classes{lo: start, width: w, n: n}
}

// at returns the class of a finite value.
func (c classes) at(v float64) int { return min(max(int((v-c.lo)/c.width), 0), c.n-1) }

// shares returns the share of the values in each class. Infinite ones count, and are in none.
func (c classes) shares(col []float64) []float64 {
	out := make([]float64, c.n)
	total := 0.0
	for _, v := range col {
		if math.IsNaN(v) {
			continue
		}
		if total++; c.n > 0 && !math.IsInf(v, 0) {
			out[c.at(v)]++
		}
	}
	for k := range out {
		out[k] /= math.Max(total, 1)
	}
	return out
}

// name writes the values of an attribute that a class holds.
func (c classes) name(k int, a *table.Attribute) string {
	lo, step := c.lo+float64(k)*c.width, a.Step
	if c.single {
		return value(a, lo+c.width/2, step)
	}
	if step > 0 {
		return value(a, lo+step/2, step) + " to " + value(a, lo+c.width-step/2, step)
	}
	return value(a, lo, c.width/10) + " to " + value(a, lo+c.width, c.width/10)
}

// Histogram draws a numeric attribute before and after over the same classes: the original as a grey area, the release
// as a line. With original nil it draws the release alone. Shares are those of the values that are not missing. Cost:
// O(n).
func Histogram(id string, a *table.Attribute, original, released []float64) template.HTML {
	h := histogram{attr: a, classes: classesOf(a.Step, original, released), alone: original == nil}
	h.before, h.after = h.shares(original), h.shares(released)
	return h.picture(id)
}

// Crowds draws the release alone as Histogram does, but no class that fewer than least of its records hold. Classes are
// as wide as it takes for these to be few. They still count.
func Crowds(id string, a *table.Attribute, released []float64, least int) template.HTML {
	h := histogram{attr: a, classes: classesOf(a.Step, released), alone: true}
	known := 0
	for _, v := range released {
		if v == v {
			known++
		}
	}
	h.under = float64(least) / max(float64(known), 1)
	for {
		h.before, h.after = h.shares(nil), h.shares(released)
		if h.hide() <= rare || h.n <= fewClasses {
			return h.picture(id)
		}
		h.width, h.n, h.single = 2*h.width, (h.n+1)/2, false
	}
}

// hide empties the classes of too small a share, and returns the part that these are of what is in any class.
func (h *histogram) hide() float64 {
	hidden, all := 0.0, 0.0
	for k, s := range h.after {
		if all += s; s < h.under*(1-1e-9) {
			hidden += s
			h.after[k] = 0
		}
	}
	return hidden / max(all, 1e-9)
}

// picture draws the classes and their shares.
func (h *histogram) picture(id string) template.HTML {
	title := message.Say("chart.distribution").Name("column", h.attr.Name).String()
	if h.n == 0 {
		return empty(id, title)
	}
	h.limit()
	h.axes()
	h.draw()
	desc := h.classed()
	if !h.alone {
		desc = message.After(desc, message.Say("chart.areaAndLine"))
	}
	return h.svg(id, "small", title, desc.String(), smallWidth, histHeight)
}

// classed says which classes there are.
func (h *histogram) classed() message.Sentence {
	return message.Say("chart.histogram").Count("n", h.n).Text("low", h.name(0, h.attr)).
		Text("high", h.name(h.n-1, h.attr))
}

type histogram struct {
	canvas
	classes
	attr          *table.Attribute
	alone         bool
	before, after []float64
	under         float64 // smaller shares are not drawn; 0 where all are
	top           float64 // share at the upper end of the scale
	cut           int     // class that rises above the scale; -1 when none does
}

// limit sets the scale: up to the highest class, unless that one alone towers over the others, which would flatten
// them. It is then cut off and labelled.
func (h *histogram) limit() {
	first, second := 0.0, 0.0
	h.cut = -1
	for k := range h.n {
		switch v := math.Max(h.before[k], h.after[k]); {
		case v > first:
			first, second, h.cut = v, first, k
		case v > second:
			second = v
		}
	}
	if second == 0 || first < 4*second {
		h.cut, second = -1, first
	} else {
		second *= 1.25
	}
	h.top = math.Max(second*1.04, 1e-9)
}

func (h *histogram) x(k int) float64 {
	return plotLeft + float64(k)/float64(h.n)*(plotRight-plotLeft)
}

func (h *histogram) y(share float64) float64 {
	return plotBottom - math.Min(share/h.top, 1)*(plotBottom-plotTop)
}

func (h *histogram) axes() {
	h.levels(h.top*100, " %", func(v float64) float64 { return h.y(v / 100) })
	lo, hi := h.lo, h.lo+float64(h.n)*h.width
	most := numbers(lo, hi, h.attr.Step, scale.label)
	if h.attr.Dates != "" {
		most = func(n int) []tick { return dates(h.attr, lo, hi, n) }
	}
	h.ticksBelow(most, func(v float64) float64 { return plotLeft + (v-lo)/(hi-lo)*(plotRight-plotLeft) })
}

func (h *histogram) draw() {
	var area, steps, base strings.Builder
	gap := 1.0
	if h.n > 60 {
		gap = 0
	}
	for k := range h.n {
		x, w := h.x(k), h.x(k+1)-h.x(k)
		if y := h.y(h.before[k]); h.before[k] > 0 {
			box(&area, x+gap/2, y, w-gap, plotBottom-y)
		}
		if k == 0 {
			steps.WriteString("M" + px(x) + " " + px(plotBottom))
		}
		steps.WriteString("V" + px(h.y(h.after[k])) + "H" + px(x+w))
	}
	steps.WriteString("V" + px(plotBottom))
	h.path(area.String(), "before")
	if h.alone {
		h.path(steps.String()+"z", "tint")
	}
	h.path(steps.String(), "after")
	line(&base, plotLeft, plotBottom, plotRight, plotBottom)
	h.path(base.String(), "axis")
	h.label()
	for k := range h.n {
		h.rect(h.x(k), plotTop, h.x(k+1)-h.x(k), plotBottom-plotTop, "hit", h.name(k, h.attr)+": "+h.figures(k))
	}
}

// label says how high the class that was cut off really is.
func (h *histogram) label() {
	if h.cut < 0 {
		return
	}
	var gap strings.Builder
	mid := (h.x(h.cut) + h.x(h.cut+1)) / 2
	w := math.Max(h.x(h.cut+1)-h.x(h.cut), 8) + 4
	line(&gap, mid-w/2, plotTop+10, mid+w/2, plotTop+5)
	h.path(gap.String(), "gap")
	s := h.name(h.cut, h.attr) + ": "
	if !h.alone {
		s += Percent(h.before[h.cut]) + " → "
	}
	s += Percent(h.after[h.cut])
	half := faceTick.width(s) / 2
	h.text(math.Min(math.Max(mid, plotLeft+half), plotRight-half), plotTop-5, faceTick, middle, s, "")
}

func (h *histogram) figures(k int) string {
	switch {
	case h.after[k] == 0 && h.under > 0:
		return message.Say("chart.under").Share("share", h.under).String()
	case h.alone:
		return Percent(h.after[k])
	}
	return message.Say("chart.figures").Share("before", h.before[k]).Share("after", h.after[k]).String()
}

// empty draws the place of a chart that has no values.
func empty(id, title string) template.HTML {
	var c canvas
	nothing := message.Say("chart.empty").String()
	c.text(smallWidth/2, 34, faceTick, middle, nothing, "")
	return c.svg(id, "small", title, nothing, smallWidth, 56)
}
