package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/dither-data/dither/measure/iqm"
	"github.com/dither-data/dither/quality"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// purposes is the section on what the release is still good for, by an information quality model. Its conditions name values, so the public report has no such section.
type purposes struct {
	Lead   string
	Notes  []string
	Rows   []purposeRow
	Graphs []purposeGraph
}

// purposeRow is a purpose, or all of them.
type purposeRow struct {
	Name, Weight                        string
	Accuracy, Completeness, Consistency lackCell
}

// lackCell is a lack from 0 to 1, and what is left; empty where nothing has a weight for it. Printed is the index as the paper has it.
type lackCell struct{ Lack, Left, Printed string }

// purposeGraph is what became of one purpose.
type purposeGraph struct {
	Name   string
	Text   string
	Graph  template.HTML
	Broken []brokenConstraint
}

// brokenConstraint is a constraint that the release breaks.
type brokenConstraint struct{ Name, Expr, Records, Share, Checked string }

func purposesOf(o *study.Outcome, public bool) *purposes {
	d, ok := detail[iqm.Detail](o)
	if public || !ok || d.Result == nil {
		return nil
	}
	p := &purposes{Lead: fmt.Sprintf("What the table is for was said in an information quality model. %s of %s of the original differ in the release. A lack is 0 where all is as it was, and 1 where nothing is: lower is better; what is left is 1 less the lack.",
		upper(chart.Count(float64(d.Changed))), counted(d.Original, "record"))}
	p.notes(d)
	for k := range d.Purposes {
		u := &d.Purposes[k]
		p.Rows = append(p.Rows, lacksOf(u.Name, chart.Number(u.Weight, 0.0001), u.Share, u.Lack))
		p.Graphs = append(p.Graphs, graphOf(u, k, d.Records))
	}
	if len(d.Purposes) > 1 {
		p.Rows = append(p.Rows, lacksOf("all purposes", "", d.Share, d.Asset))
	}
	return p
}

func (p *purposes) notes(d *iqm.Detail) {
	p.Notes = []string{"ACL, CML and CSL are the figures of the paper (equations 5.1 to 5.6): they grow with the weights, and CSL with the number of records. They serve to compare releases of one table by one model."}
	if d.Count == iqm.ByCell {
		p.Notes[0] += " In CSL a joined constraint counts once for every value that changed; in the lack once per record."
	}
	if d.Gone > 0 {
		p.Notes = append(p.Notes, upper(counted(d.Gone, "record"))+" of the original that the release lacks count as lost in every attribute.")
	}
	if d.Added > 0 {
		p.Notes = append(p.Notes, upper(counted(d.Added, "record"))+" of the release that the original lacks count as changed in every attribute.")
	}
}

func lacksOf(name, weight string, s quality.Shares, l quality.Lack) purposeRow {
	return purposeRow{name, weight, lackOf(s.Accuracy, nil, l.Accuracy), lackOf(s.Completeness, nil, l.Completeness), lackOf(s.Consistency, s.Most, l.Consistency)}
}

func lackOf(share, most *float64, printed float64) lackCell {
	if share == nil {
		return lackCell{}
	}
	c := lackCell{chart.Number(*share, 0.0001), chart.Number(1-*share, 0.0001), chart.Number(printed, 0.0001)}
	if most != nil && *most > *share {
		c.Lack += " to " + chart.Number(*most, 0.0001)
		c.Left = chart.Number(1-*most, 0.0001) + " to " + c.Left
	}
	return c
}

// graphOf draws a purpose, and lists the constraints that are broken, the most often broken first.
func graphOf(u *quality.Outcome, number, records int) purposeGraph {
	g := purposeGraph{Name: u.Name}
	m := chart.ModelGraph{Title: "The data model graph of " + u.Name}
	on := map[string]int{}
	for k, a := range u.Attributes {
		on[a.Name] = k
		m.Attributes = append(m.Attributes, chart.ModelNode{Name: a.Name, Text: fateText(&a), Tip: fmt.Sprintf("weights: accuracy %s, completeness %s", chart.Number(a.Accuracy, 0.0001), chart.Number(a.Completeness, 0.0001))})
	}
	add := func(c *quality.Count, part int) {
		m.Simple = append(m.Simple, chart.SimpleNode{Name: c.Name, Expr: c.Expr, On: on[c.On[0]], Part: part, Broken: c.Records, Checked: c.Checked})
	}
	all := slices.Concat(u.Constraints, u.Complex)
	for k := range u.Constraints {
		add(&u.Constraints[k], -1)
	}
	for k := range u.Complex {
		c := &u.Complex[k]
		how := "all hold"
		if c.Operator == "or" {
			how = "any holds"
		}
		m.Complex = append(m.Complex, chart.ModelNode{Name: c.Name, Text: how + "; broken " + chart.Count(float64(c.Records)) + " of " + chart.Count(float64(c.Checked)), Tip: "weight " + chart.Number(c.Weight, 0.0001)})
		for i := range c.Of {
			add(&c.Of[i], k)
		}
	}
	g.Graph = m.Draw(fmt.Sprintf("purpose-%d", number+1))
	slices.SortStableFunc(all, func(a, b quality.Count) int { return cmp.Compare(b.Records, a.Records) })
	unjudged := 0
	for k := range all {
		c := &all[k]
		if unjudged += c.Unjudged; c.Records > 0 {
			g.Broken = append(g.Broken, brokenConstraint{c.Name, cmp.Or(c.Expr, joinedText(c)), chart.Count(float64(c.Records)), chart.Percent(float64(c.Records) / float64(records)), chart.Count(float64(c.Checked))})
		}
	}
	switch {
	case len(all) == 0:
		g.Text = "No constraint was named."
	case len(g.Broken) == 0:
		g.Text = "No constraint is broken by a value that changed."
	default:
		g.Text = fmt.Sprintf("%d of %s broken where a value changed.", len(g.Broken), numbered(len(all), "constraint is", "constraints are"))
	}
	if unjudged > 0 {
		g.Text += fmt.Sprintf(" %s could not be judged, on groups of values or after a division by zero.", upper(counted(unjudged, "case")))
	}
	return g
}

// fateText says what became of the values of an attribute.
func fateText(a *quality.Changes) string {
	var parts []string
	if a.Changed > 0 {
		parts = append(parts, chart.Percent(a.AV)+" changed")
	}
	if a.Missing > 0 {
		parts = append(parts, chart.Percent(a.CV)+" lost")
	}
	if parts == nil {
		return "as it was"
	}
	return strings.Join(parts, ", ")
}

// joinedText writes a joined constraint.
func joinedText(c *quality.Count) string {
	parts := make([]string, len(c.Of))
	for k, of := range c.Of {
		parts[k] = "(" + of.Expr + ")"
	}
	return strings.Join(parts, " "+c.Operator+" ")
}
