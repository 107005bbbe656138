// Package chart draws the charts of a report as SVG: distributions before and after, correlation heat maps, decision
// trees, curves of risk.
//
// A chart is a fragment to be put into a page that carries CSS, the style sheet of all charts; colours come from there,
// so one fragment serves light, dark and print. TreeSVG alone is a document with the style sheet inside. Every fragment
// has a title and a description for screen readers, and a tooltip wherever a label had to be shortened.
//
// The original is always a grey area and the release an accent-coloured line or narrow bar, so that the two are told
// apart without colour. Labels are measured with the advance widths of Helvetica, Arial and Liberation Sans before they
// are placed.
package chart

import (
	_ "embed"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// CSS is the style sheet of all charts; the page that shows them must contain it.
//
//go:embed chart.css
var CSS string

// face is a text style: its class in the style sheet and the size in pixels it has there.
type face struct {
	class string
	size  float64
	bold  bool
}

var (
	faceTick  = face{"k", 10.5, false}      // axis labels
	faceLabel = face{"l", 11.5, false}      // category names, conditions, figures in trees
	faceNode  = face{"b", 11.5, true}       // attributes of tree nodes
	faceHead  = face{"c", 10, false}        // column heads inside a chart
	faceCell  = face{"v", 10, false}        // figures in heat map cells
	faceTag   = face{"g", 10, true}         // letters of rule types
	faceRef   = face{"k halo", 10.5, false} // labels that stand on a drawing
)

// anchor says which end of a text stands at its x.
type anchor string

const (
	left   anchor = ""
	middle anchor = "middle"
	right  anchor = "end"
)

// canvas collects the elements of one drawing.
type canvas struct {
	b      strings.Builder
	margin float64 // around the drawing
	linked bool    // parts of it lead elsewhere
}

func (c *canvas) raw(parts ...string) {
	for _, p := range parts {
		c.b.WriteString(p)
	}
}

// text places one line with its baseline at y. A non-empty tip becomes the tooltip.
func (c *canvas) text(x, y float64, f face, a anchor, s, tip string) {
	c.raw(`<text x="`, px(x), `" y="`, px(y), `" class="`, f.class, `"`)
	if a != left {
		c.raw(` text-anchor="`, string(a), `"`)
	}
	c.raw(`>`, escape(s))
	if tip != "" {
		c.raw(`<title>`, escape(tip), `</title>`)
	}
	c.raw(`</text>`)
}

// fitted places a name that may be at most max wide; one that does not fit is shortened, unlike any other of all names,
// and told in full by a tooltip.
func (c *canvas) fitted(x, y float64, f face, a anchor, s string, max float64, all []string) {
	short, cut := f.distinct(s, max, all)
	tip := ""
	if cut {
		tip = s
	}
	c.text(x, y, f, a, short, tip)
}

func (c *canvas) rect(x, y, w, h float64, class, tip string) {
	c.raw(`<rect x="`, px(x), `" y="`, px(y), `" width="`, px(w), `" height="`, px(h), `" class="`, class, `"`)
	if tip == "" {
		c.raw(`/>`)
		return
	}
	c.raw(`><title>`, escape(tip), `</title></rect>`)
}

func (c *canvas) path(d, class string) {
	if d != "" {
		c.raw(`<path d="`, d, `" class="`, class, `"/>`)
	}
}

// svg wraps the elements into a fragment of the given size. The id must be unique in the page.
func (c *canvas) svg(id, class, title, desc string, w, h float64) template.HTML {
	var b strings.Builder
	m, role := px(-c.margin), "img"
	if c.linked {
		role = "group" // what is inside an image cannot be reached with the keyboard
	}
	w, h = w+2*c.margin, h+2*c.margin
	b.WriteString(`<svg class="dither ` + class + `" viewBox="` + m + ` ` + m + ` ` + px(w) + ` ` + px(h) + `" width="` + px(w) + `" height="` + px(h) +
		`" role="` + role + `" aria-labelledby="` + id + `-t ` + id + `-d"><title id="` + id + `-t">` + escape(title) + `</title><desc id="` + id +
		`-d">` + escape(desc) + `</desc>`)
	b.WriteString(c.b.String())
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

// Width returns the width of a fragment made by this package, in pixels.
func Width(svg template.HTML) float64 {
	_, rest, _ := strings.Cut(string(svg), ` width="`)
	number, _, _ := strings.Cut(rest, `"`)
	w, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0
	}
	return w
}

// px writes a coordinate with at most one decimal. What is not a number is drawn at 0, so that no file is ever invalid.
func px(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "0"
	}
	v = math.Round(v*10) / 10
	if v == 0 {
		return "0" // also for -0
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// line appends a straight segment to path data.
func line(d *strings.Builder, x1, y1, x2, y2 float64) {
	d.WriteString("M" + px(x1) + " " + px(y1) + "L" + px(x2) + " " + px(y2))
}

// box appends a rectangle to path data.
func box(d *strings.Builder, x, y, w, h float64) {
	d.WriteString("M" + px(x) + " " + px(y) + "h" + px(w) + "v" + px(h) + "h" + px(-w) + "z")
}
