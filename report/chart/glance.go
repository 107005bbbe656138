package chart

import (
	"html/template"
	"strings"

	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/message"
)

// Glance sets groups of shares beside each other on one scale from 0 to 100 %: each of the original and of the release.
type Glance struct {
	Title  string // for screen readers
	Groups []Glimpse
}

// Glimpse is a group of shares with what they are shares of in its title.
type Glimpse struct {
	Title string
	Pairs []Pair
}

// Pair is a share of the original and of the release, in per cent.
type Pair struct {
	Label string
	Was   float64 // NaN where it is not known
	Is    Estimate
	Limit float64 // that the release is held against; NaN for none
}

const (
	glancePitch = 42.0 // of a pair: its name, and its bar below
	glanceHead  = 24.0
	glanceBar   = 18.0 // from the upper end of a pair to that of its bar
)

// Draw draws the original as a wide grey bar, the release as a narrow one on it with an error bar, and the limit as a
// dashed line. The id must be unique in the page. Cost: O(pairs).
func (g Glance) Draw(id string) template.HTML {
	var c canvas
	var grid, errors strings.Builder
	const x0, x1 = 2.0, smallWidth - 14
	at := func(v float64) float64 { return x0 + clamp(v, 0, 100)/100*(x1-x0) }
	y := 0.0
	var says []message.Sentence
	var bars canvas
	for _, group := range g.Groups {
		c.fitted(0, y+13, faceNode, left, group.Title, smallWidth-4, nil)
		y += glanceHead
		for _, p := range group.Pairs {
			text, said := p.figures()
			says = append(says, said)
			c.fitted(0, y+11, faceLabel, left, p.Label, smallWidth-faceNode.width(text)-14, nil)
			c.text(smallWidth-4, y+11, faceNode, right, text, "")
			if p.Was == p.Was {
				bars.rect(x0, y+glanceBar, at(p.Was)-x0, 14, "before", "")
			}
			bars.rect(x0, y+glanceBar+4, at(p.Is.Mean)-x0, 6, "bar", "")
			if lo, hi := p.Is.Ends(); lo < hi {
				whisker(&errors, at(lo), at(hi), y+glanceBar+7)
			}
			if p.Limit == p.Limit {
				var d strings.Builder
				line(&d, at(p.Limit), y+glanceBar-3, at(p.Limit), y+glanceBar+17)
				bars.path(d.String(), "ref")
			}
			bars.rect(0, y, smallWidth, glancePitch, "hit", said.String())
			for v := 0.0; v <= 100; v += 25 {
				line(&grid, at(v), y+glanceBar-2, at(v), y+glanceBar+16)
			}
			y += glancePitch
		}
	}
	c.path(grid.String(), "grid")
	c.raw(bars.b.String())
	c.path(errors.String(), "err")
	for _, v := range []float64{0, 50, 100} {
		label := numfmt.Fixed(v, 0)
		if v == 100 {
			label += " %"
		}
		c.text(inside(at(v), faceTick.width(label)), y+7, faceTick, middle, label, "")
	}
	return c.svg(id, "small", g.Title, message.After(says...).String(), smallWidth, y+12)
}

// figures are a pair for the eye, and in a sentence.
func (p *Pair) figures() (text string, said message.Sentence) {
	text = Percent(p.Is.Mean / 100)
	said = message.Say("chart.one").Name("name", p.Label).Share("share", p.Is.Mean/100)
	if p.Was == p.Was {
		text = Percent(p.Was/100) + " → " + text
		said = message.Say("chart.both").Name("name", p.Label).Share("before", p.Was/100).Share("after", p.Is.Mean/100)
	}
	if lo, hi := p.Is.Ends(); lo < hi {
		said = message.Say("chart.between").Part("says", said).Share("lo", lo/100).Share("hi", hi/100)
	}
	if p.Limit == p.Limit {
		said = message.Say("chart.limited").Part("says", said).Share("limit", p.Limit/100)
	}
	return text, said.Whole()
}
