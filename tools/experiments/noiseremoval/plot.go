package main

import (
	"fmt"
	"html"
	"strings"
)

// The plot is two by two panels, one for every table: error of the attacks (y, 0 to 1.15) against the share of the
// noise (x, 0 to 1).
const (
	panelW, panelH   = 300.0, 190.0 // the frame of a panel
	gapX, gapY       = 60.0, 70.0
	marginL, marginT = 52.0, 100.0
	highest          = 1.15
	plotW            = marginL + 2*panelW + gapX + 16
)

// inks and marks tell the attacks apart, with and without colour.
var inks = []string{"#0a5ea8", "#bf3f0b", "#0b6b63"}

// plot draws the results as an SVG document: independent noise as full lines and marks, correlated noise as dashes and
// empty marks.
func plot(results []result) string {
	var b strings.Builder
	height := marginT + float64((len(results)+1)/2)*(panelH+gapY)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" role="img"`, plotW, height, plotW, height)
	b.WriteString(` font-family="Arial, Helvetica, sans-serif" font-size="11.5">` + "\n<title>What the attacks leave of " +
		"additive noise</title>\n")
	b.WriteString("<desc>Error in standard deviations of the noise against its variance, by table, attack and kind of " +
		"noise.</desc>\n")
	fmt.Fprintf(&b, `<rect width="%g" height="%g" fill="#ffffff"/>`+"\n", plotW, height)
	legend(&b)
	for k := range results {
		x, y := marginL+float64(k%2)*(panelW+gapX), marginT+float64(k/2)*(panelH+gapY)
		panel(&b, &results[k], x, y)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func legend(b *strings.Builder) {
	write(b, marginL, 22, "", `font-size="14" font-weight="bold"`, "Error left by the attack, in standard deviations of "+
		"the noise")
	x := marginL
	for k, a := range attacks {
		line(b, []float64{x, x + 26}, []float64{42, 42}, k, false)
		write(b, x+32, 46, "", "", a.Title)
		x += 150
	}
	for n, name := range []string{"independent noise (full)", "correlated noise (dashed)"} {
		x := marginL + float64(n)*182
		fmt.Fprintf(b, `<line x1="%g" y1="62" x2="%g" y2="62" stroke="#5b646d" stroke-width="1.8"%s/>`, x, x+26, dash(n == 1))
		write(b, x+32, 66, "", "", name)
	}
	b.WriteString("\n")
}

// panel draws one table with its frame at x, y.
func panel(b *strings.Builder, r *result, x, y float64) {
	atX := func(d float64) float64 { return x + d*panelW }
	atY := func(e float64) float64 { return y + panelH*(1-min(e, highest)/highest) }
	write(b, x, y-8, "", `font-weight="bold"`, fmt.Sprintf("%s (%d attributes, %d records)", r.title, r.Width(), r.Rows()))
	for _, e := range []float64{0, 0.25, 0.5, 0.75, 1} {
		fmt.Fprintf(b, `<line x1="%g" y1="%.1f" x2="%g" y2="%.1f" stroke="#dfe3e7"/>`, x, atY(e), x+panelW, atY(e))
		write(b, x-6, atY(e)+4, "end", `fill="#5b646d"`, fmt.Sprint(e))
	}
	for _, d := range []float64{0, 0.25, 0.5, 0.75, 1} {
		write(b, atX(d), y+panelH+16, "middle", `fill="#5b646d"`, fmt.Sprint(d))
	}
	write(b, x+panelW/2, y+panelH+33, "middle", `fill="#5b646d"`, "variance of the noise / variance of the attribute")
	fmt.Fprintf(b, `<path d="M%g %gV%gH%g" fill="none" stroke="#7b848d"/>`+"\n", x, y, y+panelH, x+panelW)
	for n := range noises {
		for k := range attacks {
			var xs, ys []float64
			for i, d := range shares {
				xs, ys = append(xs, atX(d)), append(ys, atY(r.figures[n][i].error[k]))
			}
			line(b, xs, ys, k, n == 1)
		}
	}
}

// line draws a line with the mark of an attack at its points.
func line(b *strings.Builder, xs, ys []float64, attack int, dashed bool) {
	fill := inks[attack]
	if dashed {
		fill = "#ffffff"
	}
	var d, marks strings.Builder
	for i, x := range xs {
		y := ys[i]
		fmt.Fprintf(&d, "%c%.1f %.1f", "ML"[min(i, 1)], x, y)
		switch attack {
		case 0:
			fmt.Fprintf(&marks, "M%.1f %.1fm-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0z", x, y)
		case 1:
			fmt.Fprintf(&marks, "M%.1f %.1fm-3 -3h6v6h-6z", x, y)
		default:
			fmt.Fprintf(&marks, "M%.1f %.1fm0 -4l4 7h-8z", x, y)
		}
	}
	fmt.Fprintf(b, `<path d="%s" fill="none" stroke="%s" stroke-width="1.8"%s/><path d="%s" fill="%s" stroke="%s" stroke-width="1.2"/>`+"\n",
		&d, inks[attack], dash(dashed), &marks, fill, inks[attack])
}

func dash(on bool) string {
	if on {
		return ` stroke-dasharray="5 4"`
	}
	return ""
}

func write(b *strings.Builder, x, y float64, anchor, attributes, s string) {
	if anchor != "" {
		attributes += ` text-anchor="` + anchor + `"`
	}
	if attributes != "" {
		attributes = " " + strings.TrimSpace(attributes)
	}
	fmt.Fprintf(b, `<text x="%g" y="%.1f"%s>%s</text>`, x, y, attributes, html.EscapeString(s))
}
