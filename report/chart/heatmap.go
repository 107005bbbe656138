package chart

import (
	"cmp"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/stats/correlation"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/message"
)

// MostCorrelated is how many attributes a heat map shows at most.
const MostCorrelated = 30

// From these sizes of a correlation on a cell is so deep in colour that its figure is written in the colour of the
// paper: on a dark page and on a light one.
const (
	deepDark  = 0.61
	deepLight = 0.79
)

// Correlations is a correlation matrix before and after: symmetric, rows and columns in the order of Names, NaN where
// an attribute is constant.
type Correlations struct {
	Names              []string
	Original, Released [][]float64
}

// Largest returns the pair whose correlation differs most and that difference; ok is false when no pair is defined on
// both sides.
func (c Correlations) Largest() (i, j int, diff float64, ok bool) {
	return correlation.Furthest(c.Original, c.Released)
}

// Pick returns the correlations of the at most n attributes whose correlations differ most, in their old order.
func (c Correlations) Pick(n int) Correlations {
	if len(c.Names) <= n {
		return c
	}
	worst := make([]float64, len(c.Names))
	order := make([]int, len(c.Names))
	for i := range c.Names {
		order[i] = i
		for j := range c.Names {
			if d := math.Abs(c.Original[i][j] - c.Released[i][j]); d > worst[i] {
				worst[i] = d
			}
		}
	}
	slices.SortStableFunc(order, func(p, q int) int { return cmp.Compare(worst[q], worst[p]) })
	order = order[:n]
	slices.Sort(order)
	out := Correlations{}
	for _, i := range order {
		out.Names = append(out.Names, c.Names[i])
		a, b := make([]float64, n), make([]float64, n)
		for k, j := range order {
			a[k], b[k] = c.Original[i][j], c.Released[i][j]
		}
		out.Original, out.Released = append(out.Original, a), append(out.Released, b)
	}
	return out
}

// HeatMaps draws both matrices as lower triangles of one size and scale, with the names on the diagonal: a cell belongs
// to the name at the end of its row and to the name at the head of its column. The pair that differs most is framed in
// both, where it differs by what is written. It draws at most MostCorrelated attributes; Pick chooses them. Cost:
// O(m^2) for m attributes.
func HeatMaps(id string, c Correlations) (original, released template.HTML) {
	c = c.Pick(MostCorrelated)
	i, j, diff, ok := c.Largest()
	if !ok || diff < LeastShift {
		i, j = -1, -1
	}
	return triangle(id+"-o", message.Say("chart.correlationsBefore").String(), c.Names, c.Original, i, j),
		triangle(id+"-r", message.Say("chart.correlationsAfter").String(), c.Names, c.Released, i, j)
}

// cellSize returns the side of a cell by the number of attributes.
func cellSize(n int) float64 {
	switch {
	case n <= 9:
		return 36
	case n <= 13:
		return 30
	case n <= 20:
		return 25
	}
	return 19
}

func triangle(id, title string, names []string, m [][]float64, mi, mj int) template.HTML {
	const nameMax = 150
	size := cellSize(len(names))
	width := size
	var c canvas
	for i, name := range names {
		y := float64(i) * size
		for j := range i {
			c.cell(float64(j)*size, y, size, pair(names[j], name), m[i][j])
		}
		short, _ := faceLabel.distinct(name, nameMax, names)
		x := float64(i)*size + 5
		c.fitted(x, y+size/2+4, faceLabel, left, name, nameMax, names)
		width = math.Max(width, x+faceLabel.width(short)+2)
	}
	if mi >= 0 {
		c.raw(`<rect x="`, px(float64(mj)*size+.5), `" y="`, px(float64(mi)*size+.5), `" width="`, px(size-2), `" height="`, px(size-2),
			`" class="mark"/>`)
	}
	return c.svg(id, "heat", title, summary(names, m), width, float64(max(len(names), 1))*size+2)
}

// cell draws one correlation: the hue says the sign, the depth of the colour the size, the figure both.
func (c *canvas) cell(x, y, size float64, pair string, r float64) {
	c.raw(`<g><title>`, escape(pair), `: `, coefficient(r), `</title>`)
	class, text := "pos", "v"
	if r < 0 {
		class = "neg"
	}
	if math.Abs(r) >= deepLight {
		text = "v on"
	} else if math.Abs(r) >= deepDark {
		text = "v dk"
	}
	c.raw(`<rect x="`, px(x), `" y="`, px(y), `" width="`, px(size-1), `" height="`, px(size-1), `" class="`)
	if math.IsNaN(r) {
		c.raw(`none"/>`)
	} else {
		c.raw(class, `" fill-opacity="`, strconv.FormatFloat(math.Max(0.04, math.Min(math.Abs(r), 1)), 'f', 2, 64), `"/>`)
	}
	if size >= 25 {
		f := face{text, faceCell.size, false}
		s := strings.Replace(coefficient(r), "0.", ".", 1)
		if math.IsNaN(r) {
			s = "–"
		}
		c.text(x+(size-1)/2, y+size/2+3.1, f, middle, s, "")
	}
	c.raw(`</g>`)
}

// coefficient writes a correlation with two decimals, never as -0.00.
func coefficient(r float64) string {
	if math.IsNaN(r) {
		return message.Say("chart.undefined").String()
	}
	r = math.Round(r*100) / 100
	if r == 0 || math.Abs(r) == 1 {
		return numfmt.Group(strconv.FormatFloat(r, 'f', 0, 64), 9)
	}
	return numfmt.Group(strconv.FormatFloat(r, 'f', 2, 64), 9)
}

// summary describes a matrix to those who do not see it: its strongest correlation.
func summary(names []string, m [][]float64) string {
	best, s := 0.0, message.Sentence{}
	for i := range names {
		for j := range i {
			if v := math.Abs(m[i][j]); v > best {
				best = v
				s = message.Say("chart.strongest").Text("r", coefficient(m[i][j])).Name("a", names[j]).Name("b", names[i])
			}
		}
	}
	return message.After(message.Say("chart.triangle").Count("n", len(names)), s).String()
}

func pair(a, b string) string { return message.Say("chart.pair").Name("a", a).Name("b", b).String() }

// HeatKey draws the colour scale of the heat maps, from -1 to 1.
func HeatKey(id string) template.HTML {
	var c canvas
	const n, w, x0 = 21, 10.0, 13.0
	for k := range n {
		r := float64(k-n/2) / (n / 2)
		class := "pos"
		if r < 0 {
			class = "neg"
		}
		c.raw(`<rect x="`, px(x0+float64(k)*w), `" y="2" width="`, px(w), `" height="10" class="`, class, `" fill-opacity="`,
			strconv.FormatFloat(math.Max(0.04, math.Abs(r)), 'f', 2, 64), `"/>`)
	}
	for k, s := range []string{"−1", "−0.5", "0", "0.5", "1"} {
		c.text(x0+float64(k)*n*w/4, 25, faceTick, middle, s, "")
	}
	return c.svg(id, "key", message.Say("chart.scale").String(), message.Say("chart.scaleColours").String(), n*w+2*x0, 30)
}
