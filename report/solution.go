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
	lead := message.Say("solution.lead").Count("most", x.Most).Count("records", x.Records)
	if x.Rounds != nil {
		lead = message.Say("solution.local").Count("most", x.Most).Count("records", x.Records)
	}
	s := &document.Section{Key: "solution", Title: message.Say("solution.title"),
		Blocks: []document.Block{prose("lead", lead), near}}
	if x.Rounds != nil {
		s.Blocks = append(s.Blocks, roundsTable(x))
	}
	if len(others.Rows) > 0 {
		s.Blocks = append(s.Blocks, fold(message.Say("solution.rest").Count("n", len(others.Rows)), others))
	}
	return s
}

// solutionTable is the table without rows.
func solutionTable(x *protect.Solution) document.Table {
	t := document.Table{Title: message.Say("solution.label"), Columns: columns("solution.columns", "place")}
	t.Columns = append(t.Columns, levelColumns(x)...)
	t.Columns = append(t.Columns, columns("solution.columns", "meets", "suppressed n", "classes n", "smallest n", "mean n",
		"largest n", "loss n")...)
	return t
}

// levelColumns are those of the levels.
func levelColumns(x *protect.Solution) (out []document.Column) {
	for _, c := range x.Columns {
		out = append(out, document.Column{Title: message.Say("solution.level").Name("column", c.Name).
			Count("height", c.Height), Numeric: true})
	}
	return out
}

// roundsTable is what was chosen round by round.
func roundsTable(x *protect.Solution) document.Table {
	t := document.Table{Title: message.Say("solution.rounds"), Columns: columns("solution.columns", "round n")}
	t.Columns = append(t.Columns, levelColumns(x)...)
	t.Columns = append(t.Columns, columns("solution.columns", "records n", "classes n")...)
	for k, r := range x.Rounds {
		cells := []message.Sentence{message.Count(k + 1)}
		for _, level := range r.Levels {
			cells = append(cells, message.Count(level))
		}
		t.Rows = append(t.Rows, row(append(cells, message.Count(r.Records), message.Count(r.Classes))...))
	}
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
