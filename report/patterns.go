package report

import (
	"fmt"
	"html/template"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure/distributions"
	"github.com/dither-data/dither/measure/rulepreservation"
	"github.com/dither-data/dither/measure/ruletypes"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/study"
)

// heatMap is one of the two maps of correlations.
type heatMap struct {
	chart.Correlations
	released bool
}

// Draw draws it.
func (m heatMap) Draw(id string) template.HTML {
	original, released := chart.HeatMaps(id, m.Correlations)
	if m.released {
		return released
	}
	return original
}

// drawing is a chart that is a function of its id.
type drawing func(id string) template.HTML

// Draw draws it.
func (d drawing) Draw(id string) template.HTML { return d(id) }

// correlationsOf is the two heat maps, and the pairs that changed most.
func correlationsOf(o *study.Outcome) []document.Block {
	d, ok := detail[distributions.Detail](o)
	if !ok || !d.Matrices() {
		return nil
	}
	m := chart.Correlations{Names: d.Names, Original: d.CorrOriginal, Released: d.CorrReleased}
	lead := prose("lead", message.Say("correlations.lead"))
	if i, j, diff, ok := m.Largest(); ok && diff >= chart.LeastShift {
		lead.Says = append(lead.Says, message.Say("correlations.framed").Name("a", m.Names[j]).Name("b", m.Names[i]))
	}
	if n := len(m.Names) - chart.MostCorrelated; n > 0 {
		lead.Says = append(lead.Says, message.Say("correlations.left").Count("shown", chart.MostCorrelated).Count("n", n))
	}
	original, released := heatMap{m, false}, heatMap{m, true}
	look := lookPair + " maps"
	if chart.Width(original.Draw("heat")) > pageWidth/2 { // too large for half a sheet of paper
		look += " large"
	}
	blocks := []document.Block{lead, document.Charts{Look: lookKey,
		Items: []document.Chart{{Key: "heat-key", Drawing: drawing(chart.HeatKey)}}},
		document.Charts{Look: look, Items: []document.Chart{{Key: "heat", Title: message.Say("before"), Drawing: original},
			{Key: "heat", Title: message.Say("after"), Drawing: released}}}}
	if s := m.Shifts(mostShifts); len(s) > 0 {
		blocks = append(blocks, document.Charts{Look: lookAlone,
			Items: []document.Chart{{Key: "shifts", Title: message.Say("correlations.most").Count("n", len(s)),
				Drawing: drawing(func(id string) template.HTML { return chart.DrawShifts(id, s) })}}})
	}
	return []document.Block{part(message.Say("correlations.title"), blocks...)}
}

// mostShifts bounds the list of correlations that changed.
const mostShifts = 12

// pageWidth is the width of the text in the style sheet, in pixels.
const pageWidth = 1116

// mostRules bounds the table of rules.
const mostRules = 100

// rulesOf is the section on the two decision trees; it is internal as a whole. Two trees without a test have nothing to
// show.
func rulesOf(o *study.Outcome, _ Options) *document.Section {
	d, ok := detail[rulepreservation.TreeSimilarityDetail](o)
	if !ok || d.Original == nil || d.Released == nil || len(d.Original.Nodes) == 0 ||
		len(d.Released.Nodes) == 0 || d.Bare() {
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
	lead := prose("lead", message.Say("rules.lead"))
	if d.Class != "" {
		lead.Says = append(lead.Says, message.Say("rules.class").Part("class", d.Class.Sentence()))
	}
	types := document.Table{Title: message.Say("rules.types"), Look: "types",
		Columns: columns("rules.type", "letter", "says", "rules n", "records n")}
	for k, letter := range []string{"A", "B", "C", "D"} {
		r := row(message.Text(letter), message.Say("rules.is."+letter), message.Count(rules[k]),
			message.Share(d.Weights[k]/100))
		r.Cells[0].Look = "tag " + letter
		types.Rows = append(types.Rows, r)
	}
	side := func(released bool) drawing {
		return func(id string) template.HTML {
			original, release := chart.Trees(id, d.Original, d.Released, letters, d.Match)
			if released {
				return release
			}
			return original
		}
	}
	trees := document.Charts{Look: lookPair + " trees", Items: []document.Chart{{Key: "tree",
		Title: message.Say("before"), Drawing: side(false)},
		{Key: "tree", Title: message.Say("after"), Drawing: side(true)}}}
	return &document.Section{Key: "rules", Title: message.Say("rules.title"),
		Blocks: []document.Block{lead, types, trees, rulesInWords(d)}}
}

// wider returns the styles that widen the page for two trees of these widths, in pixels, on screens with so much room.
func wider(a, b float64) template.CSS {
	var out template.CSS
	for _, need := range []float64{max(a, b), a + b + 60} {
		if need > pageWidth {
			out += template.CSS(fmt.Sprintf("@media screen and (min-width: %.0fpx) { .trees { margin-inline: calc((100%% - "+
				"%.0fpx) / 2); } }\n", need+60, need))
		}
	}
	return out
}

// rulesInWords lists the rules of the release, for those who do not see the drawing.
func rulesInWords(d *rulepreservation.TreeSimilarityDetail) document.Block {
	t := document.Table{Title: message.Say("rules.words"),
		Columns: columns("rules.columns", "rule n", "type", "if wide", "then", "records n", "like n")}
	texts, out := chart.Rules(d.Released), []document.Block(nil)
	for k, node := range d.Released.Leaves() {
		if k == mostRules {
			out = append(out, prose("note", message.Say("rules.left").Count("n", len(texts)-k)))
			break
		}
		t.Rows = append(t.Rows, ruleRow(d, k, &d.Released.Nodes[node], texts[k]))
	}
	return fold(t.Title, append([]document.Block{t}, out...)...)
}

func ruleRow(d *rulepreservation.TreeSimilarityDetail, k int, n *tree.Node, text string) document.Row {
	r := row(message.Count(k+1), message.Sentence{}, message.Text(text),
		message.Name(d.Released.ClassLabels()[n.Label]),
		message.Text(chart.Count(n.Weight())), message.Say("rules.none"))
	if k < len(d.Types) {
		r.Cells[1].Says = message.Text(d.Types[k].String())
	}
	if k < len(d.Match) && d.Match[k] >= 0 {
		r.Cells[5].Says = message.Count(d.Match[k] + 1)
	}
	return r
}
