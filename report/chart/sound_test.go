package chart

import (
	"encoding/xml"
	"fmt"
	"html/template"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// label is a text of a drawing with the box it is estimated to take.
type label struct {
	text           string
	x0, y0, x1, y1 float64
}

// inspect parses a fragment and fails on what a browser could not draw or a reader could not read: broken XML,
// coordinates that are no numbers, labels outside the drawing or on top of each other, missing descriptions.
func inspect(t testing.TB, name string, svg template.HTML) []label {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	var w, h, margin float64
	var labels []label
	ids, depth, inText, tip := map[string]bool{}, 0, -1, false
	named := ""
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%s: not well-formed: %v\n%.300s", name, err, svg)
		}
		switch e := tok.(type) {
		case xml.StartElement:
			depth++
			at := map[string]string{}
			for _, a := range e.Attr {
				at[a.Name.Local] = a.Value
				if a.Name.Local != "id" && (strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf")) {
					t.Fatalf("%s: attribute %s=%q", name, a.Name.Local, a.Value)
				}
			}
			if id := at["id"]; id != "" {
				if ids[id] {
					t.Fatalf("%s: id %q occurs twice", name, id)
				}
				ids[id] = true
			}
			switch e.Name.Local {
			case "svg":
				if _, err := fmt.Sscanf(at["viewBox"], "%g %g %g %g", &margin, &margin, &w, &h); err != nil || w <= 0 || h <= 0 {
					t.Fatalf("%s: viewBox %q", name, at["viewBox"])
				}
				if want := map[bool]string{true: "group", false: "img"}[strings.Contains(string(svg), "<a ")]; at["role"] != want {
					t.Errorf("%s: role %q", name, at["role"])
				}
				named = at["aria-labelledby"]
			case "text":
				inText = len(labels)
				labels = append(labels, placed(t, at))
			case "title":
				tip = true
			case "rect":
				if at["width"] != "100%" && (number(t, at["width"]) < 0 || number(t, at["height"]) < 0) {
					t.Fatalf("%s: negative size %v", name, at)
				}
			}
		case xml.EndElement:
			depth--
			switch e.Name.Local {
			case "title":
				tip = false
			case "text":
				labels[inText].spread()
				inText = -1
			}
		case xml.CharData:
			if inText >= 0 && !tip {
				labels[inText].text += string(e)
			}
		}
	}
	for _, id := range strings.Fields(named) {
		if !ids[id] {
			t.Errorf("%s: nothing has the id %q that names the drawing", name, id)
		}
	}
	if len(strings.Fields(named)) != 2 {
		t.Errorf("%s: needs a title and a description, has %q", name, named)
	}
	apart(t, name, labels, w+2*margin, h+2*margin)
	return labels
}

var faces = map[string]face{"k": faceTick, "l": faceLabel, "b": faceNode, "c": faceHead, "v": faceCell, "g": faceTag}

// placed notes the anchor (in x1) and the size (in y0) of a text until its content is known.
func placed(t testing.TB, at map[string]string) label {
	f, ok := faces[strings.Fields(at["class"])[0]]
	if !ok {
		t.Fatalf("text of unknown class %q", at["class"])
	}
	kind := map[string]float64{"": 0, "middle": 0.5, "end": 1}[at["text-anchor"]]
	bold := 0.0
	if f.bold {
		bold = 1
	}
	return label{x0: number(t, at["x"]), x1: kind, y1: number(t, at["y"]), y0: f.size + 100*bold}
}

func (l *label) spread() {
	f := face{size: l.y0, bold: l.y0 > 100}
	if f.bold {
		f.size -= 100
	}
	w := f.width(l.text)
	l.x0 -= l.x1 * w
	l.x1 = l.x0 + w
	l.y0, l.y1 = l.y1-0.72*f.size, l.y1+0.2*f.size
}

func number(t testing.TB, s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatalf("%q is not a number", s)
	}
	return v
}

// apart fails when a label leaves the drawing or touches another.
func apart(t testing.TB, name string, labels []label, w, h float64) {
	t.Helper()
	const eps = 0.3
	for i, a := range labels {
		if a.x0 < -eps || a.y0 < -eps || a.x1 > w+eps || a.y1 > h+eps {
			t.Errorf("%s: label %q at %.1f,%.1f to %.1f,%.1f leaves the drawing of %g by %g", name, a.text, a.x0, a.y0, a.x1,
				a.y1, w, h)
		}
		for _, b := range labels[:i] {
			if a.x0 < b.x1-eps && b.x0 < a.x1-eps && a.y0 < b.y1-eps && b.y0 < a.y1-eps {
				t.Errorf("%s: labels %q and %q overlap", name, a.text, b.text)
			}
		}
		if strings.Contains(a.text, "-0") && !strings.ContainsAny(a.text, "123456789") {
			t.Errorf("%s: label %q", name, a.text)
		}
	}
}

// grow returns a tree with at least the given number of leaves on columns a (numeric), b (categorical) and the class,
// made at random.
func grow(r *rand.Rand, names [3]string, labels, classes []string, leaves int) *tree.Tree {
	t := &tree.Tree{Class: 2, Attrs: []table.Attribute{
		{Name: names[0], Step: 1, Domain: table.Interval{Lo: 0, Hi: 99999}},
		{Name: names[1], Kind: table.Categorical, Labels: labels},
		{Name: names[2], Kind: table.Categorical, Labels: classes},
	}}
	var put func(need int, weight float64) int32
	put = func(need int, weight float64) int32 {
		i := int32(len(t.Nodes))
		t.Nodes = append(t.Nodes, tree.Node{Attr: -1, Counts: make([]float64, len(classes))})
		if need <= 1 {
			n := &t.Nodes[i]
			for range 3 {
				n.Counts[r.IntN(len(classes))] += math.Round(weight / 3)
			}
			for c, w := range n.Counts {
				if w > n.Counts[n.Label] {
					n.Label = int32(c)
				}
			}
			return i
		}
		n := tree.Node{Attr: 0, Cut: float64(r.IntN(99999)), Counts: make([]float64, len(classes))}
		kids := 2
		if r.IntN(3) == 0 && len(labels) > 2 {
			n.Attr, n.Cut, kids = 1, 0, min(len(labels), 4)
			for c := range labels {
				n.Branch = append(n.Branch, int32(c%kids))
			}
		}
		left := need
		for k := range kids {
			part := max(1, left)
			if k < kids-1 {
				part = 1 + r.IntN(max(1, left-kids+k+1))
			}
			left -= part
			kid := put(min(part, need-1), weight*r.Float64())
			n.Kids = append(n.Kids, kid)
			for c, w := range t.Nodes[kid].Counts {
				n.Counts[c] += w
			}
		}
		t.Nodes[i] = n
		return i
	}
	put(leaves, 30162)
	return t
}

var awkward = []string{
	"a",
	"hours per week",
	strings.Repeat("very long name ", 20),
	"<script>alert('x')</script>",
	`"quoted" & 'odd'`,
	"Größe in Zentimetern ÄÖÜ",
	"年齢とても長い名前の属性です",
	"возраст пациента в годах",
	"العمر بالسنوات",
	"👩🏽‍⚕️ nurse",
	"tab\tand\nline",
	"\xff\xfe",
	"\u202Eevil",
	"WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
}
