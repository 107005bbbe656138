package main

import (
	"fmt"
	"strings"
)

const (
	panelW, panelH = 330.0, 200.0
	left, top      = 46.0, 28.0
	gap            = 75.0 // with room for the last label
)

var colours = []string{"#222222", "#0072b2", "#009e73", "#d55e00", "#cc79a7"}
var dashes = []string{"6 3", "", "2 2", "", "5 2 1 2"}

// plot draws the accuracies, a row for every function and a column for every noise.
func plot(all []curves) string {
	var b strings.Builder
	height := 40 + float64((len(all)+1)/2)*(panelH+30)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" role="img" font-family="sans-serif" font-size="12">`, 2*(panelW+gap), height, 2*(panelW+gap), height)
	b.WriteString("\n<title>Accuracy of trees by the privacy of the noise, for five functions and two kinds of " +
		"noise</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n")
	for a, alg := range algorithms {
		x := 60 + 130*float64(a)
		fmt.Fprintf(&b, `<line x1="%g" x2="%g" y1="16" y2="16" stroke="%s" stroke-width="2.5" stroke-dasharray="%s"/><text x="%g" y="20">%s</text>`+"\n", x, x+28, colours[a], dashes[a], x+34, alg.name)
	}
	for k, c := range all {
		fmt.Fprintf(&b, `<g transform="translate(%g %g)">`+"\n", float64(k%2)*(panelW+gap)+left, 40+float64(k/2)*(panelH+30))
		c.draw(&b)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// draw draws one panel: accuracies from 0 to 100 %, for a tree whose rule is the wrong way round is worse than
// guessing.
func (c *curves) draw(b *strings.Builder) {
	x := func(level float64) float64 { return (level - levels[0]) / (levels[len(levels)-1] - levels[0]) * panelW }
	y := func(right float64) float64 { return top + (1-right)*(panelH-top-16) }
	fmt.Fprintf(b, `<text x="0" y="18" font-weight="bold">function %d, %s noise</text>`+"\n", c.function, c.noise)
	for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
		fmt.Fprintf(b, `<line x1="0" x2="%g" y1="%.1f" y2="%.1f" stroke="#ddd"/><text x="-6" y="%.1f" text-anchor="end">%.0f %%</text>`+"\n", panelW, y(v), y(v), y(v)+4, 100*v)
	}
	for _, level := range levels {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">%v %%</text>`+"\n", x(level), y(0)+14, level)
	}
	for a, right := range c.right {
		var points []string
		for k, r := range right {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(levels[k]), y(r)))
		}
		fmt.Fprintf(b, `<polyline fill="none" stroke="%s" stroke-width="2" stroke-dasharray="%s" points="%s"/>`+"\n", colours[a], dashes[a], strings.Join(points, " "))
	}
}
