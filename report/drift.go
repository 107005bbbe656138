package report

import (
	"cmp"
	"slices"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/internal/stats/drift"
	"github.com/dither-data/dither/study"
)

// openDrifts are the rows of drift that are not folded.
const openDrifts = 8

// driftOf is the section on how far the table is from the one that its plan was made of. It tells what the original
// holds, so the public report has none.
func driftOf(o *study.Outcome, _ Options) *document.Section {
	r := o.Drift
	if r == nil {
		return nil
	}
	t := document.Table{Title: message.Say("drift.label"),
		Columns: columns("drift.columns", "column", "index n", "chance n", "means", "outside n", "missing n")}
	if r.Leaves != nil {
		t.Rows = append(t.Rows, indexRow(message.Say("drift.leaves"), r.Leaves))
	}
	order := make([]*drift.Shift, len(r.Columns))
	for k := range r.Columns {
		order[k] = &r.Columns[k]
	}
	slices.SortStableFunc(order, func(a, b *drift.Shift) int { return cmp.Compare(b.PSI, a.PSI) })
	var classes []document.Block
	for _, c := range order {
		row := indexRow(message.Name(c.Name), &c.Figure)
		row.Cells[5].Says = message.Share(c.Missing)
		if c.Numeric {
			row.Cells[4].Says = message.Share(c.Outside)
		}
		if c.Class {
			row.Cells[0].Says = message.Say("drift.class").Name("column", c.Name)
			classes = append(classes, classShares(c))
		}
		t.Rows = append(t.Rows, row)
	}
	s := &document.Section{Key: "drift", Title: message.Say("drift.title"),
		Blocks: []document.Block{prose("lead", message.Say("drift.lead").Count("planned", r.Planned).
			Count("records", r.Records))}}
	rest := t
	n := min(len(t.Rows), openDrifts)
	t.Rows, rest.Rows = t.Rows[:n], t.Rows[n:]
	s.Blocks = append(s.Blocks, t)
	if len(rest.Rows) > 0 {
		s.Blocks = append(s.Blocks, fold(message.Say("drift.rest"), rest))
	}
	s.Blocks = append(append(s.Blocks, classes...), prose("note", message.Say("drift.scale"),
		message.Say("drift.limits")))
	return s
}

// indexRow is a column, or the leaves. What does not apply to it is empty.
func indexRow(name message.Sentence, f *drift.Figure) document.Row {
	means := message.Say("drift.means." + string(f.State))
	if f.State != drift.Quiet && f.PSI <= f.Chance {
		means = message.Say("drift.byChance").Part("means", means)
	}
	return row(name, message.Fixed(f.PSI, 3), message.Fixed(f.Chance, 3), means, message.Sentence{}, message.Sentence{})
}

// classShares lists how common the values of the class were, and are.
func classShares(c *drift.Shift) document.Block {
	t := document.Table{Title: message.Say("drift.shares"),
		Columns: columns("drift.share", "class wide", "planned n", "now n")}
	planned, now := 0, 0
	for k := range c.Counts {
		now += c.Counts[k]
	}
	for k := range c.Planned {
		planned += c.Planned[k]
	}
	for k, v := range c.Values {
		t.Rows = append(t.Rows, row(message.Name(v), message.Share(ratio(c.Planned[k], planned)),
			message.Share(ratio(c.Counts[k], now))))
	}
	return part(message.Say("drift.classes").Name("column", c.Name), t)
}

func ratio(k, n int) float64 { return float64(k) / float64(max(1, n)) }
