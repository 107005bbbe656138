package report

import (
	"fmt"
	"html/template"
	"strconv"

	"github.com/dither-data/dither/measure/bias"
	"github.com/dither-data/dither/measure/ruletypes"
	"github.com/dither-data/dither/measure/treesimilarity"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// correlations is the section with the two heat maps.
type correlations struct {
	Key, Original, Released template.HTML
	Large                   bool          // too large for half a sheet of paper
	Left                    string        // how many attributes are left out
	Framed                  string        // the pair that differs most
	Shifts                  template.HTML // the pairs that changed most; empty when none did
	Most                    string        // how many these are
}

func correlationsOf(o *study.Outcome) *correlations {
	d, ok := detail[bias.Detail](o)
	if !ok || !d.Matrices() {
		return nil
	}
	m := chart.Correlations{Names: d.Names, Original: d.CorrOriginal, Released: d.CorrReleased}
	c := &correlations{Key: chart.HeatKey("heat-key")}
	c.Original, c.Released = chart.HeatMaps("heat", m)
	c.Large = chart.Width(c.Original) > pageWidth/2
	if n := len(m.Names) - chart.MostCorrelated; n > 0 {
		c.Left = "Shown are the " + strconv.Itoa(chart.MostCorrelated) + " attributes whose correlations changed most; " + counted(n, "other") + " changed less."
	}
	if s := m.Shifts(mostShifts); len(s) > 0 {
		c.Shifts, c.Most = chart.DrawShifts("shifts", s), counted(len(s), "pair")
	}
	if i, j, diff, ok := m.Largest(); ok && diff >= chart.LeastShift {
		c.Framed = m.Names[j] + " and " + m.Names[i]
	}
	return c
}

// mostShifts bounds the list of correlations that changed.
const mostShifts = 12

// pageWidth is the width of the text in the style sheet, in pixels.
const pageWidth = 1116

// mostRules bounds the table of rules.
const mostRules = 100

// trees is the section with the two decision trees.
type trees struct {
	Original, Released template.HTML
	Types              []typeRow
	Class              string
	Wider              template.CSS // styles that widen the page where the wider tree, and where both beside each other, find room
	Rules              []ruleRow
	Left               string // how many rules the table leaves out
}

type typeRow struct{ Letter, Text, Weight, Rules string }

type ruleRow struct{ Number, Type, If, Then, Records, Like string }

var typeText = [4]string{
	"the same rule stands in the original tree",
	"the rule differs from the original in numeric limits only",
	"neither, but it tests only attributes that the original tree tests too",
	"it tests an attribute that the original tree tests nowhere",
}

func treesOf(o *study.Outcome) *trees {
	d, ok := detail[treesimilarity.Detail](o)
	if !ok || d.Original == nil || d.Released == nil || len(d.Original.Nodes) == 0 || len(d.Released.Nodes) == 0 {
		return nil
	}
	letters := make([]byte, len(d.Types))
	var rules [4]int
	for k, t := range d.Types {
		letters[k] = byte(t)
		if t >= ruletypes.A && t <= ruletypes.D {
			rules[t-ruletypes.A]++
		}
	}
	t := &trees{Class: d.Class}
	t.Original, t.Released = chart.Trees("tree", d.Original, d.Released, letters, d.Match)
	t.Wider = wider(chart.Width(t.Original), chart.Width(t.Released))
	for k, text := range typeText {
		t.Types = append(t.Types, typeRow{string(rune('A' + k)), text, chart.Percent(d.Weights[k] / 100), chart.Count(float64(rules[k]))})
	}
	t.rules(d)
	return t
}

// wider returns the styles that widen the page for two trees of these widths, in pixels, on screens with so much room.
func wider(a, b float64) template.CSS {
	var out template.CSS
	for _, need := range []float64{max(a, b), a + b + 60} {
		if need > pageWidth {
			out += template.CSS(fmt.Sprintf("@media screen and (min-width: %.0fpx) { .trees { margin-inline: calc((100%% - %.0fpx) / 2); } }\n", need+60, need))
		}
	}
	return out
}

// rules lists the rules of the release in words, for those who do not see the drawing.
func (t *trees) rules(d *treesimilarity.Detail) {
	texts := chart.Rules(d.Released)
	for k, node := range d.Released.Leaves() {
		if k == mostRules {
			t.Left = counted(len(texts)-k, "further rule") + " not listed."
			return
		}
		n := &d.Released.Nodes[node]
		r := ruleRow{Number: strconv.Itoa(k + 1), If: texts[k], Then: d.Released.ClassLabels()[n.Label], Records: chart.Count(n.Weight()), Like: "none"}
		if k < len(d.Types) {
			r.Type = d.Types[k].String()
		}
		if k < len(d.Match) && d.Match[k] >= 0 {
			r.Like = strconv.Itoa(d.Match[k] + 1)
		}
		t.Rules = append(t.Rules, r)
	}
}
