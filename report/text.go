package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// verboseText writes everything: the verdict, the headline figures with how they are read, every measure, every column, and what is not protected.
func verboseText(w io.Writer, o *study.Outcome, s Screen) error {
	var p page
	p.headline(o)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", Printable(p.Headline))
	for _, s := range p.Deck {
		fmt.Fprintf(&b, "%s\n", Printable(s))
	}
	judgementText(&b, o.Verdict)
	section(&b, figureTable(o))
	worthText(&b, o)
	quartileText(&b, classifiers(o))
	clusterText(&b, clustersOf(o, false))
	section(&b, riskTableText(riskTableOf(o, study.Attacks(o, 0))))
	notMeasured(&b, o.Measures)
	section(&b, changeTable(o))
	remarks(&b, "Notes", o.Notes)
	remarks(&b, "How to correct for the noise", o.Corrections)
	remarks(&b, "What this does not protect", study.Texts(o.NotProtected))
	if lines := newFitter(o, s).files(); lines != nil {
		b.WriteString("\n" + joinedLines(lines))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// MeasuresText writes measures alone, as the verbose text of a release does.
func MeasuresText(w io.Writer, ms []study.Measured) error {
	o := &study.Outcome{Measures: ms}
	var b strings.Builder
	worthText(&b, o)
	section(&b, riskTableText(riskTableOf(o, study.Attacks(o, 0))))
	notMeasured(&b, ms)
	_, err := io.WriteString(w, b.String())
	return err
}

// worthText writes the measures that are no risks.
func worthText(b *strings.Builder, o *study.Outcome) {
	section(b, measureTable(o))
	for _, g := range measureGroups(o, false) {
		bullets(b, "Of several measures", joined(g.Notes))
	}
}

// judgementText writes a verdict whole.
func judgementText(b *strings.Builder, v *study.Verdict) {
	if v == nil {
		return
	}
	fmt.Fprintf(b, "\n%s\n", stateWords[v.State])
	if v.Sentence != "" {
		bullets(b, "The worst intruder", []string{sentence(v.Sentence)})
	}
	var reasons []string
	for _, r := range v.Reasons {
		reasons = append(reasons, strings.TrimSpace(sentence(r.Text)+" "+sentence(r.Remedy)))
	}
	bullets(b, "Why", reasons)
	section(b, demandTable(v))
	bullets(b, "Good for", v.GoodFor)
	bullets(b, "Not for", v.NotFor)
	if left := leftOpen(v); left != "" {
		remarks(b, "Not judged", []string{left})
	}
	remarks(b, "Limits", []string{v.Limits})
}

// demandTable lists the limits and what became of them.
func demandTable(v *study.Verdict) table.Writer {
	t := plain(table.Row{"Limit", "Bound", "Measured", "Interval", "Standing", "Against", "Source"}, 2, 3)
	for _, d := range v.Demands {
		bound := ""
		if d.Max != nil {
			bound, _ = scoreOf(*d.Max, d.Unit)
			bound = "≤ " + bound
		}
		if d.Min != nil {
			low, _ := scoreOf(*d.Min, d.Unit)
			bound = strings.TrimSpace("≥ " + low + " " + bound)
		}
		value, interval := Reached(&d)
		standing := string(d.Standing)
		if d.Accepted {
			standing += ", accepted"
		}
		t.AppendRow(table.Row{Printable(d.Title), bound, value, interval, standing, Printable(d.Against), Printable(d.Source)})
	}
	return t
}

// clusterText says how many records are in another cluster.
func clusterText(b *strings.Builder, c *clusters) {
	var lines []string
	if c != nil {
		for _, f := range c.Found {
			lines = append(lines, f.Title+": "+f.Moved)
		}
	}
	bullets(b, "What became of clusters", lines)
}

// remarks writes a list of sentences.
func remarks(b *strings.Builder, title string, lines []string) {
	lines = slices.Clone(lines)
	for k := range lines {
		lines[k] = sentence(lines[k])
	}
	bullets(b, title, lines)
}

// bullets writes a list, wrapped.
func bullets(b *strings.Builder, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	b.WriteString("\n" + title + "\n")
	for _, s := range lines {
		for k, l := range strings.Split(text.WrapSoft(Printable(s), 98), "\n") {
			lead := "  "
			if k == 0 {
				lead = "- "
			}
			b.WriteString(lead + strings.TrimRight(l, " ") + "\n")
		}
	}
}

func section(b *strings.Builder, t table.Writer) {
	if t.Length() == 0 {
		return
	}
	b.WriteString("\n" + t.Render() + "\n")
}

// mostCell is the width of a column of a table in a terminal, in characters.
const mostCell = 62

// plain returns an empty table without frames; the numbered columns, from 1, are right-aligned.
func plain(header table.Row, right ...int) table.Writer { return narrow(mostCell, header, right...) }

// narrow is plain with columns of at most so many characters.
func narrow(most int, header table.Row, right ...int) table.Writer {
	t := table.NewWriter()
	s := table.StyleLight
	s.Options = table.Options{SeparateHeader: true}
	s.Box.PaddingLeft, s.Box.PaddingRight = "", "  "
	s.Format.Header = text.FormatDefault
	t.SetStyle(s)
	t.AppendHeader(header)
	t.SuppressTrailingSpaces()
	var cs []table.ColumnConfig
	for k := range header {
		c := table.ColumnConfig{Number: k + 1, WidthMax: most, WidthMaxEnforcer: text.WrapSoft}
		if slices.Contains(right, k+1) {
			c.Align, c.AlignHeader = text.AlignRight, text.AlignRight
		}
		cs = append(cs, c)
	}
	t.SetColumnConfigs(cs)
	return t
}

func figureTable(o *study.Outcome) table.Writer {
	t := plain(table.Row{"Figure", "Value", "How to read it"}, 2)
	for _, f := range figures(o, false) {
		t.AppendRow(table.Row{f.Name, f.Value, Printable(f.Text)})
	}
	return t
}

func measureTable(o *study.Outcome) table.Writer {
	t := plain(table.Row{"Measure", "Value", "Unit", "Better", "Notes"}, 2)
	for _, g := range measureGroups(o, false) {
		for _, r := range g.Rows {
			notes := r.Notes
			if r.Between != "" {
				notes = append([]string{r.Between}, notes...)
			}
			if r.Parts != "" {
				notes = append([]string{r.Parts}, notes...)
			}
			t.AppendRow(table.Row{text.WrapSoft(r.Title, mostTitleText), r.Score, r.Unit, r.Better, Printable(strings.Join(notes, "; "))})
		}
	}
	return t
}

// riskTableText writes the measures of risk with a column for each intruder.
func riskTableText(rt *riskTable) table.Writer {
	if rt == nil {
		return plain(nil)
	}
	header, right := table.Row{"Risk"}, []int{}
	for k := range max(1, len(rt.Intruders)) {
		name := "Value"
		if len(rt.Intruders) > 0 {
			name = rt.Intruders[k]
		}
		header, right = append(header, text.WrapSoft(name, mostIntruder)), append(right, k+2)
	}
	t := plain(append(header, "Unit", "Safer"), right...)
	for _, r := range rt.Rows {
		row := table.Row{text.WrapSoft(r.Title, mostTitleText)}
		for k := range right {
			cell := ""
			if k < len(r.Cells) { // a single figure holds for all
				if cell = r.Cells[k].Score; r.Cells[k].Between != "" {
					cell += "\n(" + r.Cells[k].Between + ")"
				}
			}
			row = append(row, cell)
		}
		t.AppendRow(append(row, r.Unit, r.Better))
	}
	return t
}

// mostIntruder is the width of an intruder's name at the head of a column, in characters.
const mostIntruder = 22

// notMeasured says what could not be measured, and why.
func notMeasured(b *strings.Builder, ms []study.Measured) {
	bullets(b, "What was not measured", joined(unmeasured(ms)))
}

func changeTable(o *study.Outcome) table.Writer {
	t := plain(table.Row{"Column", "Kind", "Role", "What was done", "Changed"}, 5)
	for k, c := range o.Changes {
		if k == mostRows {
			t.AppendRow(table.Row{counted(len(o.Changes)-k, "further column") + " not listed"})
			break
		}
		share := "-"
		if !math.IsNaN(c.Changed) {
			share = chart.Percent(c.Changed)
		}
		t.AppendRow(table.Row{Printable(c.Column), c.Kind, c.Role, Printable(c.Action), share})
	}
	return t
}

// Printable returns a text on one line without what could steer a terminal: names and labels come from files.
func Printable(s string) string { return chart.Printable(s) }
