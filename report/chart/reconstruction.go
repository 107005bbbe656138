package chart

import (
	"html/template"
	"math"
	"strings"

	"github.com/dither-data/dither/message"
)

// Reconstruction is a distribution that was reconstructed: the estimated shares as narrow columns, each with its band,
// what was observed as a thin line, and what the original was like, where it is known, as wide grey columns.
type Reconstruction struct {
	Name      string
	Names     []string // of the intervals or categories
	Observed  []float64
	Shares    []float64
	Low, High []float64 // of the bands
	Truth     []float64 // nil where it is not known
}

// Draw draws a small multiple. The id must be unique in the page. Cost: O(shares).
func (g Reconstruction) Draw(id string) template.HTML {
	c := columns{Columns: Columns{Title: g.Name, Original: g.Truth, Released: g.Shares, Names: g.Names, Marked: -1}}
	for _, vs := range [][]float64{g.Observed, g.Shares, g.High, g.Truth} {
		for _, v := range vs {
			c.top = math.Max(c.top, v)
		}
	}
	if len(g.Shares) == 0 || !(c.top > 0) {
		return empty(id, g.Name)
	}
	c.top *= 1.04
	c.levels(c.top*100, " %", func(v float64) float64 { return c.y(v / 100) })
	for k := range g.Shares {
		c.Tips = append(c.Tips, message.Say("chart.observed").Name("name", g.Names[k]).
			Text("observed", points(g.Observed[k])).Text("low", points(g.Low[k])).Text("high", points(g.High[k])).String())
	}
	c.draw()
	var bands, seen strings.Builder
	pitch := c.x(1) - c.x(0)
	for k := range g.Shares {
		x := c.x(k) + pitch/2
		line(&bands, x, c.y(g.Low[k]), x, c.y(g.High[k]))
		line(&seen, c.x(k), c.y(g.Observed[k]), c.x(k)+pitch, c.y(g.Observed[k]))
	}
	c.path(bands.String(), "err")
	c.path(seen.String(), "ref")
	desc := message.Say("chart.reconstructed").Count("n", len(g.Shares))
	if g.Truth != nil {
		desc = message.After(desc, message.Say("chart.truth"))
	}
	return c.svg(id, "small", g.Name, desc.String(), smallWidth, histHeight)
}
