package report

import (
	"io"
	"slices"
	"strings"

	"github.com/dither-data/dither/message"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// This file writes a document for a terminal: there is one way for every kind of block.

// mostLine is the width of a line of prose, in characters.
const mostLine = 98

// verboseText writes the whole report.
func verboseText(w io.Writer, o *study.Outcome, s Screen) error {
	d, err := Document(o, Options{})
	if err != nil {
		return err
	}
	return writeText(w, d, newFitter(o, s).files())
}

// writeText writes a document, and the files that were made.
func writeText(w io.Writer, d *document.Document, files []string) error {
	var b strings.Builder
	for k := range d.Sections {
		sectionText(&b, &d.Sections[k])
	}
	if files != nil {
		b.WriteString("\n" + joinedLines(files))
	}
	_, err := io.WriteString(w, strings.TrimPrefix(b.String(), "\n"))
	return err
}

// MeasuresText writes measures alone, as the verbose text of a release does.
func MeasuresText(w io.Writer, ms []study.Measured) error {
	o := &study.Outcome{Measures: ms}
	var b strings.Builder
	blocksText(&b, slices.Concat(worthOf(o, false), riskTable(o, study.Attacks(o, 0)), unmeasured(ms)), message.Sentence{})
	_, err := io.WriteString(w, b.String())
	return err
}

// sectionText writes a section below its title, the head of a report below the verdict.
func sectionText(b *strings.Builder, s *document.Section) {
	title := s.Title
	if s.State != document.Stateless {
		title = message.Say("page.title").Part("state", word(s.State)).Part("what", s.Title)
	}
	head := Printable(title.String())
	b.WriteString("\n" + head + "\n" + strings.Repeat("═", cells(head)) + "\n")
	blocksText(b, s.Blocks, title)
}

// blocksText writes blocks below a heading, which a table or chart of the same name does not repeat.
func blocksText(b *strings.Builder, blocks []document.Block, heading message.Sentence) {
	for k, block := range blocks {
		switch block := block.(type) {
		case document.Prose:
			if k > 0 && document.KindOf(blocks[k-1]) == "table" {
				b.WriteString("\n")
			}
			if !block.Brief {
				proseText(b, strings.Join(stringsOf(block.Says), " "))
			}
		case document.List:
			if block.Marks == nil && !block.Brief { // marks: it is the key to a drawing
				bullets(b, "", stringsOf(block.Items))
			}
		case document.Facts:
			bullets(b, "", factLines(&block))
		case document.Reasons:
			if !block.Brief {
				bullets(b, "", reasonLines(block.Items))
			}
		case document.Figures:
			if !block.Brief {
				figuresText(b, block.Items)
			}
		case document.Table:
			titleText(b, &block, heading)
			tableText(b, &block)
		case document.Charts:
			chartsText(b, block.Items)
			blocksText(b, block.Aside, heading)
		case document.Part:
			partText(b, block.Title, block.Blocks)
		case document.Fold:
			partText(b, block.Title, block.Blocks)
		case document.Group:
			for _, p := range block.Parts {
				partText(b, p.Title, p.Blocks)
			}
		}
	}
}

// titleText writes the title of a table, unless the heading above says it already.
func titleText(b *strings.Builder, t *document.Table, heading message.Sentence) {
	if heading.Empty() || !t.Headed && !t.Title.Equal(heading) {
		b.WriteString("\n" + Printable(t.Title.String()) + "\n")
	}
}

func partText(b *strings.Builder, title message.Sentence, blocks []document.Block) {
	b.WriteString("\n" + Printable(title.String()) + "\n")
	blocksText(b, blocks, title)
}

func proseText(b *strings.Builder, s string) {
	if s = Printable(s); s != "" {
		for _, l := range strings.Split(text.WrapSoft(s, mostLine), "\n") {
			b.WriteString(strings.TrimRight(l, " ") + "\n")
		}
	}
}

func factLines(f *document.Facts) (out []string) {
	for _, item := range f.Items {
		out = append(out, item.Name.String()+": "+item.Says.String())
	}
	return out
}

func reasonLines(all []document.Reason) (out []string) {
	for _, r := range all {
		s := r.Says.String()
		if n := len(r.Columns); n > 0 {
			s += " " + message.Say("head.columns").Count("n", n).String() + " " + strings.Join(r.Columns, ", ") + "."
		}
		if !r.Remedy.Empty() {
			s += " " + message.Say("head.remedy").Part("remedy", r.Remedy).String()
		}
		out = append(out, s)
	}
	return out
}

// figuresText lists figures with how they are read.
func figuresText(b *strings.Builder, figures []document.Figure) {
	t := plain(table.Row{message.Say("figures.figure").String(), message.Say("figures.value").String(),
		message.Say("figures.read").String()}, 2)
	for _, f := range figures {
		value, interval := f.Text()
		if interval != "" {
			value += "\n(" + interval + ")"
		}
		t.AppendRow(table.Row{Printable(f.Title.String()), value, Printable(f.Says.String())})
	}
	b.WriteString("\n" + t.Render() + "\n")
}

// tableText writes a table without frames.
func tableText(b *strings.Builder, t *document.Table) {
	var head table.Row
	var right []int
	for k, c := range t.Columns {
		head = append(head, text.WrapSoft(strings.Join(stringsOf(append([]message.Sentence{c.Title}, c.Below...)), "\n"),
			mostHeading))
		if c.Numeric {
			right = append(right, k+1)
		}
	}
	out := plain(head, right...)
	for _, r := range t.Rows {
		out.AppendRow(rowText(t, &r))
	}
	if t.Foot != nil {
		out.AppendRow(rowText(t, t.Foot))
	}
	b.WriteString("\n" + out.Render() + "\n")
}

// mostHeading is the width of the head of a column, in characters.
const mostHeading = 22

func rowText(t *document.Table, r *document.Row) (out table.Row) {
	for k, c := range r.Cells {
		lines := cellLines(&c)
		most := mostCell
		if k == 0 && !t.Columns[0].Wide {
			most = mostTitleText
		}
		for i := range lines {
			lines[i] = text.WrapSoft(Printable(lines[i]), most)
		}
		out = append(out, strings.Join(lines, "\n"))
	}
	return out
}

// cellLines is a cell in lines: the figure with what it is one of, its interval, and what stands below.
func cellLines(c *document.Cell) []string {
	lines := []string{c.Says.String()}
	if c.Figure != nil {
		value, interval := c.Figure.Text()
		if lines = []string{strings.TrimSpace(value + " " + c.Of)}; interval != "" {
			lines = append(lines, "("+interval+")")
		}
	} else if c.Says.Empty() {
		lines = []string{"–"}
	}
	if !c.Mark.Empty() {
		lines[0] = c.Mark.String() + " " + lines[0]
	}
	return append(append(lines, stringsOf(c.Lines)...), stringsOf(c.Below)...)
}

// chartsText says of drawings what they cannot show; those that can be drawn in characters are.
func chartsText(b *strings.Builder, charts []document.Chart) {
	var lines []string
	for _, c := range charts {
		title := c.Title.String()
		if drawn, ok := c.Drawing.(interface{ Lines() []string }); ok {
			b.WriteString("\n" + Printable(title) + ": " + c.Says.String() +
				strings.Join(append([]string{""}, stringsOf(c.Facts)...), " ") + "\n")
			for _, l := range drawn.Lines() {
				b.WriteString(Printable(l) + "\n")
			}
		} else if c.Facts != nil {
			lines = append(lines, title+": "+strings.Join(stringsOf(c.Facts), ", "))
		}
	}
	bullets(b, "", lines)
}

// bullets writes a list below a title, wrapped.
func bullets(b *strings.Builder, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	if title != "" {
		b.WriteString("\n" + title + "\n")
	}
	for _, s := range lines {
		for k, l := range strings.Split(text.WrapSoft(Printable(s), mostLine), "\n") {
			lead := "  "
			if k == 0 {
				lead = "- "
			}
			b.WriteString(lead + strings.TrimRight(l, " ") + "\n")
		}
	}
}

// mostCell and mostTitleText are the widths of a column of a table in a terminal, and of its first, in characters.
const mostCell, mostTitleText = 62, 36

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
		c := table.ColumnConfig{Number: k + 1, WidthMax: most, WidthMaxEnforcer: wrapLines}
		if slices.Contains(right, k+1) {
			c.Align, c.AlignHeader = text.AlignRight, text.AlignRight
		}
		cs = append(cs, c)
	}
	t.SetColumnConfigs(cs)
	return t
}

// wrapLines wraps each line of a cell by itself: text.WrapSoft joins them where all together are too wide.
func wrapLines(cell string, width int) string {
	lines := strings.Split(cell, "\n")
	for k, l := range lines {
		lines[k] = text.WrapSoft(l, width)
	}
	return strings.Join(lines, "\n")
}

// Printable returns a text on one line without what could steer a terminal: names and labels come from files.
func Printable(s string) string { return chart.Printable(s) }
