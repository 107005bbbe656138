package chart

import (
	"html/template"
	"math"
	"strings"

	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/message"
)

// Row is one bar of a ranking.
type Row struct {
	Label  string
	Value  Estimate
	Why    string // stands in place of a value that is not known
	Strong bool   // drawn in full colour
	Best   bool   // its figure is bold
}

// Ranking is a group of bars: one measure of all settings on one data set.
type Ranking struct {
	Title     string // for screen readers
	Unit      string // follows figures in tooltips
	Decimals  int
	Rows      []Row
	Reference float64 // drawn as a line across all bars; NaN for none
	Named     string  // name of the reference
	Lo, Hi    float64 // ends of the scale, which rankings of one measure share; 0 is always on it
}

const (
	rankLabel = 172.0 // widest label
	rankGap   = 8.0
	rankAxis  = 20.0 // height of the ticks below
)

// Span returns the ends of a scale for rankings that hold all the estimates, with their intervals and 0.
func Span(all ...Estimate) (lo, hi float64) {
	for _, e := range all {
		if e.Known() {
			a, b := e.Ends()
			lo, hi = math.Min(lo, a), math.Max(hi, b)
		}
	}
	if lo == hi {
		return 0, 1
	}
	return lo, hi
}

// Bars with error bars; the scale of a ranking in pixels.
type drawnRanking struct {
	canvas
	Ranking
	x0, x1      float64 // ends of the scale
	top, bottom float64
	pitch       float64
}

// Draw draws the ranking as horizontal bars from 0 with an error bar each, labels at the left and figures at the right,
// so that neither many settings nor long names turn anything on its side. The id must be unique in the page. Cost:
// O(rows).
func (g Ranking) Draw(id string) template.HTML {
	if len(g.Rows) == 0 {
		return empty(id, g.Title)
	}
	r := drawnRanking{Ranking: g, pitch: 21, top: 4}
	if len(g.Rows) > 12 {
		r.pitch = 17
	}
	if r.Lo, r.Hi = math.Min(g.Lo, 0), math.Max(g.Hi, 0); !(r.Hi > r.Lo) || math.IsInf(r.Hi-r.Lo, 0) {
		r.Lo, r.Hi = 0, 1
	}
	labels, figures := 0.0, 0.0
	for _, row := range g.Rows {
		labels = math.Max(labels, faceLabel.width(Printable(row.Label)))
		if row.Value.Known() {
			figures = math.Max(figures, faceNode.width(numfmt.Fixed(row.Value.Mean, g.Decimals)))
		}
	}
	r.x0 = math.Min(labels, rankLabel) + rankGap
	r.x1 = smallWidth - figures - rankGap - 2
	if r.Referenced() {
		r.top = 20
	}
	r.bottom = r.top + r.pitch*float64(len(g.Rows)) + 2
	r.draw()
	desc := message.Say("chart.settings").Count("n", len(g.Rows))
	if r.Referenced() {
		desc = message.After(desc, message.Say("chart.reference").Text("name", g.Named).
			Fixed("value", g.Reference, g.Decimals))
	}
	return r.svg(id, "small", g.Title, desc.String(), smallWidth, r.bottom+rankAxis)
}

// Referenced reports whether there is a line of reference on the scale.
func (g Ranking) Referenced() bool {
	return !math.IsNaN(g.Reference) && g.Reference >= math.Min(g.Lo, 0) && g.Reference <= math.Max(g.Hi, 0)
}

func (r *drawnRanking) x(v float64) float64 {
	return r.x0 + (math.Min(math.Max(v, r.Lo), r.Hi)-r.Lo)/(r.Hi-r.Lo)*(r.x1-r.x0)
}

func (r *drawnRanking) draw() {
	r.axis()
	var base, errors strings.Builder
	for k, row := range r.Rows {
		y := r.top + r.pitch*(float64(k)+0.5)
		r.fitted(r.x0-rankGap, y+4, faceLabel, right, row.Label, rankLabel,
			labels(r.Rows, func(r Row) string { return r.Label }))
		if !row.Value.Known() {
			r.fitted(r.x0+4, y+3.6, faceTick, left, orDash(row.Why), smallWidth-r.x0-8, nil)
			continue
		}
		r.bar(row, y)
		if lo, hi := row.Value.Ends(); lo < hi {
			whisker(&errors, r.x(lo), r.x(hi), y)
		}
		f := faceLabel
		if row.Best {
			f = faceNode
		}
		r.text(smallWidth-2, y+4, f, right, numfmt.Fixed(row.Value.Mean, r.Decimals), "")
	}
	r.path(errors.String(), "halo")
	r.path(errors.String(), "err")
	line(&base, r.x(0), r.top, r.x(0), r.bottom)
	r.path(base.String(), "axis")
	r.reference()
	for k, row := range r.Rows {
		if row.Value.Known() {
			tip := row.Label + ": " + strings.TrimSpace(interval(row.Value, r.Decimals)+" "+r.Unit)
			r.rect(0, r.top+r.pitch*float64(k), smallWidth, r.pitch, "hit", tip)
		}
	}
}

func (r *drawnRanking) bar(row Row, y float64) {
	class := "pale"
	if row.Strong {
		class = "bar"
	}
	a, b := r.x(0), r.x(row.Value.Mean)
	h := math.Round(r.pitch * 0.6)
	r.rect(math.Min(a, b), y-h/2, math.Abs(b-a), h, class, "")
}

// axis draws as many ticks as stand free of each other.
func (r *drawnRanking) axis() {
	place := func(v, w float64) float64 { return inside(r.x(v), w) }
	var grid strings.Builder
	for _, t := range spaced(5, 8, numbers(r.Lo, r.Hi, 0, scale.label), place) {
		x := r.x(t.at)
		line(&grid, x, r.top, x, r.bottom)
		r.text(place(t.at, faceTick.width(t.label)), r.bottom+14, faceTick, middle, t.label, "")
	}
	r.path(grid.String(), "grid")
}

// reference draws the line across all bars with its name and value above it.
func (r *drawnRanking) reference() {
	if !r.Referenced() {
		return
	}
	var d strings.Builder
	x := r.x(r.Reference)
	line(&d, x, r.top-4, x, r.bottom)
	r.path(d.String(), "ref")
	s := r.Named + " " + numfmt.Fixed(r.Reference, r.Decimals)
	r.text(inside(x, faceTick.width(s)), r.top-8, faceTick, middle, s, "")
}

// whisker appends an error bar from x0 to x1.
func whisker(d *strings.Builder, x0, x1, y float64) {
	line(d, x0, y, x1, y)
	line(d, x0, y-3, x0, y+3)
	line(d, x1, y-3, x1, y+3)
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}
