package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The map is two by two panels, one for every data set: error of the margins of three columns (y, from the top down)
// against what the best attack wins (x, on a scale of square roots). A release far up on the left is good for both.
const (
	panelW, panelH = 330.0, 230.0
	gapX, gapY     = 70.0, 62.0
	left, top      = 52.0, 34.0
	mapW           = left + 2*panelW + gapX + 20
	legend         = 24.0
	inset          = 14.0 // of a panel
)

// place is a release on the map.
type place struct {
	method     int // its place among the methods
	risk, lost float64
}

// panel is a data set on the map.
type panel struct {
	title  string
	floor  float64 // the error of another sample
	places []place
}

// panels reads the map from the tables of the page: the larger of the figures looked up, learned and found, and the
// error of triples. Releases without one of them are left out.
func panels(page string) (out []panel) {
	for _, line := range strings.Split(page, "\n") {
		cells := strings.Split(line, "|")
		if title, is := strings.CutPrefix(line, "## "); is {
			out = append(out, panel{title: title})
		}
		if len(cells) != 11 || len(out) == 0 {
			continue
		}
		p := &out[len(out)-1]
		number := func(k int) float64 {
			v, err := strconv.ParseFloat(strings.TrimSpace(cells[k]), 64)
			if err != nil {
				return math.NaN()
			}
			return v
		}
		name, lost, risk := strings.TrimSpace(cells[1]), number(3), math.NaN()
		for _, k := range []int{5, 8, 9} {
			if v := number(k); !(v <= risk) && v == v {
				risk = v
			}
		}
		if strings.HasSuffix(name, "another sample") {
			p.floor = lost
		}
		for k := range methods {
			if methods[k].title == name && lost == lost && risk == risk {
				p.places = append(p.places, place{k, risk, lost})
			}
		}
	}
	for k := len(out) - 1; k >= 0; k-- {
		if out[k].places == nil {
			out = append(out[:k], out[k+1:]...)
		}
	}
	return out
}

// colour tells techniques that draw new records, those of them that are private, and those that perturb apart.
func colour(m *method) string {
	switch {
	case m.set["epsilon"] != "":
		return "#5b8c2a"
	case strings.HasSuffix(m.name, "synthesis") && m.name != "segmentsynthesis" || m.name == "bayesiannetwork":
		return "#2a6fb0"
	}
	return "#b3541e"
}

// plot draws the map of a page.
func plot(page string) string {
	all := panels(page)
	height := top + float64((len(all)+1)/2)*(panelH+gapY) + float64((len(methods)+2)/3)*legend + 10
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" role="img" `+
		`font-family="sans-serif" font-size="12"><title>Risk and use of synthetic and perturbed tables</title>`+"\n",
		mapW, height, mapW, height)
	fmt.Fprintf(&b, `<rect width="%g" height="%g" fill="#ffffff"/>`+"\n", mapW, height)
	for k := range all {
		all[k].draw(&b, left+float64(k%2)*(panelW+gapX), top+float64(k/2)*(panelH+gapY))
	}
	y := height - float64((len(methods)+2)/3)*legend
	for k := range methods {
		x := left + float64(k%3)*(mapW-left)/3
		mark(&b, k, x, y+float64(k/3)*legend)
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f">%s</text>`+"\n", x+14, y+float64(k/3)*legend+4, methods[k].title)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// mark draws the disc of a method.
func mark(b *strings.Builder, k int, x, y float64) {
	fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="9" fill="%s"/><text x="%.1f" y="%.1f" fill="#ffffff" font-size="11" `+
		`text-anchor="middle">%d</text>`+"\n", x, y, colour(&methods[k]), x, y+4, k+1)
}

// draw draws a panel with its upper left corner at (x0, y0).
func (p *panel) draw(b *strings.Builder, x0, y0 float64) {
	most := p.floor
	for _, q := range p.places {
		most = max(most, q.lost)
	}
	most = math.Ceil(10*most) / 10
	x := func(risk float64) float64 { return x0 + inset + (panelW-2*inset)*math.Sqrt(risk/100) }
	y := func(lost float64) float64 { return y0 + inset + (panelH-2*inset)*lost/most }
	fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%g" height="%g" fill="none" stroke="#999999"/>`+"\n", x0, y0, panelW, panelH)
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" font-weight="bold">%s</text>`+"\n", x0, y0-8, p.title)
	for _, v := range []float64{0, 1, 5, 10, 25, 50, 100} {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">%g</text>`+"\n", x(v), y0+panelH+16, v)
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">looked up, learned or found, per cent</text>`+"\n",
		x0+panelW/2, y0+panelH+32)
	for v := 0.0; v <= most+1e-9; v += 0.1 {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="end">%.1f</text>`+"\n", x0-6, y(v)+4, v)
	}
	fmt.Fprintf(b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#999999" stroke-dasharray="4 3"/>`+"\n",
		x0, y(p.floor), x0+panelW, y(p.floor))
	var taken [][2]float64
	for _, q := range p.places {
		at := [2]float64{x(q.risk), y(q.lost)}
		free := at
		for n := 1; crowded(taken, free); n++ { // to the right and up, until there is room
			free = [2]float64{at[0] + 7*float64(n), at[1] - 7*float64(n%4)}
		}
		taken = append(taken, free)
		fmt.Fprintf(b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#666666"/>`+"\n", at[0], at[1], free[0], free[1])
		mark(b, q.method, free[0], free[1])
	}
}

// crowded reports whether a disc would cover another.
func crowded(taken [][2]float64, at [2]float64) bool {
	for _, o := range taken {
		if math.Hypot(o[0]-at[0], o[1]-at[1]) < 18 {
			return true
		}
	}
	return false
}
