package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/study"
)

// CompareText writes a comparison for a terminal: which setting to take and by which measure that was judged, then per data set the mean over the folds
// and its standard deviation, measures as rows and settings as columns, or turned where that fits and this does not. A screen has at most 25 lines:
// the measures that the choice looks at first, of the best settings. The verbose text has all, describes the measures, with their remarks, and adds what
// they took many times.
func CompareText(w io.Writer, c *study.Comparison, opt CompareOptions, s Screen) error {
	t, err := newContest(c, opt)
	if err != nil {
		return err
	}
	v := newVerdict(t)
	var names []string
	for _, e := range t.entrants {
		names = append(names, Printable(e.name))
	}
	f := &fitter{s, shortener(names)}
	if !s.Verbose {
		_, err = io.WriteString(w, joinedLines(t.screen(v, f)))
		return err
	}
	var b strings.Builder
	b.WriteString(joinedLines(t.told(v, f, 3)))
	for d := range c.Data {
		m := t.means(d)
		b.WriteString(joinedLines(t.studied(f, d, 2), strings.Split(m.render(s.width()), "\n")))
		b.WriteString(joinedLines(m.notApplied(s.width())))
	}
	b.WriteString("\n" + joinedLines(f.say("", t.arrows(), 1)))
	t.describe(&b)
	blocksText(&b, t.quartiles(), "")
	if lines := f.files(); lines != nil {
		b.WriteString("\n" + joinedLines(lines))
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// told is the verdict, each sentence in so many lines at most.
func (t *contest) told(v verdict, f *fitter, most int) []string {
	lines := f.say("", sentence(v.headline()), most)
	for _, d := range v.deck() {
		lines = append(lines, f.say("- ", d, most)...)
	}
	return lines
}

// studied is what stands above the table of a data set, its name and size in so many lines at most.
func (t *contest) studied(f *fitter, data, most int) []string {
	d, class := t.Data[data], ""
	if d.Class != "" {
		class = fmt.Sprintf(", class %q with %d values", d.Class, d.Classes)
	}
	facts := f.say("", fmt.Sprintf("%s: %s records, %d columns%s", d.Name, whole(d.Records), d.Columns, class), most)
	return append(append([]string{""}, facts...), fmt.Sprintf("%s x %s; mean over the folds ± its standard deviation", counted(t.Folds, "fold"), counted(t.Repeats, "repeat")), "")
}

// arrows is the key to the tables.
func (t *contest) arrows() string {
	key := "↑ higher is better, ↓ lower is better"
	if slices.ContainsFunc(t.entrants, func(e entrant) bool { return e.Baseline }) {
		key += "," + outMark + " " + notForRelease
	}
	return key
}

// describe says what every measure is, and what it remarked in how many runs.
func (t *contest) describe(b *strings.Builder) {
	b.WriteString("\n")
	var notes []remark
	for i := range t.gauges {
		g := &t.gauges[i]
		unit := ""
		if g.Unit.Text != "" {
			unit = ", " + g.Unit.Text
		}
		b.WriteString(Printable(fmt.Sprintf("%s: %s%s; %s is better", g.Label, g.Title, unit, g.Better)) + "\n")
		for _, n := range t.notes(g) {
			notes = together(notes, g.Label, n)
		}
	}
	bullets(b, message.Say("attack.notes").String(), factLines(&document.Facts{Items: factsOfRemarks(notes)}))
}

// meansOn is the table of a data set: the figures of a measure for every setting, by intruder where it depends on one.
type meansOn struct {
	heads   []string // of the settings, short enough for a column
	names   []string // of the settings, for a row
	gauge   []int    // of the measures that apply to some setting, in the order of the comparison
	none    []string // measures that apply to none
	measure []string // with the unit and which end is good
	who     []string // the intruder of a measure
	cells   [][]string
}

// outMark marks a setting that is not for release.
const outMark = " ✗"

// mostHead is the width of the name of a setting at the head of a column.
const mostHead = 18

func (t *contest) means(data int) *meansOn {
	m := &meansOn{}
	var names []string
	for _, s := range t.Settings {
		names = append(names, Printable(s.Name))
	}
	short, long := shortNames(names, mostHead), shortNames(names, 2*mostHead)
	place := t.byPlace()
	for k, n := range names {
		mark := ""
		if k > 0 && place[k-1].Baseline {
			mark = outMark
		}
		m.heads, m.names = append(m.heads, short[n]+mark), append(m.names, long[n]+mark)
	}
	for _, g := range t.gauges {
		var row []string
		for k := range t.Settings {
			row = append(row, meanText(t.Summary(data, k, g.Index, ""), g.Factor))
		}
		if !slices.ContainsFunc(row, func(cell string) bool { return cell != notApplicable }) {
			if name := Printable(g.Name); !slices.Contains(m.none, name) {
				m.none = append(m.none, name)
			}
			continue
		}
		m.gauge, m.measure, m.who, m.cells = append(m.gauge, g.Index), append(m.measure, labelOf(&g)), append(m.who, Printable(g.Who)), append(m.cells, row)
	}
	return m
}

// notApplied names the measures that apply to no setting.
func (m *meansOn) notApplied(width int) []string {
	if m.none == nil {
		return nil
	}
	return append([]string{""}, wrapped("Does not apply to any setting: "+strings.Join(m.none, ", ")+".", width)...)
}

// labelOf names a measure in a table: its name and parameters, the unit if it is short, and an arrow to the good end.
func labelOf(g *gauge) string {
	label := g.Name
	if g.Varied != "" {
		label += " " + g.Varied
	}
	if g.Unit.Percent() || len(g.unit) <= 4 && g.unit != "" {
		label += ", " + g.unit
	}
	if g.Better == measure.Higher {
		return Printable(label + " ↑")
	}
	return Printable(label + " ↓")
}

// render writes the table, with as many settings beside each other as fit, unless it fits turned only.
func (m *meansOn) render(width int) string {
	var b strings.Builder
	whole := m.rows(0, len(m.heads))
	if turned := m.turned(); gridWidth(whole) > width && gridWidth(turned) <= width {
		writeGrid(&b, turned)
		return b.String()
	}
	for from := 0; from < len(m.heads); {
		to := len(m.heads)
		for to > from+1 && gridWidth(m.rows(from, to)) > width {
			to--
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
func (m *meansOn) rows(from, to int) [][]string {
	out := [][]string{append([]string{"measure"}, m.heads[from:to]...)}
	var order []string
	for _, who := range m.who {
		if !slices.Contains(order, who) {
			order = append(order, who)
		}
	}
	for _, who := range order {
		if who != "" {
			out = append(out, []string{"against one who " + who + ":"})
		}
		for k := range m.measure {
			if m.who[k] == who {
				out = append(out, append([]string{m.measure[k]}, m.cells[k][from:to]...))
			}
		}
	}
	return out
}

// turned are the settings as rows.
func (m *meansOn) turned() [][]string {
	head := []string{"setting"}
	for k, label := range m.measure {
		if m.who[k] != "" {
			label += " (" + m.who[k] + ")"
		}
		head = append(head, label)
	}
	out := [][]string{head}
	for s, name := range m.names {
		row := []string{name}
		for k := range m.measure {
			row = append(row, m.cells[k][s])
		}
		out = append(out, row)
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

func gridWidth(rows [][]string) int {
	n := -2
	for _, w := range gridColumns(rows) {
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
			b.WriteString(strings.Repeat("─", gridWidth(rows)) + "\n")
		}
	}
}

// notApplicable stands for the figure of a measure that does not apply.
const notApplicable = "n/a"

// meanText writes a mean and its standard deviation with two digits of the latter, both times a factor.
func meanText(s *study.Summary, factor float64) string {
	switch {
	case s == nil || s.Cells == 0 && s.Failed == 0:
		return notApplicable
	case s.Cells == 0:
		return "failed"
	}
	mean, sd := s.Mean*factor, s.SD*factor
	text := strconv.FormatFloat(mean, 'f', 3, 64)
	if sd > 0 && !math.IsInf(sd, 0) {
		digits := min(6, max(0, 1-int(math.Floor(math.Log10(sd)))))
		text = strconv.FormatFloat(mean, 'f', digits, 64) + " ± " + strconv.FormatFloat(sd, 'f', digits, 64)
	}
	if s.Failed > 0 {
		text += fmt.Sprintf(" (%d failed)", s.Failed)
	}
	return text
}
