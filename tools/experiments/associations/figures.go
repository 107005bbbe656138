package main

import (
	"fmt"
	"math"
	"strings"
)

// The size of a panel, in pixels.
const (
	panelW, panelH = 300.0, 190.0
	left, top, gap = 60.0, 30.0, 70.0
)

var colours = []string{"#0072b2", "#d55e00", "#009e73"}

// at returns the rule with another confidence.
func (r *rule) at(confidence float64) *rule {
	c := *r
	c.x = confidence
	return &c
}

// confidences are those that curves are drawn at: all but 0 and 1, where J' has no bound.
const confidences = 200

// curve returns a figure of the rule at confidences from 1/confidences to 1 - 1/confidences, in bits.
func (r *rule) curve(of func(*rule) float64) (x, y []float64) {
	for k := 1; k < confidences; k++ {
		c := float64(k) / confidences
		x, y = append(x, c), append(y, of(r.at(c)))
	}
	return x, y
}

// bits is J in bits, as its equation has it.
func (r *rule) bits() float64 { return r.measure() / math.Ln2 }

// turn returns the confidence at which J is smallest, of those that are drawn.
func (r *rule) turn() float64 {
	x, y := r.curve((*rule).bits)
	least := 0
	for k := range y {
		if y[k] < y[least] {
			least = k
		}
	}
	return x[least]
}

// plot draws Figures 3.1 to 3.3: J below the support of the consequent and over all confidences, and J', of the rules
// before they are hidden.
func plot(printed []rule) string {
	var b strings.Builder
	width, height := 3*(panelW+gap), panelH+70
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" role="img" `+
		`font-family="sans-serif" font-size="12">`, width, height, width, height)
	b.WriteString("\n<title>J and its derivative by confidence, for three rules</title>\n" +
		"<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n")
	for k, p := range []struct {
		title  string
		of     func(*rule) float64
		lo, hi float64 // of the figure
		to     float64 // largest confidence
	}{
		{"J at confidences below the support", (*rule).bits, 0, 0.15, 0.3},
		{"J (Figures 3.1 and 3.2)", (*rule).bits, 0, 0.5, 1},
		{"J' (Figure 3.3)", (*rule).prime, -2, 3, 1},
	} {
		fmt.Fprintf(&b, `<g transform="translate(%g 0)">`+"\n", float64(k)*(panelW+gap)+left)
		x := func(v float64) float64 { return v / p.to * panelW }
		y := func(v float64) float64 { return top + (p.hi-v)/(p.hi-p.lo)*panelH }
		fmt.Fprintf(&b, `<text x="0" y="18" font-weight="bold">%s</text>`+"\n", p.title)
		for n := range 6 {
			v, c := p.lo+float64(n)/5*(p.hi-p.lo), float64(n)/5*p.to
			fmt.Fprintf(&b, `<line x1="0" x2="%g" y1="%.1f" y2="%.1f" stroke="#ddd"/><text x="-6" y="%.1f" `+
				`text-anchor="end">%.2f</text><text x="%.1f" y="%.1f" text-anchor="middle">%.2f</text>`+"\n",
				panelW, y(v), y(v), y(v)+4, v, x(c), top+panelH+16, c)
		}
		for n := 0; n < len(printed); n += 2 {
			var points []string
			xs, ys := printed[n].curve(p.of)
			for i := range xs {
				if xs[i] <= p.to && ys[i] >= p.lo && ys[i] <= p.hi {
					points = append(points, fmt.Sprintf("%.1f,%.1f", x(xs[i]), y(ys[i])))
				}
			}
			fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="2" points="%s"/>`+"\n", colours[n/2%len(colours)],
				strings.Join(points, " "))
		}
		b.WriteString("</g>\n")
	}
	for n := 0; n < len(printed); n += 2 {
		at := left + 130*float64(n/2)
		fmt.Fprintf(&b, `<line x1="%g" x2="%g" y1="%g" y2="%g" stroke="%s" stroke-width="3"/><text x="%g" y="%g">%s</text>`+
			"\n", at, at+24, height-14, height-14, colours[n/2%len(colours)], at+30, height-10, printed[n].name)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// turns writes where J is smallest, beside the support of the consequent, and J' there.
func turns(printed []rule) string {
	var b strings.Builder
	b.WriteString("| rule | support of the consequent | J is smallest at confidence | J' there | J' at 0.1 | at 0.5 | " +
		"at 0.9 |\n|---|---|---|---|---|---|---|\n")
	for k := 0; k < len(printed); k += 2 {
		r := &printed[k]
		fmt.Fprintf(&b, "| %s | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f |\n", r.name, r.a, r.turn(), r.at(r.a).prime(),
			r.at(0.1).prime(), r.at(0.5).prime(), r.at(0.9).prime())
	}
	return b.String()
}
