package chart

import (
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/message"
)

// RuleMap is a map of association rules by support (to the right, each gridline about twice the one before) and
// confidence (upwards), before and after.
type RuleMap struct {
	Title  string // for screen readers
	Width  float64
	Points []RulePoint
	// Support and Confidence are the thresholds, shares in (0, 1] and [0, 1].
	Support, Confidence float64
}

// RulePoint is a rule. A support of 0 is none.
type RulePoint struct {
	Fate          Fate
	Before, After Strength
	Tip           string // tooltip; empty for none
}

// Strength is the support and the confidence of a rule, shares in [0, 1].
type Strength struct{ Support, Confidence float64 }

// Fate says what became of a rule.
type Fate int

// What becomes of rules, in the order in which they are drawn, the last on top.
const (
	RuleKept   Fate = iota // in both tables: a dot where it is, a line from where it was
	RuleLost               // of the original alone: a grey dot where it was
	RuleNew                // of the release alone: a ring where it is
	RuleHidden             // was to be hidden, and is: a square where it was
)

type ruleMap struct {
	canvas
	RuleMap
	height         float64
	x0, x1, y0, y1 float64
	loX, hiX       float64 // supports at the frame
	loY            float64 // confidence at the lower end; 1 is at the upper one
}

// Draw draws the map. The id must be unique in the page. Cost: O(points).
func (m RuleMap) Draw(id string) template.HTML {
	if m.Width == 0 {
		m.Width = smallWidth
	}
	d := ruleMap{RuleMap: m, height: clamp(m.Width*0.6, 260, 440), loX: m.Support, loY: m.Confidence}
	d.Points = slices.DeleteFunc(slices.Clone(m.Points),
		func(p RulePoint) bool { s := p.at(); return !(s.Support > 0) || !(s.Confidence >= 0) })
	if len(d.Points) == 0 || !(m.Support > 0) {
		return empty(id, m.Title)
	}
	for _, p := range d.Points {
		for _, s := range p.places() {
			d.loX, d.hiX, d.loY = math.Min(d.loX, s.Support), math.Max(d.hiX, s.Support), math.Min(d.loY, s.Confidence)
		}
	}
	d.hiX = math.Min(1, math.Max(d.hiX*1.15, 2*d.loX))
	d.loX /= 1.15
	d.loY = math.Max(0, d.loY-(1-d.loY)*0.06)
	d.x0, d.x1, d.y0, d.y1 = 42, m.Width-8, 26, d.height-38
	d.axes()
	d.draw()
	class := "wide"
	if m.Width <= smallWidth {
		class = "small"
	}
	return d.svg(id, class, m.Title, d.describe(), m.Width, d.height)
}

// at is where the dot of a rule stands.
func (p RulePoint) at() Strength {
	if p.Fate == RuleKept || p.Fate == RuleNew {
		return p.After
	}
	return p.Before
}

// places are all points of its drawing.
func (p RulePoint) places() []Strength {
	if p.Fate == RuleKept && p.Before.Support > 0 {
		return []Strength{p.Before, p.After}
	}
	return []Strength{p.at()}
}

func (d *ruleMap) x(v float64) float64 {
	return clamp(d.x0+math.Log(v/d.loX)/math.Log(d.hiX/d.loX)*(d.x1-d.x0), d.x0, d.x1)
}

func (d *ruleMap) y(v float64) float64 {
	return clamp(d.y1-(v-d.loY)/(1.02-d.loY)*(d.y1-d.y0), d.y0, d.y1)
}

// axes draws the grid, the labels and the thresholds.
func (d *ruleMap) axes() {
	var grid, limits strings.Builder
	s := ticks(d.loY, 1, 6)
	for k := s.first; k <= s.last; k++ {
		y := d.y(k * s.step)
		line(&grid, d.x0, y, d.x1, y)
		d.text(d.x0-5, y+3.6, faceTick, right, Percent(k*s.step), "")
	}
	end := math.Inf(-1)
	for _, v := range d.supports() {
		x, w := d.x(v), faceTick.width(Percent(v))
		line(&grid, x, d.y0, x, d.y1)
		if at := math.Min(x, d.Width-w/2-1); at-w/2 > end+8 {
			d.text(at, d.y1+14, faceTick, middle, Percent(v), "")
			end = at + w/2
		}
	}
	d.path(grid.String(), "grid")
	d.raw(`<path d="M`, px(d.x0), ` `, px(d.y0), `V`, px(d.y1), `H`, px(d.x1), `" class="axis"/>`)
	line(&limits, d.x(d.Support), d.y0, d.x(d.Support), d.y1)
	line(&limits, d.x0, d.y(d.Confidence), d.x1, d.y(d.Confidence))
	d.path(limits.String(), "ref")
	d.text(0, 12, faceNode, left, message.Say("chart.confidence").String(), "")
	d.text(d.x1, d.y1+32, faceNode, right, message.Say("chart.support").String(), "")
}

// supports are the ticks of the logarithmic axis: 1, 2 and 5 times powers of ten.
func (d *ruleMap) supports() (out []float64) {
	for v := nice(d.loX, true); v <= d.hiX*(1+1e-9) && len(out) < 40; v = nice(v*1.5, true) {
		out = append(out, v)
	}
	return out
}

func (d *ruleMap) draw() {
	var lines strings.Builder
	for _, p := range d.Points {
		if all := p.places(); len(all) > 1 {
			line(&lines, d.x(all[0].Support), d.y(all[0].Confidence), d.x(all[1].Support), d.y(all[1].Confidence))
		}
	}
	d.path(lines.String(), "grid")
	for fate := RuleKept; fate <= RuleHidden; fate++ {
		for _, p := range d.Points {
			if p.Fate == fate {
				d.dot(p)
			}
		}
	}
}

func (d *ruleMap) dot(p RulePoint) {
	x, y := d.x(p.at().Support), d.y(p.at().Confidence)
	if p.Fate == RuleHidden {
		d.rect(x-4, y-4, 8, 8, "neg", p.Tip)
		return
	}
	class, radius := "bar", "3"
	switch p.Fate {
	case RuleLost:
		class = "worse"
	case RuleNew:
		class, radius = "close", "3.4"
	case RuleKept, RuleHidden:
	}
	d.raw(`<circle cx="`, px(x), `" cy="`, px(y), `" r="`, radius, `" class="`, class, `"`)
	if p.Tip == "" {
		d.raw(`/>`)
		return
	}
	d.raw(`><title>`, escape(p.Tip), `</title></circle>`)
}

// describe says what the drawing shows, for those who do not see it.
func (d *ruleMap) describe() string {
	var n [RuleHidden + 1]int
	for _, p := range d.Points {
		n[p.Fate]++
	}
	fates := [...]message.Sentence{message.Say("chart.fate.both").Count("n", n[0]),
		message.Say("chart.fate.original").Count("n", n[1]), message.Say("chart.fate.release").Count("n", n[2]),
		message.Say("chart.fate.hidden").Count("n", n[RuleHidden])}
	var parts []message.Sentence
	for fate, k := range n {
		if k > 0 {
			parts = append(parts, fates[fate])
		}
	}
	return message.Say("chart.rules").Part("parts", message.Listed(parts)).Share("support", d.Support).
		Share("confidence", d.Confidence).String()
}
