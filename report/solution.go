package report

import (
	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/study"
)

// solutionOf is the section on the levels of generalisation that were found: what was chosen, what one level more or
// less in one column would do, and the other combinations that lose least. It counts records of the original, so the
// public report has none.
func solutionOf(o *study.Outcome, _ Options) *document.Section {
	x := o.Solution
	if x == nil {
		return nil
	}
	near, others := solutionTable(x), solutionTable(x)
	for k := range x.Nodes {
		if n := &x.Nodes[k]; n.Place == protect.OtherNode {
			others.Rows = append(others.Rows, solutionRow(x, n))
		} else {
			near.Rows = append(near.Rows, solutionRow(x, n))
		}
	}
	s := &document.Section{Key: "solution", Title: message.Say("solution.title"),
		Blocks: []document.Block{prose("lead", message.Say("solution.lead").Count("most", x.Most).
			Count("records", x.Records)), near}}
	if len(others.Rows) > 0 {
		s.Blocks = append(s.Blocks, fold(message.Say("solution.rest").Count("n", len(others.Rows)), others))
	}
	return s
}

// solutionTable is the table without rows.
func solutionTable(x *protect.Solution) document.Table {
	t := document.Table{Title: message.Say("solution.label"), Columns: columns("solution.columns", "place")}
	for _, c := range x.Columns {
		t.Columns = append(t.Columns, document.Column{Title: message.Say("solution.level").Name("column", c.Name).
			Count("height", c.Height), Numeric: true})
	}
	t.Columns = append(t.Columns, columns("solution.columns", "meets", "suppressed n", "classes n", "smallest n", "mean n",
		"largest n", "loss n")...)
	return t
}

// solutionRow is a combination of levels.
func solutionRow(x *protect.Solution, n *protect.SolutionNode) document.Row {
	meets := message.Say("solution.misses")
	if n.Meets {
		meets = message.Say("solution.meets")
	}
	cells := []message.Sentence{message.Say("solution.place." + string(n.Place))}
	for _, level := range n.Levels {
		cells = append(cells, message.Count(level))
	}
	cells = append(cells, meets, message.Count(n.Suppressed), message.Count(n.Classes), message.Count(n.Smallest),
		message.Fixed(n.Mean(x.Records), 1), message.Count(n.Largest), message.Share(n.Loss))
	return row(cells...)
}
