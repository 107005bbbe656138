package chart

import (
	"cmp"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// groupFigures is the width of the figures at the right of groups.
const groupFigures = 112.0

// group is what a released category holds of the original.
type group struct {
	bar
	parts []float64 // shares of the group by exact value, the largest first
}

// Groups draws a generalised attribute: every released category with the share of the release as a narrow bar, on the
// wide bar of the records whose original value is in it, divided by the exact values that it no longer tells apart. The
// codes of the original are those of the release's categories; exact holds its values as they were, row by row. It
// shows the seven or eight largest groups and sums the rest. Shares are those of the values that are not missing. Cost:
// O(n log n).
func Groups(id string, a *table.Attribute, original, released []int32, exact *table.Column) template.HTML {
	title := message.Say("chart.groupsOf").Name("column", a.Name).String()
	rows := groupsOf(a, original, released, exact)
	if len(rows) == 0 {
		return empty(id, title)
	}
	var c canvas
	var bars []bar
	for _, g := range rows {
		bars = append(bars, g.bar)
	}
	top, dwarfs := scaleOf(bars)
	names := labels(bars, func(b bar) string { return b.label })
	const x0, x1 = barLabel + 8, smallWidth - groupFigures
	for k, g := range rows {
		y := float64(k)*barPitch + 4
		c.fitted(barLabel, y+12, faceLabel, right, g.label, barLabel, names)
		if g.rest && dwarfs {
			c.text(x0+4, y+12, faceTick, left, message.Say("chart.noBar").String(), "")
		} else {
			c.rect(x0, y+1, g.before/top*(x1-x0), 14, "before", "")
			c.split(x0, y+1, g.before/top*(x1-x0), 14, g.parts)
			c.rect(x0, y+5, g.after/top*(x1-x0), 6, "bar", "")
		}
		c.raw(`<text x="`, px(smallWidth-2), `" y="`, px(y+12), `" class="k" text-anchor="end">`,
			message.Say("chart.values").Count("n", len(g.parts)).String(), ` <tspan class="r">`,
			points(g.after), ` %</tspan></text>`)
		c.rect(0, y-2, smallWidth, barPitch, "hit", g.told())
	}
	height := float64(len(rows))*barPitch + 8
	c.raw(`<path d="M`, px(x0), ` 2V`, px(height-4), `" class="axis"/>`)
	desc := message.Say("chart.groups").Count("n", len(rows))
	if dwarfs {
		desc = message.After(desc, message.Say("chart.withoutBar"))
	}
	return c.svg(id, "small", title, desc.String(), smallWidth, height)
}

// told says in words what a group holds.
func (g *group) told() string {
	n, figures := len(g.parts), g.tip(false)
	if n < 2 {
		return message.Say("chart.group").Text("figures", figures).Count("n", n).String()
	}
	return message.Say("chart.groupMixed").Text("figures", figures).Count("n", n).Share("commonest", g.parts[0]).String()
}

// narrowest is the width of the smallest part of a bar that is told apart from the next, in pixels.
const narrowest = 2.0

// split divides a bar at the borders of its parts, as far as they can be told apart.
func (c *canvas) split(x, y, w, h float64, parts []float64) {
	var d strings.Builder
	for _, p := range parts[:max(len(parts)-1, 0)] {
		if x += p * w; p*w < narrowest {
			break
		}
		line(&d, x, y, x, y+h)
	}
	c.path(d.String(), "split")
}

// groupsOf counts the exact values in every group and chooses the rows.
func groupsOf(a *table.Attribute, original, released []int32, exact *table.Column) []group {
	seen := make([]map[float64]int, len(a.Labels))
	for i, g := range original {
		if v := valueAt(exact, i); g >= 0 && v == v {
			if seen[g] == nil {
				seen[g] = map[float64]int{}
			}
			seen[g][v]++
		}
	}
	flat := *a
	flat.Ordered = false // the order of intervals is not that of the largest, and there are few rows
	var out []group
	shown := make([]bool, len(a.Labels))
	for _, b := range barsOf(&flat, original, released) {
		g := group{bar: b}
		if !b.rest {
			k := slices.Index(a.Labels, b.label)
			shown[k] = true
			g.parts = partsOf(seen[k : k+1])
		} else {
			var rest []map[float64]int
			for k := range seen {
				if !shown[k] {
					rest = append(rest, seen[k])
				}
			}
			g.parts = partsOf(rest)
		}
		out = append(out, g)
	}
	if a.Ordered {
		slices.SortStableFunc(out, func(p, q group) int {
			return cmp.Or(boolean(p.rest)-boolean(q.rest), slices.Index(a.Labels, p.label)-slices.Index(a.Labels, q.label))
		})
	}
	return out
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// valueAt returns a value as a number: that of a category is its code; NaN is missing.
func valueAt(c *table.Column, row int) float64 {
	switch {
	case row >= c.Len() || !c.Kind.Scalar() || c.MissingAt(row):
		return math.NaN()
	case c.Kind == table.Numeric:
		return c.Num[row]
	}
	return float64(c.Cat[row])
}

// partsOf returns the shares of the exact values, the largest first.
func partsOf(groups []map[float64]int) []float64 {
	total, sum := map[float64]int{}, 0.0
	for _, g := range groups {
		for v, n := range g {
			total[v] += n
			sum += float64(n)
		}
	}
	var out []float64
	for _, n := range total {
		out = append(out, float64(n)/sum)
	}
	slices.SortFunc(out, func(p, q float64) int { return cmp.Compare(q, p) })
	return out
}
