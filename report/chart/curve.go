package chart

import (
	"html/template"
	"math"
	"strings"

	"github.com/dither-data/dither/message"
)

// Curve is a figure that grows or falls along a scale: that of the original as a grey area, that of the release as a
// line.
type Curve struct {
	Title    string    // for screen readers
	X        []float64 // ascending
	Original []float64 // heights over X, at least 0; nil draws the release alone
	Released []float64
	Names    []string // of the points, for their tooltips; a point without one has none
	Step     float64  // least distance of two ticks below; 0 for any
	Unit     string   // of the heights, after the uppermost tick: bits
	UnitX    string   // after the last tick below: %
	Marks    []Mark
	Scale    float64 // height that the scale reaches at least; 0 for that of the highest point
}

// Mark is a height to compare with, a dashed line across a curve.
type Mark struct {
	Y     float64
	Label string
	Under bool // the points of the release below it are filled
}

type curve struct {
	canvas
	Curve
	top float64
}

// Draw draws the curve as a small multiple. The id must be unique in the page. Values that are not finite are left out.
// Cost: O(points).
func (g Curve) Draw(id string) template.HTML {
	c := curve{Curve: g.finite(), top: g.Scale}
	if len(c.X) == 0 {
		return empty(id, g.Title)
	}
	for _, vs := range [][]float64{c.Original, c.Released, c.heights()} {
		for _, v := range vs {
			c.top = math.Max(c.top, v)
		}
	}
	c.top = math.Max(c.top*1.04, 1e-9)
	lo, hi := c.ends()
	c.levels(c.top, c.Unit, c.y)
	c.ticksBelow(numbers(lo, hi, c.Step, withUnit(c.UnitX)), c.x)
	c.draw()
	return c.svg(id, "small", g.Title, c.describe(), smallWidth, histHeight)
}

// finite returns the curve without the points that cannot be drawn.
func (g Curve) finite() Curve {
	ok := func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
	out := g
	out.X, out.Released, out.Original, out.Names, out.Marks = nil, nil, nil, nil, nil
	for k, x := range g.X {
		if !ok(x) || !ok(g.Released[k]) || g.Original != nil && !ok(g.Original[k]) {
			continue
		}
		out.X, out.Released = append(out.X, x), append(out.Released, g.Released[k])
		if g.Original != nil {
			out.Original = append(out.Original, g.Original[k])
		}
		name := ""
		if k < len(g.Names) {
			name = g.Names[k]
		}
		out.Names = append(out.Names, name)
	}
	for _, m := range g.Marks {
		if ok(m.Y) && m.Y >= 0 {
			out.Marks = append(out.Marks, m)
		}
	}
	return out
}

func (c *curve) heights() []float64 {
	var out []float64
	for _, m := range c.Marks {
		out = append(out, m.Y)
	}
	return out
}

// ends returns the ends of the horizontal scale; a single point stands in the middle of one.
func (c *curve) ends() (lo, hi float64) {
	lo, hi = c.X[0], c.X[len(c.X)-1]
	if lo == hi {
		return lo - 1, hi + 1
	}
	return lo, hi
}

func (c *curve) x(v float64) float64 {
	lo, hi := c.ends()
	return plotLeft + (v-lo)/(hi-lo)*(plotRight-plotLeft)
}

func (c *curve) y(v float64) float64 { return plotBottom - v/c.top*(plotBottom-plotTop) }

// few is up to how many points each gets a dot.
const few = 40

func (c *curve) draw() {
	over := c.line(c.Released)
	if c.Original != nil {
		c.path(c.closed(c.line(c.Original)), "before")
	} else {
		c.path(c.closed(over), "tint")
	}
	for _, m := range c.Marks {
		if m.Under {
			c.path(c.under(m.Y), "worst")
		}
	}
	c.path(over, "after")
	if len(c.X) <= few {
		for k, x := range c.X {
			c.raw(`<circle cx="`, px(c.x(x)), `" cy="`, px(c.y(c.Released[k])), `" r="2.6" class="bar"/>`)
		}
	}
	var base strings.Builder
	line(&base, plotLeft, plotBottom, plotRight, plotBottom)
	c.path(base.String(), "axis")
	c.marks()
	c.tips()
}

