package report

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study/ranking"
)

// gauge is a measure of a comparison made ready to be shown: its words, and its figures with one number of decimals.
type gauge struct {
	*ranking.Scale
	name     string // for headings: Prediction accuracy
	noun     string // inside a sentence: prediction accuracy
	unit     string // what follows the figure: %, bits
	of       string // what it is a figure of: of the records
	decimals int
}

func newGauge(m *ranking.Scale) gauge {
	g := gauge{Scale: m, unit: m.Unit.String(), name: m.Called()}
	g.noun = g.name
	if r := []rune(g.name); len(r) > 1 && unicode.IsLower(r[1]) {
		g.noun = strings.ToLower(string(r[:1])) + string(r[1:])
	}
	if said := strings.Join(slices.DeleteFunc([]string{m.Varied, m.Who}, func(s string) bool { return s == "" }),
		", "); said != "" {
		g.name, g.noun = g.name+", "+said, g.noun+" ("+said+")"
	}
	if m.Unit.Percent() {
		g.unit, g.of = "%", m.Unit.Of.String()
	}
	// All figures of a measure have the decimals that the largest needs.
	g.decimals = 3
	if m.Largest > 0 {
		g.decimals = min(max(3-int(math.Floor(portable.Log10(m.Largest))), 0), 6)
	}
	if m.Largest >= 0.1 {
		g.decimals = min(g.decimals, 3)
	}
	if m.Unit.Percent() {
		g.decimals = 1
	}
	return g
}

// upper gives a text a capital, and takes its full stop.
func upper(s string) string { return strings.TrimSuffix(sentence(s), ".") }

// figure writes a value without and with its unit.
func (g *gauge) figure(v float64) string { return numfmt.Fixed(v, g.decimals) }

func (g *gauge) full(v float64) string { return strings.TrimSpace(g.figure(v) + " " + g.unit) }

// at is a value as a figure of the measure, with its unit.
func (g *gauge) at(v float64) document.Figure {
	f := document.Exactly(g.Label, v/g.Factor, g.Unit)
	f.Title, f.Shown = message.Text(g.name), g.full(v)
	return f
}

// points is a difference of two shares.
func (g *gauge) points(d float64) message.Sentence {
	if numfmt.Round(d, g.decimals) == 1 {
		return judged("point")
	}
	return judged("points").Fixed("n", d, g.decimals)
}

// direction says in words which end is good.
func (g *gauge) direction() message.Sentence {
	return message.Say("compare.direction."+string(g.Side)).Part("which", message.Say("better."+string(g.Better)))
}

// heading is the name with its unit, for axes.
func (g *gauge) heading() string {
	if u := strings.TrimSpace(g.unit + " " + g.of); u != "" {
		return g.name + ", " + u
	}
	return g.name
}

// between writes a span of figures, low to high.
func (g *gauge) between(lo, hi float64) message.Sentence {
	if g.figure(lo) == g.figure(hi) {
		return judged("value").Figure("value", g.at(hi))
	}
	return judged("between").Text("lo", g.figure(lo)).Figure("hi", g.at(hi))
}

// marginText writes the margin for a reader: 1 point, 0.01, 0.09 bits.
func (g *gauge) marginText() string {
	s := numfmt.Rounded(g.Margin, 2)
	switch {
	case !g.Unit.Percent():
		return strings.TrimSpace(s + " " + g.unit)
	case numfmt.Significant(g.Margin, 2) == 1:
		return "1 point"
	}
	return s + " points"
}
