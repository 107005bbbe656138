package report

import (
	"io"
	"strings"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/tabulation"
	"github.com/dither-data/dither/tabulate/attack"
)

// Grid is a table as a page shows it.
type Grid struct {
	By     []string // columns, the one whose codes stand beside each other last
	Sum    string   // what is summed; empty counts records
	Across []string
	Rows   []GridRow
}

// GridRow is a line of it.
type GridRow struct {
	Codes  []string
	Depth  []int
	Values []string
}

// sentences say how the tables are protected, and what is shown.
func sentences(m *tabulation.Made) (out []message.Sentence) {
	say := func(key string) message.Sentence { return message.Say("tables." + key) }
	unit := say("records")
	if m.Unit != "" {
		unit = say("units").Name("column", m.Unit)
	}
	out = append(out, say("unsafe").Count("unsafe", m.Found.Unsafe).Count("cells", len(m.Set.Cells)).
		Count("least", m.Rules.Frequency).Part("unit", unit))
	switch {
	case m.Method == tabulation.CellKey:
		out = append(out, say("moved").Count("n", m.Keys.Deviation))
	case m.Round != nil:
		out = append(out, say("rounded").Count("n", m.Base), say("distance").Count("n", m.Round.Distance).
			Count("least", m.Round.Nearest))
		if n := m.Round.Far; n > 0 {
			out = append(out, say("far").Count("n", n).Count("most", m.Round.Farthest))
		}
	case m.Found.Unsafe > 0:
		out = append(out, say("left").Count("n", m.Solution.Secondary), say("proofs").Count("n", m.Solution.Proofs))
		alone := "computes"
		if m.Alone {
			alone = "alone"
		}
		out = append(out, say(alone))
		if n := len(m.Solution.Open); n > 0 {
			out = append(out, say("open").Count("n", n))
		}
	}
	return append(out, learnt(m)...)
}

// learnt says what an intruder comes to.
func learnt(m *tabulation.Made) (out []message.Sentence) {
	say := func(key string) message.Sentence { return message.Say("tables." + key) }
	tally := func(key string, t *attack.Tally) message.Sentence {
		return say(key).Count("n", t.Right).Count("of", t.Tried).Count("control", t.Control)
	}
	f := &m.Found
	if f.Guessed != nil {
		if f.Open.Right > 0 {
			out = append(out, say("computed").Count("n", f.Open.Right).Count("of", f.Open.Tried))
		}
		if f.Guessed.Tried > 0 {
			out = append(out, tally("guessed", f.Guessed))
		}
		if f.Differences.Tried > 0 {
			out = append(out, tally("differences", f.Differences))
		}
	}
	if f.Told > 0 {
		out = append(out, say("zeros").Count("n", f.Told))
	}
	if j := f.Joint; j != nil {
		if len(j.Columns) == 0 {
			return append(out, say("joint.nothing"))
		}
		out = append(out, say("joint.columns").Names("columns", j.Columns))
		if why := j.Unseen(len(m.Sums) > 0, len(m.By)); !why.Empty() {
			out = append(out, why)
		}
		if j.Cells.Tried > 0 && j.Tables > 0 {
			out = append(out, tally("joint.cells", &j.Cells).Count("alone", j.Alone.Right).Count("records", j.Records.Right))
		}
		if j.People > 0 {
			out = append(out, say("joint.people").Count("n", j.Singled).Count("of", j.People).Count("before", j.Before))
		}
		return out
	}
	return append(out, say("joint.unasked"))
}

// TablesDocument builds what there is to say of tables to their custodian: the verdict with reasons, what an intruder
// comes to, and the limits.
func TablesDocument(file string, m *tabulation.Made) *document.Document {
	d := &document.Document{Kind: document.OfTables, Title: message.Say("tables.title").Name("file", Printable(file))}
	o := &study.Outcome{Verdict: m.Verdict}
	head := &document.Section{Key: "verdict", State: document.State(m.Verdict.State), Title: message.Say("tables.title").
		Name("file", Printable(file))}
	list := document.List{}
	for _, s := range sentences(m) {
		list.Items = append(list.Items, s.Whole())
	}
	head.Blocks = append(head.Blocks, list)
	if rows := reasonsOf(m.Verdict); rows != nil {
		head.Blocks = append(head.Blocks, document.Part{Title: message.Say("head.why"),
			Blocks: []document.Block{document.Reasons{Items: rows}}})
	}
	d.Add(head)
	d.Add(demandsOf(o, Options{}))
	return d
}

// TablesText writes what there is to say of tables, and the files that were made.
func TablesText(w io.Writer, d *document.Document, made []string) error {
	return writeText(w, d, made)
}

// TablesPage builds the tables as they are published, with nothing of how many cells are unsafe: that would tell.
func TablesPage(file string, m *tabulation.Made, grids []Grid) *document.Document {
	d := &document.Document{Kind: document.OfTables, Title: message.Say("tables.title").Name("file", Printable(file))}
	says := message.Say("tables.whole")
	switch {
	case m.Method == tabulation.CellKey:
		says = message.Say("tables.moved").Count("n", m.Keys.Deviation)
	case m.Round != nil:
		says = message.Say("tables.rounded").Count("n", m.Base)
	case m.Found.Unsafe > 0:
		says = message.Say("tables.hidden")
	}
	d.Lead = []message.Sentence{says.Whole()}
	for k := range grids {
		d.Add(grids[k].section(k))
	}
	return d
}

// section is a table with its title.
func (g *Grid) section(k int) *document.Section {
	title := message.Say("tables.counts").Names("by", g.By)
	if g.Sum != "" {
		title = message.Say("tables.totals").Names("by", g.By).Name("sum", g.Sum)
	}
	t := document.Table{Title: title, Headed: true}
	for _, name := range g.By[:len(g.By)-1] {
		t.Columns = append(t.Columns, document.Column{Title: message.Name(name)})
	}
	if len(g.By) == 1 {
		t.Columns = append(t.Columns, document.Column{})
	}
	for _, label := range g.Across {
		t.Columns = append(t.Columns, document.Column{Title: message.Text(label), Numeric: true})
	}
	for _, row := range g.Rows {
		var cells []document.Cell
		for k, code := range row.Codes {
			cells = append(cells, document.Cell{Says: message.Text(strings.Repeat("\u2003", row.Depth[k]) + code)})
		}
		if len(row.Codes) == 0 {
			cells = append(cells, document.Cell{})
		}
		for _, v := range row.Values {
			cells = append(cells, document.Cell{Says: message.Text(v)})
		}
		t.Rows = append(t.Rows, document.Row{Cells: cells})
	}
	mark := document.Prose{Look: "note", Says: []message.Sentence{message.Say("tables.mark").Whole()}}
	return &document.Section{Key: "table-" + message.Count(k+1).String(), Title: title,
		Blocks: []document.Block{t, mark}}
}

// TablesHTML writes tables as a page that prints.
func TablesHTML(w io.Writer, d *document.Document) error {
	page := sheetOf(d, message.Say("page.kicker.tables"), message.Say("page.paper.tables"))
	return execute(w, pages().Lookup("sheet"), page)
}
