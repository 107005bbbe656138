package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure/dataquality"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/quality"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// purposesOf is the section on what the release is still good for, by an information quality model. Its conditions name
// values, so the public report has no such section.
func purposesOf(o *study.Outcome, _ Options) *document.Section {
	d, ok := detail[dataquality.Detail](o)
	if !ok || d.Result == nil {
		return nil
	}
	t := document.Table{Title: message.Say("purposes.label"),
		Columns: columns("purposes.columns", "purpose wide", "weight n", "accuracy n", "left n", "acl n",
			"completeness n", "left n", "cml n", "consistency n", "left n", "csl n")}
	var graphs []document.Block
	for k := range d.Purposes {
		u := &d.Purposes[k]
		t.Rows = append(t.Rows, purposeRow(message.Name(u.Name), lacking(u.Weight), u.Share, u.Lack))
		graphs = append(graphs, purposeGraph(u, k, d.Records))
	}
	if len(d.Purposes) > 1 {
		t.Rows = append(t.Rows, purposeRow(message.Say("purposes.all"), message.Sentence{}, d.Share, d.Asset))
	}
	lead := prose("lead", message.Say("purposes.lead").Count("changed", d.Changed).Count("records", d.Original),
		message.Say("purposes.lack"))
	return &document.Section{Key: "purposes", Title: message.Say("purposes.title"),
		Blocks: slices.Concat([]document.Block{lead, t}, purposeNotes(d), graphs)}
}

func purposeNotes(d *dataquality.Detail) []document.Block {
	first := prose("note", message.Say("purposes.paper"))
	if d.Count == dataquality.ByCell {
		first.Says = append(first.Says, message.Say("purposes.byCell"))
	}
	out := []document.Block{first}
	if d.Gone > 0 {
		out = append(out, prose("note", message.Say("purposes.gone").Count("n", d.Gone)))
	}
	if d.Added > 0 {
		out = append(out, prose("note", message.Say("purposes.added").Count("n", d.Added)))
	}
	return out
}

// lacking is a weight, or a lack from 0 to 1.
func lacking(v float64) message.Sentence { return message.Number(v, 0.0001) }

// purposeRow is a purpose, or all of them: of each quality the lack, what is left, and the index as the paper has it.
func purposeRow(name, weight message.Sentence, s quality.Shares, l quality.Deficit) document.Row {
	r := row(name, weight)
	for _, q := range []struct {
		share, most *float64
		printed     float64
	}{{s.Accuracy, nil, l.Accuracy}, {s.Completeness, nil, l.Completeness}, {s.Consistency, s.Most, l.Consistency}} {
		cells := row(message.Sentence{}, message.Sentence{}, message.Sentence{}).Cells
		switch {
		case q.share == nil: // nothing has a weight for it
		case q.most != nil && *q.most > *q.share:
			cells = row(message.Say("purposes.span").Number("lo", *q.share, 0.0001).Number("hi", *q.most, 0.0001),
				message.Say("purposes.span").Number("lo", 1-*q.most, 0.0001).Number("hi", 1-*q.share, 0.0001), lacking(q.printed)).
				Cells
		default:
			cells = row(lacking(*q.share), lacking(1-*q.share), lacking(q.printed)).Cells
		}
		r.Cells = append(r.Cells, cells...)
	}
	return r
}

// purposeGraph draws a purpose, and lists the constraints that are broken, the most often broken first.
func purposeGraph(u *quality.Outcome, number, records int) document.Block {
	all := slices.Concat(u.Constraints, u.Complex)
	slices.SortStableFunc(all, func(a, b quality.Count) int { return cmp.Compare(b.Records, a.Records) })
	broken := document.Table{Title: message.Say("purposes.broken"),
		Columns: columns("purposes.constraint", "name", "condition wide", "records n", "share n", "checked n")}
	unjudged := 0
	for k := range all {
		c := &all[k]
		if unjudged += c.Unjudged; c.Records > 0 {
			broken.Rows = append(broken.Rows, row(message.Name(c.Name), message.Name(cmp.Or(c.Expr, joinedText(c))),
				message.Count(c.Records),
				message.Share(float64(c.Records)/float64(records)), message.Count(c.Checked)))
		}
	}
	says := prose("")
	switch {
	case len(all) == 0:
		says.Says = append(says.Says, message.Say("purposes.noConstraint"))
	case broken.Rows == nil:
		says.Says = append(says.Says, message.Say("purposes.noneBroken"))
	default:
		says.Says = append(says.Says, message.Say("purposes.someBroken").Count("broken", len(broken.Rows)).
			Count("n", len(all)))
	}
	if unjudged > 0 {
		says.Says = append(says.Says, message.Say("purposes.unjudged").Count("n", unjudged))
	}
	graph := document.Chart{Key: "purpose-" + strconv.Itoa(number+1), Drawing: modelGraph(u)}
	out := part(message.Name(u.Name), says, document.Charts{Look: lookAlone, Items: []document.Chart{graph}})
	if broken.Rows != nil {
		out.Blocks = append(out.Blocks, fold(broken.Title, broken))
	}
	return out
}

// modelGraph is the data model of a purpose, with what became of its attributes and constraints.
func modelGraph(u *quality.Outcome) chart.ModelGraph {
	m := chart.ModelGraph{Title: message.Say("purposes.graph").Name("purpose", u.Name).String()}
	on := map[string]int{}
	for k, a := range u.Attributes {
		on[a.Name] = k
		m.Attributes = append(m.Attributes, chart.ModelNode{Name: a.Name, Text: fateText(&a),
			Tip: message.Say("purposes.weights").Number("accuracy", a.Accuracy, 0.0001).
				Number("completeness", a.Completeness, 0.0001).String()})
	}
	add := func(c *quality.Count, part int) {
		m.Simple = append(m.Simple, chart.SimpleNode{Name: c.Name, Expr: c.Expr, On: on[c.On[0]], Part: part,
			Broken: c.Records, Checked: c.Checked})
	}
	for k := range u.Constraints {
		add(&u.Constraints[k], -1)
	}
	for k := range u.Complex {
		c := &u.Complex[k]
		how := message.Say("purposes.allHold")
		if c.Operator == "or" {
			how = message.Say("purposes.anyHolds")
		}
		m.Complex = append(m.Complex, chart.ModelNode{Name: c.Name, Text: message.Say("purposes.of").Part("how", how).
			Count("records", c.Records).Count("checked", c.Checked).String(),
			Tip: message.Say("purposes.weight").Number("weight", c.Weight, 0.0001).String()})
		for i := range c.Of {
			add(&c.Of[i], k)
		}
	}
	return m
}

// fateText says what became of the values of an attribute.
func fateText(a *quality.Changes) string {
	var parts []message.Sentence
	if a.Changed > 0 {
		parts = append(parts, message.Say("purposes.changed").Share("share", a.AV))
	}
	if a.Missing > 0 {
		parts = append(parts, message.Say("purposes.lost").Share("share", a.CV))
	}
	if parts == nil {
		return message.Say("purposes.same").String()
	}
	return message.Listed(parts).String()
}

// joinedText writes a joined constraint.
func joinedText(c *quality.Count) string {
	parts := make([]string, len(c.Of))
	for k, of := range c.Of {
		parts[k] = "(" + of.Expr + ")"
	}
	return strings.Join(parts, " "+c.Operator+" ")
}
