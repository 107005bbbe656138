package chart

import (
	"cmp"
	"html/template"
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

const (
	barPitch   = 21.0
	barLabel   = 122.0 // right edge of the category names
	barFigures = 84.0  // width of the figures at the right
	mostBars   = 8
	mostSteps  = 100 // columns of an ordered attribute
)

// bar is one row of a bar chart.
type bar struct {
	label         string
	before, after float64 // shares of the values that are not missing
	rest          bool    // sums all categories that have no row
}

// Bars draws a categorical attribute before and after: the original as a wide grey bar, the release as a narrow one on
// it. It shows the seven or eight largest categories, in the labels' order when that is meaningful, and sums the rest;
// more categories in order, such as intervals, are columns. With original nil it draws the release alone and names only
// categories that the release contains. Shares are those of the values that are not missing. Cost: O(n + k log k) for k
// categories.
func Bars(id string, a *table.Attribute, original, released []int32) template.HTML {
	title := message.Say("chart.categories").Name("column", a.Name).String()
	if c, ok := inOrder(a, original, released); ok {
		c.Title = title
		return c.Draw(id)
	}
	rows := barsOf(a, original, released)
	if len(rows) == 0 {
		return empty(id, title)
	}
	var c canvas
	top, dwarfs := scaleOf(rows)
	names := labels(rows, func(b bar) string { return b.label })
	const x0, x1 = barLabel + 8, smallWidth - barFigures
	for k, b := range rows {
		y := float64(k)*barPitch + 4
		c.fitted(barLabel, y+12, faceLabel, right, b.label, barLabel, names)
		if b.rest && dwarfs {
			c.text(x0+4, y+12, faceTick, left, message.Say("chart.noBar").String(), "")
		} else {
			if original != nil {
				c.rect(x0, y+1, b.before/top*(x1-x0), 14, "before", "")
			}
			c.rect(x0, y+5, b.after/top*(x1-x0), 6, "bar", "")
		}
		c.barFigures(y+12, b, original == nil)
		c.rect(0, y-2, smallWidth, barPitch, "hit", b.tip(original == nil))
	}
	height := float64(len(rows))*barPitch + 8
	c.raw(`<path d="M`, px(x0), ` 2V`, px(height-4), `" class="axis"/>`)
	desc := []message.Sentence{message.Say("chart.bars").Count("n", len(rows))}
	if original != nil {
		desc = append(desc, message.Say("chart.barsBoth"))
	}
	if dwarfs {
		desc = append(desc, message.Say("chart.withoutBar"))
	}
	return c.svg(id, "small", title, message.After(desc...).String(), smallWidth, height)
}

// mostDwarfed is up to how many times the largest category the others together may be before their bar would leave
// nothing to see of the rest.
const mostDwarfed = 2

// scaleOf is the share at the right end of the scale, and whether the sum of the others is beyond it.
func scaleOf(rows []bar) (top float64, dwarfs bool) {
	rest := 0.0
	for _, b := range rows {
		if v := math.Max(b.before, b.after); b.rest {
			rest = v
		} else {
			top = math.Max(top, v)
		}
	}
	if rest > mostDwarfed*top {
		return top, true
	}
	return math.Max(top, rest), false
}

// inOrder returns the columns of an attribute whose categories have an order, when they are too many for rows and not
// too many for columns.
func inOrder(a *table.Attribute, original, released []int32) (c Columns, ok bool) {
	if !a.Ordered {
		return c, false
	}
	before, after := shareOf(original, len(a.Labels)), shareOf(released, len(a.Labels))
	c.Marked = -1
	for k, label := range a.Labels {
		if before[k]+after[k] == 0 {
			continue
		}
		c.Names, c.Released = append(c.Names, label), append(c.Released, after[k])
		if original != nil {
			c.Original = append(c.Original, before[k])
		}
	}
	return c, len(c.Names) > mostBars && len(c.Names) <= mostSteps
}

// both tells the shares of something in the original and in the release.
func both(name string, before, after float64) string {
	return message.Say("chart.both").Name("name", name).Share("before", before).Share("after", after).String()
}

func (b bar) tip(alone bool) string {
	if alone {
		return message.Say("chart.one").Name("name", b.label).Share("share", b.after).String()
	}
	return both(b.label, b.before, b.after)
}

// barFigures writes both shares at the right end of a row.
func (c *canvas) barFigures(y float64, b bar, alone bool) {
	c.raw(`<text x="`, px(smallWidth-2), `" y="`, px(y), `" class="k" text-anchor="end">`)
	if !alone {
		c.raw(points(b.before), ` → `)
	}
	c.raw(`<tspan class="r">`, points(b.after), ` %</tspan></text>`)
}

// points writes a share in per cent, without the sign, in as little room as is honest.
func points(share float64) string {
	switch v := math.Round(share * 1000); {
	case v == 0 && share > 0:
		return "&lt;0.1"
	case v == 1000 && share < 1:
		return "&gt;99.9"
	case v == 1000:
		return "100"
	}
	return strconv.FormatFloat(math.Abs(share*100), 'f', 1, 64)
}

// barsOf counts the categories and chooses the rows.
func barsOf(a *table.Attribute, original, released []int32) []bar {
	before, after := shareOf(original, len(a.Labels)), shareOf(released, len(a.Labels))
	var codes []int
	for k := range a.Labels {
		if before[k]+after[k] > 0 {
			codes = append(codes, k)
		}
	}
	rank := before
	if original == nil {
		rank = after
	}
	slices.SortStableFunc(codes, func(p, q int) int {
		return cmp.Or(cmp.Compare(rank[q], rank[p]), cmp.Compare(after[q], after[p]))
	})
	var rest bar
	if n := len(codes); n > mostBars {
		for _, k := range codes[mostBars-1:] {
			rest.before, rest.after = rest.before+before[k], rest.after+after[k]
		}
		rest.rest = true
		rest.label = message.Say("chart.others").Count("n", n-mostBars+1).String()
		codes = codes[:mostBars-1]
	}
	if a.Ordered {
		slices.Sort(codes)
	}
	var rows []bar
	for _, k := range codes {
		rows = append(rows, bar{label: a.Labels[k], before: before[k], after: after[k]})
	}
	if rest.rest {
		rows = append(rows, rest)
	}
	return rows
}

func shareOf(codes []int32, labels int) []float64 {
	out := make([]float64, labels)
	total := 0.0
	for _, k := range codes {
		if k >= 0 {
			out[k]++
			total++
		}
	}
	for k := range out {
		out[k] /= math.Max(total, 1)
	}
	return out
}
