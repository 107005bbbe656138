package chart

import (
	"cmp"
	"html/template"
	"slices"

	"github.com/dither-data/dither/message"
)

// ModelGraph is the data model graph of a purpose: attributes lead to the simple constraints on them, and these to the
// complex ones that join them. The counts on the edges say how often a constraint is broken among the values that
// changed.
type ModelGraph struct {
	Title      string
	Attributes []ModelNode
	Simple     []SimpleNode
	Complex    []ModelNode
}

// ModelNode is an attribute or a complex constraint: its name with a line below it, and a tooltip where one is not
// empty.
type ModelNode struct{ Name, Text, Tip string }

// SimpleNode is a simple constraint on an attribute; one without a name is part of a complex one.
type SimpleNode struct {
	Name, Expr      string
	On              int // its attribute
	Part            int // the complex constraint that it is part of; -1 for none
	Broken, Checked int
}

const (
	graphRow   = 46.0 // from node to node
	graphNode  = 34.0 // height of a node
	graphGap   = 104.0
	graphCount = 64.0 // room for a count
	attributeW = 176.0
	simpleW    = 236.0
	complexW   = 176.0
)

// faceBroken is of a count that is not 0.
var faceBroken = face{"g neg halo", 10, true}

// graph is a ModelGraph on its canvas.
type graph struct {
	canvas
	ModelGraph
	attributes, simple, complex []float64 // the middle of every node
	height                      float64
}

// Draw draws the graph from left to right. The id must be unique in the page. Cost: O(n log n) for n constraints.
func (m ModelGraph) Draw(id string) template.HTML {
	g := &graph{ModelGraph: m}
	g.place()
	x2 := attributeW + graphGap
	x3 := x2 + simpleW + graphGap
	width := x2 + simpleW
	if len(m.Complex) > 0 {
		width = x3 + complexW
	}
	g.text(0, 12, faceHead, left, message.Say("chart.attributes").String(), "")
	g.fit(x2, 12, faceHead, message.Say("chart.constraints").String(), simpleW)
	if len(m.Complex) > 0 {
		g.text(x3, 12, faceHead, left, message.Say("chart.joined").String(), "")
	}
	for k, s := range m.Simple { // below the counts
		g.edge(attributeW, g.attributes[s.On], x2, g.simple[k])
	}
	broken := 0
	for k, s := range m.Simple {
		if s.Broken > 0 {
			broken++
		}
		f := faceRef
		if s.Broken > 0 {
			f = faceBroken
		}
		g.text(x2-5, g.simple[k]-4, f, right, Count(float64(s.Broken)), "")
		g.text(x2-5, g.simple[k]+11, faceRef, right, message.Say("chart.of").Count("n", s.Checked).String(), "")
		if s.Part >= 0 {
			g.edge(x2+simpleW, g.simple[k], x3, g.complex[s.Part])
		}
	}
	for k, a := range m.Attributes {
		g.node(0, g.attributes[k], attributeW, "tint", a.Name, a.Text, a.Tip)
	}
	for k, s := range m.Simple {
		g.node(x2, g.simple[k], simpleW, "none", s.Name, s.Expr, "")
	}
	for k, c := range m.Complex {
		g.node(x3, g.complex[k], complexW, "none", c.Name, c.Text, c.Tip)
	}
	desc := message.Say("chart.model").Count("attributes", len(m.Attributes)).Count("constraints", len(m.Simple)).
		Count("broken", broken).Count("joined", len(m.Complex))
	return g.svg(id, "graph", m.Title, desc.String(), width, g.height)
}

// place gives every constraint a row, those of an attribute together, and puts attributes and joined constraints in the
// middle of theirs.
func (g *graph) place() {
	y := 20 + graphRow/2
	g.simple = make([]float64, len(g.Simple))
	for a := range g.Attributes {
		first, last := y, y
		n := 0
		for k, s := range g.Simple {
			if s.On == a {
				g.simple[k], last = y, y
				y += graphRow
				n++
			}
		}
		if n == 0 {
			y += graphRow
		}
		g.attributes = append(g.attributes, (first+last)/2)
	}
	g.complex = make([]float64, len(g.Complex))
	order := make([]int, len(g.Complex))
	for c := range order {
		order[c] = c
		sum, n := 0.0, 0.0
		for k, s := range g.Simple {
			if s.Part == c {
				sum, n = sum+g.simple[k], n+1
			}
		}
		g.complex[c] = sum / max(n, 1)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(g.complex[a], g.complex[b]) })
	next := 20 + graphRow/2
	for _, c := range order {
		g.complex[c] = max(g.complex[c], next)
		next = g.complex[c] + graphRow
	}
	g.height = max(y, next) - graphRow/2 + 4
}

// edge draws a line that leaves and arrives level, so far that a count stands on it.
func (g *graph) edge(x1, y1, x2, y2 float64) {
	end := max(x1, x2-graphCount)
	mid := (x1 + end) / 2
	g.path("M"+px(x1)+" "+px(y1)+"C"+px(mid)+" "+px(y1)+" "+px(mid)+" "+px(y2)+" "+px(end)+" "+px(y2)+"H"+px(x2), "twig")
}

// node draws a box around its middle; of two texts the first is the name.
func (g *graph) node(x, y, w float64, class, name, text, tip string) {
	g.rect(x, y-graphNode/2, w, graphNode, class, tip)
	if name == "" {
		g.fit(x+8, y+4, faceLabel, text, w-16)
		return
	}
	g.fit(x+8, y-3, faceNode, name, w-16)
	g.fit(x+8, y+11, faceTick, text, w-16)
}

// fit places a text that is cut where it is too long, and then told in full by a tooltip.
func (g *graph) fit(x, y float64, f face, s string, max float64) {
	short, cut := f.fit(s, max)
	tip := ""
	if cut {
		tip = s
	}
	g.text(x, y, f, left, short, tip)
}
