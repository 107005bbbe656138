package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
)

// means says a sentence of the tables of means.
func means(key string) message.Sentence { return message.Say("compare.means." + key) }

// meansSection is the mean of every measure over the folds, and its standard deviation, a table for every data set, and
// what the measures are.
func (t *contest) meansSection() *document.Section {
	lead := prose("lead", means("folds").Count("folds", t.Folds).Count("repeats", t.Repeats), t.arrows())
	blocks := []document.Block{lead}
	for d := range t.Data {
		blocks = append(blocks, t.meansOn(d))
	}
	return compareSection("means", append(blocks, t.described())...)
}

// arrows is the key to the tables.
func (t *contest) arrows() message.Sentence {
	if slices.ContainsFunc(t.entrants, func(e entrant) bool { return e.Baseline }) {
		return means("arrowsOut")
	}
	return means("arrows")
}

// meansOn is the table of a data set: a row for every measure that applies to some setting, those of one intruder below
// a row that names it, and a column for every setting.
func (t *contest) meansOn(data int) document.Fold {
	d := t.Data[data]
	title := means("of").Name("data", d.Name).Count("records", d.Records).Count("columns", d.Columns)
	if d.Class != "" {
		title = means("class").Part("says", title).Text("class", strconv.Quote(d.Class)).Count("n", d.Classes)
	}
	table := document.Table{Title: title, Columns: append(columns("compare.means", "measure"), t.meansColumns()...)}
	var who, none []string
	by := map[string][]document.Row{}
	for k := range t.gauges {
		g := &t.gauges[k]
		r, applies := t.meansRow(g, data)
		if name := Printable(g.Name); !applies && !slices.Contains(none, name) {
			none = append(none, name)
		}
		if !applies {
			continue
		}
		if !slices.Contains(who, g.Who) {
			who = append(who, g.Who)
		}
		by[g.Who] = append(by[g.Who], r)
	}
	for _, name := range who {
		if name != "" {
			against := document.Cell{Says: means("against").Name("who", name), Span: len(table.Columns)}
			table.Rows = append(table.Rows, document.Row{Key: name, Cells: []document.Cell{against}})
		}
		table.Rows = append(table.Rows, by[name]...)
	}
	f := fold(title, table)
	if none != nil {
		f.Blocks = append(f.Blocks, prose("note", means("notApplied").Text("names", strings.Join(none, ", "))))
	}
	return f
}

// meansColumns are the settings, the original first.
func (t *contest) meansColumns() (out []document.Column) {
	place := t.byPlace()
	for k, s := range t.Settings {
		c := document.Column{Title: message.Name(s.Name), Numeric: true}
		if k > 0 && place[k-1].Baseline {
			c.Below = []message.Sentence{message.Say("compare.place.aside")}
		}
		out = append(out, c)
	}
	return out
}

// meansRow is a measure in the table of a data set, and whether it has a value for any setting: what failed for all of
// them is among the failures.
func (t *contest) meansRow(g *gauge, data int) (r document.Row, applies bool) {
	key := "lower"
	if g.Better == measure.Higher {
		key = "higher"
	}
	r = row(means(key).Text("measure", labelOf(g)))
	r.Key = g.Label
	for k := range t.Settings {
		s := t.Summary(data, k, g.Index, "")
		c := meanCell(g, s)
		applies = applies || s != nil && s.Cells > 0
		r.Cells = append(r.Cells, c)
	}
	return r, applies
}

// labelOf names a measure in a table: its name and parameters, and the unit if it is short.
func labelOf(g *gauge) string {
	label := g.Name
	if g.Varied != "" {
		label += " " + g.Varied
	}
	if g.Unit.Percent() || len(g.unit) <= 4 && g.unit != "" {
		label += ", " + g.unit
	}
	return label
}

// meanCell is a mean and its standard deviation with two digits of the latter.
func meanCell(g *gauge, s *study.Summary) document.Cell {
	switch {
	case s == nil || s.Cells == 0 && s.Failed == 0:
		return document.Cell{Says: means("none")}
	case s.Cells == 0:
		return document.Cell{Says: means("failed")}
	}
	mean, sd := float64(s.Mean*g.Factor), float64(s.SD*g.Factor)
	text := strconv.FormatFloat(mean, 'f', 3, 64)
	if sd > 0 && !math.IsInf(sd, 0) {
		digits := min(6, max(0, 1-int(math.Floor(portable.Log10(sd)))))
		text = strconv.FormatFloat(mean, 'f', digits, 64) + " ± " + strconv.FormatFloat(sd, 'f', digits, 64)
	}
	if s.Failed > 0 {
		text = means("some").Text("mean", text).Count("n", s.Failed).String()
	}
	return document.Cell{Figure: &document.Figure{Key: g.Label, Title: message.Text(g.name), Value: s.Mean, Lo: s.Lo,
		Hi: s.Hi, Level: 0.95, Unit: g.Unit, Shown: text}}
}

// described says what every measure is, and what it remarked in how many runs.
func (t *contest) described() document.Fold {
	var what document.Facts
	var notes []remark
	for i := range t.gauges {
		g := &t.gauges[i]
		says := means("what").Text("title", g.Title).Part("better", message.Say("better."+string(g.Better)))
		if !g.Unit.Says.Empty() {
			says = means("whatUnit").Text("title", g.Title).Part("unit", g.Unit.Says.Sentence).
				Part("better", message.Say("better."+string(g.Better)))
		}
		what.Items = append(what.Items, document.Fact{Name: message.Name(g.Label), Says: says})
		for _, n := range t.notes(g) {
			notes = together(notes, g.Label, n)
		}
	}
	f := fold(means("measures").Count("n", len(t.gauges)), what)
	if notes != nil {
		f.Blocks = append(f.Blocks, part(message.Say("attack.notes"), document.Facts{Items: factsOfRemarks(notes)}))
	}
	return f
}
