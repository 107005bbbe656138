package report

import (
	"slices"
	"strings"

	"github.com/dither-data/dither/document"
)

// This file fits a table of means into a terminal: it chooses rows and columns, and turns the table where that fits.

// meansTable is a table of means in the texts of a terminal.
type meansTable struct {
	head         string
	heads, names []string // of the settings, short enough for a column and for a row
	lines        []meansLine
}

// meansLine is a row: a measure, or the intruder of those below it.
type meansLine struct {
	key, label, turned string // turned: the label at the head of a column
	cells              []string
}

// outMark marks a setting that is not for release.
const outMark = " ✗"

// mostHead is the width of the name of a setting at the head of a column.
const mostHead = 18

// newMeansTable is the table of a data set.
func newMeansTable(f document.Fold) *meansTable {
	of := f.Blocks[0].(document.Table)
	m := &meansTable{head: of.Columns[0].Title.String()}
	var names []string
	for _, c := range of.Columns[1:] {
		names = append(names, Printable(c.Title.String()))
	}
	short, long := shortNames(names, mostHead), shortNames(names, 2*mostHead)
	for k, n := range names {
		mark := ""
		if of.Columns[1+k].Below != nil {
			mark = outMark
		}
		m.heads, m.names = append(m.heads, short[n]+mark), append(m.names, long[n]+mark)
	}
	who := ""
	for _, r := range of.Rows {
		l := meansLine{key: r.Key, label: shown(&r.Cells[0])}
		if l.turned = l.label; who != "" {
			l.turned = Printable(means("by").Part("measure", r.Cells[0].Says).Name("who", who).String())
		}
		for k := range r.Cells[1:] {
			l.cells = append(l.cells, shown(&r.Cells[1+k]))
		}
		if l.cells == nil {
			who = r.Key
		}
		m.lines = append(m.lines, l)
	}
	return m
}

// shown is what a cell says in a line.
func shown(c *document.Cell) string { return Printable(cellLines(c)[0]) }

// measures counts the rows that are not names of intruders.
func (m *meansTable) measures() (n int) {
	for _, l := range m.lines {
		if l.cells != nil {
			n++
		}
	}
	return n
}

// part is the table of some of its lines and settings, in the order of the whole, with the intruders of these lines.
func (m *meansTable) part(lines, settings []int) *meansTable {
	out := &meansTable{head: m.head}
	settings = slices.Sorted(slices.Values(settings))
	for _, s := range settings {
		out.heads, out.names = append(out.heads, m.heads[s]), append(out.names, m.names[s])
	}
	var who []meansLine // that no line stands below yet
	for k, l := range m.lines {
		if l.cells == nil {
			who = []meansLine{l}
		}
		if !slices.Contains(lines, k) {
			continue
		}
		var cells []string
		for _, s := range settings {
			cells = append(cells, l.cells[s])
		}
		l.cells = cells
		out.lines, who = append(append(out.lines, who...), l), nil
	}
	return out
}

// render writes the table, with as many settings beside each other as fit, unless it fits turned only.
func (m *meansTable) render(width int) string {
	var b strings.Builder
	widths := gridColumns(m.rows(0, len(m.heads))) // of the measures, then of each setting
	if total(widths) > width {
		if turned := m.turned(); total(gridColumns(turned)) <= width {
			writeGrid(&b, turned)
			return b.String()
		}
	}
	for from := 0; from < len(m.heads); {
		to := from + 1
		for used := total(widths[:1]) + 2 + total(widths[1+from:1+to]); to < len(m.heads); to++ {
			if used += widths[1+to] + 2; used > width {
				break
			}
		}
		if from > 0 {
			b.WriteString("\n")
		}
		writeGrid(&b, m.rows(from, to))
		from = to
	}
	return b.String()
}

// rows are the measures, those of one intruder under a line that names it, of the settings from one place to another.
func (m *meansTable) rows(from, to int) [][]string {
	out := [][]string{append([]string{m.head}, m.heads[from:to]...)}
	for _, l := range m.lines {
		line := []string{l.label}
		if l.cells != nil {
			line = append(line, l.cells[from:to]...)
		}
		out = append(out, line)
	}
	return out
}

// turned are the settings as rows.
func (m *meansTable) turned() [][]string {
	out := [][]string{{means("setting").String()}}
	for _, name := range m.names {
		out = append(out, []string{name})
	}
	for _, l := range m.lines {
		if l.cells == nil {
			continue
		}
		out[0] = append(out[0], l.turned)
		for s := range l.cells {
			out[1+s] = append(out[1+s], l.cells[s])
		}
	}
	return out
}

// gridColumns are the widths of the columns of a grid; a row of one cell spans all.
func gridColumns(rows [][]string) (widths []int) {
	for _, r := range rows {
		if len(r) == 1 && len(rows[0]) > 1 {
			continue
		}
		for k, c := range r {
			if k == len(widths) {
				widths = append(widths, 0)
			}
			widths[k] = max(widths[k], cells(c))
		}
	}
	return widths
}

// total is how wide columns are together, with the gaps between them.
func total(widths []int) int {
	n := -2
	for _, w := range widths {
		n += w + 2
	}
	return n
}

// writeGrid writes rows under a line that is the first: names at the left, figures at the right of their columns.
func writeGrid(b *strings.Builder, rows [][]string) {
	widths := gridColumns(rows)
	for i, r := range rows {
		line := ""
		for k, c := range r {
			pad := ""
			if len(r) == len(widths) {
				pad = strings.Repeat(" ", widths[k]-cells(c))
			}
			if k == 0 {
				line = c + pad
			} else {
				line += "  " + pad + c
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
		if i == 0 {
			b.WriteString(strings.Repeat("─", total(widths)) + "\n")
		}
	}
}
