package chart

import (
	"html/template"
	"math"
	"strings"

	"github.com/dither-data/dither/message"
)

// Columns is shares of a whole by an ordered list of things: of the original as wide grey columns, of the release as
// narrow ones on them.
type Columns struct {
	Title    string    // for screen readers
	Original []float64 // shares in [0, 1]; nil draws the release alone
	Released []float64
	Names    []string // of the columns, below them as far as they find room
	Tips     []string // what the tooltips say before the share; nil takes the names
	Marked   int      // a column of the release in full colour, the others being pale; negative for all in full
	Label    string   // over the marked column
}

type columns struct {
	canvas
	Columns
	top float64
}

// Draw draws the columns as a small multiple. The id must be unique in the page. Cost: O(columns).
func (g Columns) Draw(id string) template.HTML {
	c := columns{Columns: g}
	for _, vs := range [][]float64{g.Original, g.Released} {
		for _, v := range vs {
			if !math.IsInf(v, 0) {
				c.top = math.Max(c.top, v) // NaN stays below
			}
		}
	}
	if len(g.Released) == 0 || !(c.top > 0) {
		return empty(id, g.Title)
	}
	c.top *= 1.04
	c.levels(c.top*100, " %", func(v float64) float64 { return c.y(v / 100) })
	c.draw()
	desc := []message.Sentence{message.Say("chart.columns").Count("n", len(g.Released))}
	if g.Original != nil {
		desc = append(desc, message.Say("chart.columnsBoth"))
	}
	if c.marked() {
		desc = append(desc, message.Say("chart.marked").Text("figures", c.figures(g.Marked)).Text("label", g.Label))
	}
	return c.svg(id, "small", g.Title, message.After(desc...).String(), smallWidth, histHeight)
}

func (c *columns) marked() bool { return c.Marked >= 0 && c.Marked < len(c.Released) }

// x returns the left end of column k.
func (c *columns) x(k int) float64 {
	return plotLeft + float64(k)/float64(len(c.Released))*(plotRight-plotLeft)
}

func (c *columns) y(share float64) float64 {
	if !(share > 0) {
		share = 0
	}
	return plotBottom - math.Min(share/c.top, 1)*(plotBottom-plotTop)
}

func (c *columns) draw() {
	pitch := c.x(1) - c.x(0)
	column := func(k int, share, width float64, class string) {
		if y := c.y(share); y < plotBottom {
			c.rect(c.x(k)+(pitch-width)/2, y, width, plotBottom-y, class, "")
		}
	}
	for k, v := range c.Original {
		column(k, v, pitch*0.86, "before")
	}
	width := math.Min(pitch*0.7, 30)
	if c.Original != nil {
		width = math.Min(pitch*0.4, 18)
	}
	for k, v := range c.Released {
		class := "bar"
		if c.marked() && k != c.Marked {
			class = "pale"
		}
		column(k, v, width, class)
	}
	var base strings.Builder
	line(&base, plotLeft, plotBottom, plotRight, plotBottom)
	c.path(base.String(), "axis")
	c.names()
	if c.marked() {
		label, _ := faceRef.fit(c.Label, plotRight-plotLeft)
		half := faceRef.width(label) / 2
		mid := math.Min(math.Max(c.x(c.Marked)+pitch/2, plotLeft+half), plotRight-half)
		c.text(mid, math.Max(c.y(c.Released[c.Marked])-5, 9), faceRef, middle, label, "")
	}
	for k := range c.Released {
		c.rect(c.x(k), plotTop, pitch, plotBottom-plotTop, "hit", c.figures(k))
	}
}

// names writes the names below the columns, or every second, third and so on, so that they stand free of each other.
func (c *columns) names() {
	for every := 1; every <= len(c.Names); every++ {
		if at, names, free := c.every(every); free {
			for k, n := range names {
				c.text(at[k], plotBottom+16, faceTick, middle, n, "")
			}
			return
		}
	}
}

// every returns so many-th names and the middles of where they stand, and whether these are free of each other. Names
// wider than the drawing are left out.
func (c *columns) every(step int) (at []float64, names []string, free bool) {
	pitch, end := c.x(1)-c.x(0), math.Inf(-1)
	for k := 0; k < len(c.Names); k += step {
		n := Printable(c.Names[k])
		w := faceTick.width(n)
		if n == "" || w > smallWidth {
			continue
		}
		x := inside(c.x(k)+pitch/2, w)
		if x-w/2 < end+4 {
			return nil, nil, false
		}
		end = x + w/2
		at, names = append(at, x), append(names, n)
	}
	return at, names, true
}

func (c *columns) figures(k int) string {
	name := ""
	if k < len(c.Names) {
		name = c.Names[k]
	}
	if k < len(c.Tips) {
		name = c.Tips[k]
	}
	if c.Original == nil {
		return message.Say("chart.one").Name("name", name).Share("share", c.Released[k]).String()
	}
	before := math.NaN()
	if k < len(c.Original) {
		before = c.Original[k]
	}
	return both(name, before, c.Released[k])
}
