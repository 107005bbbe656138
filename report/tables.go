package report

import (
	"io"
	"strings"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/tabulate"
)

// Tables is what there is to say of tables of counts and totals that go out together.
type Tables struct {
	Name                                       string // of the file
	State                                      study.State
	Records, Cells, Unsafe, Left, Proofs, Open int
	Unit                                       string // the column that says whose a record is; empty counts records
	Rules                                      tabulate.Rules
	Moved                                      bool // by cell keys; else cells are left out
	Deviation                                  int  // the largest, by cell keys
	Alone                                      bool
}

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
func (t *Tables) sentences() (out []message.Sentence) {
	state := document.State(t.State)
	out = append(out, message.Say("tables.verdict").Part("state", message.Say("state."+state.Class())))
	unit := message.Say("tables.records")
	if t.Unit != "" {
		unit = message.Say("tables.units").Name("column", t.Unit)
	}
	out = append(out, message.Say("tables.unsafe").Count("unsafe", t.Unsafe).Count("cells", t.Cells).
		Count("least", t.Rules.Frequency).Part("unit", unit))
	switch {
	case t.Moved:
		return append(out, message.Say("tables.moved").Count("n", t.Deviation), message.Say("tables.unasked"))
	case t.Unsafe > 0:
		out = append(out, message.Say("tables.left").Count("n", t.Left),
			message.Say("tables.proofs").Count("n", t.Proofs))
		alone := "tables.computes"
		if t.Alone {
			alone = "tables.alone"
		}
		out = append(out, message.Say(alone))
	}
	if t.Open > 0 {
		out = append(out, message.Say("tables.open").Count("n", t.Open))
	}
	return append(out, message.Say("tables.zeros"))
}

// TablesDocument builds what there is to say of tables to their custodian.
func TablesDocument(t Tables) *document.Document {
	return &document.Document{Kind: document.OfTables, Title: message.Say("tables.title").Name("file", Printable(t.Name)),
		Lead: t.sentences()}
}

// TablesPage builds the tables as they are published, with nothing of how many cells are unsafe: that would tell.
func TablesPage(t Tables, grids []Grid) *document.Document {
	d := TablesDocument(t)
	switch {
	case t.Moved:
		d.Lead = []message.Sentence{message.Say("tables.moved").Count("n", t.Deviation).Whole()}
	case t.Unsafe > 0:
		d.Lead = []message.Sentence{message.Say("tables.hidden").Whole()}
	default:
		d.Lead = []message.Sentence{message.Say("tables.whole").Whole()}
	}
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