// line returns the path through the points.
func (c *curve) line(heights []float64) string {
	var d strings.Builder
	for k, x := range c.X {
		letter := "L"
		if k == 0 {
			letter = "M"
		}
		d.WriteString(letter + px(c.x(x)) + " " + px(c.y(heights[k])))
	}
	return d.String()
}

// closed returns the area below a path that line has made.
func (c *curve) closed(d string) string {
	return d + "L" + px(c.x(c.X[len(c.X)-1])) + " " + px(plotBottom) + "H" + px(c.x(c.X[0])) + "z"
}

// under returns the area below the release where it lies below the height y.
func (c *curve) under(y float64) string {
	var d strings.Builder
	for k := 1; k < len(c.X); k++ {
		x0, x1, a, b := c.X[k-1], c.X[k], c.Released[k-1], c.Released[k]
		if a >= y && b >= y {
			continue
		}
		if a >= y || b >= y { // it crosses the height in between
			at := x0 + (y-a)/(b-a)*(x1-x0)
			if a >= y {
				x0, a = at, y
			} else {
				x1, b = at, y
			}
		}
		d.WriteString("M" + px(c.x(x0)) + " " + px(plotBottom) + "V" + px(c.y(a)) +
			"L" + px(c.x(x1)) + " " + px(c.y(b)) + "V" + px(plotBottom) + "z")
	}
	return d.String()
}

// marks draws the heights to compare with. A label stands above its line, at the end where the curve runs higher,
// unless it would run into another label.
func (c *curve) marks() {
	var d strings.Builder
	var taken []region
	for _, m := range c.Marks {
		y := c.y(m.Y)
		line(&d, plotLeft, y, plotRight, y)
		label, _ := faceRef.fit(m.Label, plotRight-plotLeft-8)
		w, at, end := faceRef.width(label), plotRight-4, right
		box := region{at - w, y - 14, at, y - 2}
		if c.Released[0] > c.Released[len(c.X)-1] {
			at, end = plotLeft+4, left
			box = region{at, y - 14, at + w, y - 2}
		}
		free := box.y0 >= -1
		for _, t := range taken {
			free = free && !box.meets(t)
		}
		if free && label != "" {
			taken = append(taken, box)
			c.text(at, y-4, faceRef, end, label, "")
		}
	}
	c.path(d.String(), "ref")
}

// tips lays the tooltips over the drawing, each up to the middle between its point and the next one that has a name.
func (c *curve) tips() {
	var named []int
	for k, n := range c.Names {
		if n != "" {
			named = append(named, k)
		}
	}
	for i, k := range named {
		x0, x1 := plotLeft, plotRight
		if i > 0 {
			x0 = (c.x(c.X[named[i-1]]) + c.x(c.X[k])) / 2
		}
		if i+1 < len(named) {
			x1 = (c.x(c.X[k]) + c.x(c.X[named[i+1]])) / 2
		}
		c.rect(x0, plotTop, math.Max(x1-x0, 0), plotBottom-plotTop, "hit", c.Names[k])
	}
}

// describe says what the drawing shows, for those who do not see it.
func (c *curve) describe() string {
	fine := nice(c.top/1000, false)
	span := func(v []float64) message.Sentence {
		return message.Say("chart.span").Number("low", v[0], fine).Number("high", v[len(v)-1], fine).Text("unit", c.Unit)
	}
	all := []message.Sentence{message.Say("chart.curve").Count("n", len(c.X)).Part("released", span(c.Released))}
	if c.Original != nil {
		all[0] = message.Say("chart.curves").Count("n", len(c.X)).Part("released", span(c.Released)).
			Part("original", span(c.Original))
	}
	for _, m := range c.Marks {
		all = append(all, message.Say("chart.dashed").Text("label", m.Label))
	}
	return message.After(all...).String()
}
